"""Compiled analytic sensitivities of the recursive Newton-Euler algorithm; derivation in `sensitivities`."""

from __future__ import annotations

import numpy as np

from pipeline.dynamics.composite_kernels import (
    add_coriolis,
    add_to_parents,
    add_transported_load,
    add_turned_force,
    inertia_times,
    link_forces,
    link_inertias,
    load_transport,
)
from pipeline.dynamics.rnea_kernels import is_finite_frame, load_on_links
from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.pose_kernels import move_links, place_links, refer_to_first_mass


@inlined
def spatial_state(tree, q, qd, qdd, base, loads, load_link, in_link, R, p, z, o, c, S, V, A, S1, S2, J, Q, h, F, E):
    """Everything about one frame that the sensitivities are made of: axes with rates, and composite bodies."""
    place_links(tree, q, R, p, z, o)
    refer_to_first_mass(tree, p, o, c)
    move_links(tree, qd, qdd, z, o, base, S, V, A, S1, S2)
    link_inertias(tree, R, p, J)
    link_forces(tree, J, V, A, Q, h, F)
    load_on_links(loads, load_link, c, F)
    add_to_parents(tree, J)
    add_to_parents(tree, Q)
    add_to_parents(tree, h)
    add_to_parents(tree, F)
    if load_link.shape[0] > 0:
        load_transport(loads, load_link, c, in_link, E)
        add_to_parents(tree, E)


@inlined
def force_changes(tree, j, loaded, S, S1, S2, J, Q, h, F, E, by_q, by_qd, by_qdd):
    """Changes (6) of the internal load of joint j, and of every ancestor, with its own coordinate and its rates."""
    inertia_times(J[j], S2[j], by_q)
    add_coriolis(Q[j], h[j], S1[j], by_q)
    add_turned_force(F[j], S[j], by_q)
    if loaded:
        add_transported_load(E[j], S[j], by_q)
    inertia_times(J[j], S1[j], by_qd)
    for i in range(6):
        by_qd[i] *= 2.0
    add_coriolis(Q[j], h[j], S[j], by_qd)
    inertia_times(J[j], S[j], by_qdd)


