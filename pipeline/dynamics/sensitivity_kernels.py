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
    dot,
    get,
    inertia_times,
    load_cross,
    plus,
    power,
    put,
    times,
)


@inlined
def spatial_state(tree, q, qd, qdd, base, loads, load_link, in_link, R, p, z, o, c, S, V, A, S1, S2, J, Q, h, F, E):
    """Everything that the sensitivities of one frame need: axes with their rates, and composite bodies."""
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
    """Changes of a composite body's load by q, qd and qdd of a joint with axis s, whose rates are s1 and s2."""
    by_q = plus(plus(inertia_times(J, s2), coriolis(Q, h, s1)), load_cross(s, F))
    if loaded:
        by_q = plus(by_q, transported_load(E, s))
    return by_q, plus(times(2.0, inertia_times(J, s1)), coriolis(Q, h, s)), inertia_times(J, s)


@inlined
def torque_changes(tree, S, S1, S2, J, Q, h, F, loaded, E, W, dq, dqd, dqdd):
    """Fill the derivatives of one frame's generalised forces, (n, n).

    Also fill W (n, 3, 6): derivatives of each composite body's load by q, qd and qdd of its own joint.
    """
    dq[:] = 0.0
    dqd[:] = 0.0
    dqdd[:] = 0.0
    for j in range(tree.parent.shape[0] - 1, -1, -1):
        s = get(S, j)
        by_q, by_qd, u = force_changes(s, get(S1, j), get(S2, j), J[j], Q[j], h[j], F[j], loaded, E[j])
        put(W[j], 0, by_q)
        put(W[j], 1, by_qd)
        put(W[j], 2, u)
        w = transposed_coriolis(Q[j], h[j], s)
        e = transposed_load(E[j], s) if loaded else times(0.0, s)
        i = j
        while i >= 0:
            s, r = get(S, i), get(S1, i)
            dtau = power(u, get(S2, i)) + dot(w, r) + power(e, s)
            rate, mass = 2 * power(u, r) + dot(w, s), power(u, s)
            dq[i, j], dq[j, i] = power(by_q, s), dtau
            dqd[i, j], dqd[j, i] = power(by_qd, s), rate
            dqdd[i, j], dqdd[j, i] = mass, mass
            i = tree.parent[i]


@kernel
def sensitivity_kernel(tree, q, qd, qdd, gravity, load_link, loads, in_link, dq, dqd, dqdd):
    """Fill the derivatives (T, n, n) of the generalised forces; return the first non-finite frame, or -1."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, V, A = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    S1, S2, F = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    J, Q, h, E = np.empty((n, 10)), np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 15))
    W, c, base = np.empty((n, 3, 6)), np.empty(3), -gravity
    loaded = load_link.shape[0] > 0
    for t in range(q.shape[0]):
        if not is_finite_frame(q[t], qd[t], qdd[t]):
            return t
        spatial_state(
            tree, q[t], qd[t], qdd[t], base, loads[t], load_link, in_link,
            R, p, z, o, c, S, V, A, S1, S2, J, Q, h, F, E,
        )  # fmt: skip
        torque_changes(tree, S, S1, S2, J, Q, h, F, loaded, E, W, dq[t], dqd[t], dqdd[t])
    return -1
