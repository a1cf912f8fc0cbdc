"""Compiled analytic sensitivities of the recursive Newton-Euler algorithm; derivation in `sensitivities`."""

from __future__ import annotations

import numpy as np

from pipeline.dynamics.composite_kernels import (
    add_to_parents,
    coriolis,
    link_forces,
    link_inertias,
    link_momenta,
    load_transport,
    transported_load,
    transposed_coriolis,
    transposed_load,
)
from pipeline.dynamics.rnea_kernels import is_finite_frame, load_on_links
from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.pose_kernels import move_links, place_links, refer_to_first_mass
from pipeline.skeleton.spatial_kernels import (
    at_point,
    cross,
    dot,
    get,
    inertia_times,
    load_cross,
    plus,
    power,
    times,
)


@inlined
def spatial_state(tree, q, qd, qdd, base, loads, load_link, in_link, R, p, z, o, c, S, V, A, S1, S2, J, Q, h, F, E):
    """Everything about one frame that the sensitivities are made of: axes with rates, and composite bodies."""
    place_links(tree, q, R, p, z, o)
    refer_to_first_mass(tree, p, o, c)
    move_links(tree, qd, qdd, z, o, base, S, V, A, S1, S2)
    link_inertias(tree, R, p, J)
    link_momenta(tree, J, V, Q, h)
    link_forces(tree, J, V, A, F)
    load_on_links(loads, load_link, c, F)
    add_to_parents(tree, J)
    add_to_parents(tree, Q)
    add_to_parents(tree, h)
    add_to_parents(tree, F)
    if load_link.shape[0] > 0:
        load_transport(loads, load_link, c, in_link, E)
        add_to_parents(tree, E)


@inlined
def force_changes(s, s1, s2, J, Q, h, F, loaded, E):
    """Changes of a composite body's load as a coordinate and its rates displace it along s, with the rates s1, s2."""
    by_q = plus(plus(inertia_times(J, s2), coriolis(Q, h, s1)), load_cross(s, F))
    if loaded:
        by_q = plus(by_q, transported_load(E, s))
    return by_q, plus(times(2.0, inertia_times(J, s1)), coriolis(Q, h, s)), inertia_times(J, s)


@kernel
def sensitivity_kernel(tree, q, qd, qdd, gravity, load_link, loads, in_link, dq, dqd, dqdd):
    """Fill the derivatives (T, n, n) of the generalised forces; return the first non-finite frame, or -1."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, V, A = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    S1, S2, F = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    J, Q, h, E = np.empty((n, 10)), np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 15))
    c, base = np.empty(3), -gravity
    loaded = load_link.shape[0] > 0
    for t in range(q.shape[0]):
        if not is_finite_frame(q[t], qd[t], qdd[t]):
            return t
        spatial_state(
            tree, q[t], qd[t], qdd[t], base, loads[t], load_link, in_link,
            R, p, z, o, c, S, V, A, S1, S2, J, Q, h, F, E,
        )  # fmt: skip
        dq[t] = 0.0
        dqd[t] = 0.0
        dqdd[t] = 0.0
        for j in range(n - 1, -1, -1):
            s = get(S, j)
            by_q, by_qd, u = force_changes(s, get(S1, j), get(S2, j), J[j], Q[j], h[j], F[j], loaded, E[j])
            w = transposed_coriolis(Q[j], h[j], s)
            e = transposed_load(E[j], s) if loaded else times(0.0, s)
            i = j
            while i >= 0:
                s, r = get(S, i), get(S1, i)
                dtau = power(u, get(S2, i)) + dot(w, r) + power(e, s)
                rate, mass = 2 * power(u, r) + dot(w, s), power(u, s)
                dq[t, i, j], dq[t, j, i] = power(by_q, s), dtau
                dqd[t, i, j], dqd[t, j, i] = power(by_qd, s), rate
                dqdd[t, i, j], dqdd[t, j, i] = mass, mass
                i = tree.parent[i]
    return -1


@inlined
def store_load_change(change, o, row_force, row_moment, column):
    """Write a change of (moment about c, force) as force and moment about o into one column of (3, n) rows."""
    f = change[3], change[4], change[5]
    x, y, w = cross(o, f)
    row_force[0, column], row_force[1, column], row_force[2, column] = f
    row_moment[0, column], row_moment[1, column], row_moment[2, column] = change[0] - x, change[1] - y, change[2] - w


@kernel
def internal_sensitivity_kernel(tree, q, qd, qdd, gravity, load_link, loads, in_link, force, moment):
    """Fill the derivatives (3, T, n, 3, n) of internal forces and moments by q, qd and qdd."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, V, A = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    S1, S2, F = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    J, Q, h, E = np.empty((n, 10)), np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 15))
    c, base = np.empty(3), -gravity
    loaded = load_link.shape[0] > 0
    force[:] = 0.0
    moment[:] = 0.0
    for t in range(q.shape[0]):
        spatial_state(
            tree, q[t], qd[t], qdd[t], base, loads[t], load_link, in_link,
            R, p, z, o, c, S, V, A, S1, S2, J, Q, h, F, E,
        )  # fmt: skip
        for j in range(n):
            # the load of joint j and of its ancestors changes with q_j as the composite body of j is displaced
            body = J[j], Q[j], h[j], F[j], loaded, E[j]
            by_q, by_qd, by_qdd = force_changes(get(S, j), get(S1, j), get(S2, j), *body)
            i = j
            while i >= 0:
                store_load_change(by_q, o[i], force[0, t, i], moment[0, t, i], j)
                store_load_change(by_qd, o[i], force[1, t, i], moment[1, t, i], j)
                store_load_change(by_qdd, o[i], force[2, t, i], moment[2, t, i], j)
                i = tree.parent[i]
            # an ancestor's coordinate displaces the composite body of j and the joint's own origin with it
            i = tree.parent[j]
            while i >= 0:
                by_q, by_qd, by_qdd = force_changes(get(S, i), get(S1, i), get(S2, i), *body)
                x, y, w = cross(at_point(get(S, i), o[j, 0], o[j, 1], o[j, 2]), (F[j, 3], F[j, 4], F[j, 5]))
                by_q = plus(by_q, (-x, -y, -w, 0.0, 0.0, 0.0))
                store_load_change(by_q, o[j], force[0, t, j], moment[0, t, j], i)
                store_load_change(by_qd, o[j], force[1, t, j], moment[1, t, j], i)
                store_load_change(by_qdd, o[j], force[2, t, j], moment[2, t, j], i)
                i = tree.parent[i]