@kernel
def sensitivity_kernel(tree, q, qd, qdd, gravity, load_link, loads, in_link, dq, dqd, dqdd):
    """Fill the derivatives (T, n, n) of the generalised forces; return the first non-finite frame, or -1."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, V, A = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    S1, S2, F = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    J, Q, h, E = np.empty((n, 10)), np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 15))
    by_q, by_qd, u, e = np.empty(6), np.empty(6), np.empty(6), np.empty(6)
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
            force_changes(tree, j, loaded, S, S1, S2, J, Q, h, F, E, by_q, by_qd, u)
            s, b = S[j], Q[j]
            # transpose of B on the axis: 2 (tr(Q) w - Q^T w + h x v)
            trace = b[0] + b[4] + b[8]
            w0 = 2 * (trace * s[0] - b[0] * s[0] - b[3] * s[1] - b[6] * s[2] + h[j, 1] * s[5] - h[j, 2] * s[4])
            w1 = 2 * (trace * s[1] - b[1] * s[0] - b[4] * s[1] - b[7] * s[2] + h[j, 2] * s[3] - h[j, 0] * s[5])
            w2 = 2 * (trace * s[2] - b[2] * s[0] - b[5] * s[1] - b[8] * s[2] + h[j, 0] * s[4] - h[j, 1] * s[3])
            if loaded:
                g = E[j]
                e[0] = g[0] * s[0] + g[3] * s[1] + g[6] * s[2] + g[13] * s[5] - g[14] * s[4]
                e[1] = g[1] * s[0] + g[4] * s[1] + g[7] * s[2] + g[14] * s[3] - g[12] * s[5]
                e[2] = g[2] * s[0] + g[5] * s[1] + g[8] * s[2] + g[12] * s[4] - g[13] * s[3]
                e[3] = g[10] * s[2] - g[11] * s[1]
                e[4] = g[11] * s[0] - g[9] * s[2]
                e[5] = g[9] * s[1] - g[10] * s[0]
            u0, u1, u2, u3, u4, u5 = u[0], u[1], u[2], u[3], u[4], u[5]
            a0, a1, a2, a3, a4, a5 = by_q[0], by_q[1], by_q[2], by_q[3], by_q[4], by_q[5]
            b0, b1, b2, b3, b4, b5 = by_qd[0], by_qd[1], by_qd[2], by_qd[3], by_qd[4], by_qd[5]
            i = j
            while i >= 0:
                s0, s1, s2, s3, s4, s5 = S[i, 0], S[i, 1], S[i, 2], S[i, 3], S[i, 4], S[i, 5]
                r0, r1, r2, r3, r4, r5 = S1[i, 0], S1[i, 1], S1[i, 2], S1[i, 3], S1[i, 4], S1[i, 5]
                dtau = u0 * S2[i, 0] + u1 * S2[i, 1] + u2 * S2[i, 2] + u3 * S2[i, 3] + u4 * S2[i, 4] + u5 * S2[i, 5]
                dtau += w0 * r0 + w1 * r1 + w2 * r2
                rate = 2 * (u0 * r0 + u1 * r1 + u2 * r2 + u3 * r3 + u4 * r4 + u5 * r5) + w0 * s0 + w1 * s1 + w2 * s2
                mass = u0 * s0 + u1 * s1 + u2 * s2 + u3 * s3 + u4 * s4 + u5 * s5
                dq_ij = a0 * s0 + a1 * s1 + a2 * s2 + a3 * s3 + a4 * s4 + a5 * s5
                dqd_ij = b0 * s0 + b1 * s1 + b2 * s2 + b3 * s3 + b4 * s4 + b5 * s5
                if loaded:
                    dtau += e[0] * s0 + e[1] * s1 + e[2] * s2 + e[3] * s3 + e[4] * s4 + e[5] * s5
                dq[t, i, j], dq[t, j, i] = dq_ij, dtau
                dqd[t, i, j], dqd[t, j, i] = dqd_ij, rate
                dqdd[t, i, j], dqdd[t, j, i] = mass, mass
                i = tree.parent[i]
    return -1


@inlined
def store_load_change(change, o, row_force, row_moment, column):
    """Write a change of (moment about c, force) as force and moment about o into one column of (3, n) rows."""
    f0, f1, f2 = change[3], change[4], change[5]
    row_force[0, column], row_force[1, column], row_force[2, column] = f0, f1, f2
    row_moment[0, column] = change[0] - o[1] * f2 + o[2] * f1
    row_moment[1, column] = change[1] - o[2] * f0 + o[0] * f2
    row_moment[2, column] = change[2] - o[0] * f1 + o[1] * f0


@kernel
def internal_sensitivity_kernel(tree, q, qd, qdd, gravity, load_link, loads, in_link, force, moment):
    """Fill the derivatives (3, T, n, 3, n) of internal forces and moments by q, qd and qdd."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, V, A = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    S1, S2, F = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    J, Q, h, E = np.empty((n, 10)), np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 15))
    by_q, by_qd, by_qdd = np.empty(6), np.empty(6), np.empty(6)
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
            force_changes(tree, j, loaded, S, S1, S2, J, Q, h, F, E, by_q, by_qd, by_qdd)
            i = j
            while i >= 0:
                store_load_change(by_q, o[i], force[0, t, i], moment[0, t, i], j)
                store_load_change(by_qd, o[i], force[1, t, i], moment[1, t, i], j)
                store_load_change(by_qdd, o[i], force[2, t, i], moment[2, t, i], j)
                i = tree.parent[i]
            # an ancestor's coordinate displaces the composite body of j and the joint's own origin with it
            i = tree.parent[j]
            while i >= 0:
                s, f = S[i], F[j]
                inertia_times(J[j], S2[i], by_q)
                add_coriolis(Q[j], h[j], S1[i], by_q)
                add_turned_force(f, s, by_q)
                if loaded:
                    add_transported_load(E[j], s, by_q)
                x = s[3] + s[1] * o[j, 2] - s[2] * o[j, 1]
                y = s[4] + s[2] * o[j, 0] - s[0] * o[j, 2]
                w = s[5] + s[0] * o[j, 1] - s[1] * o[j, 0]
                by_q[0] -= y * f[5] - w * f[4]
                by_q[1] -= w * f[3] - x * f[5]
                by_q[2] -= x * f[4] - y * f[3]
                inertia_times(J[j], S1[i], by_qd)
                for k in range(6):
                    by_qd[k] *= 2.0
                add_coriolis(Q[j], h[j], s, by_qd)
                inertia_times(J[j], s, by_qdd)
                store_load_change(by_q, o[j], force[0, t, j], moment[0, t, j], i)
                store_load_change(by_qd, o[j], force[1, t, j], moment[1, t, j], i)
                store_load_change(by_qdd, o[j], force[2, t, j], moment[2, t, j], i)
                i = tree.parent[i]
