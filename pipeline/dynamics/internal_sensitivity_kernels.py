"""Compiled analytic sensitivities of the internal joint loads, with those of the generalised forces.

The load of joint j changes with the coordinate of a joint below it as that joint's composite body is displaced, and
with that of a joint above it as the composite body of j is, and its own origin with it: 18 numbers for every pair of
joints. A joint without mass that shares its place with the next one passes on its load, and so its row.
"""

from __future__ import annotations

import numpy as np

from pipeline.dynamics.rnea_kernels import is_finite_frame
from pipeline.dynamics.sensitivity_kernels import force_changes, spatial_state, torque_changes
from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.spatial_kernels import at_point, cross, get, plus

SAME_PLACE = 1e-14
"""m; origins that are so near are one."""


@inlined
def store(change, o, out, first):
    """Write a change of (moment about c, force) as force and moment about o into six entries of ``out``."""
    f = change[3], change[4], change[5]
    x, y, w = cross(o, f)
    out[first], out[first + 1], out[first + 2] = f
    out[first + 3], out[first + 4], out[first + 5] = change[0] - x, change[1] - y, change[2] - w


@inlined
def passes_on(j, k, S, J, Q, h, F, loaded, E, o):
    """Whether joint j passes on the load of its child k as it is: a hinge at one point with it, and no mass between."""
    turns = S[j, 0] != 0.0 or S[j, 1] != 0.0 or S[j, 2] != 0.0
    apart = abs(o[j, 0] - o[k, 0]) + abs(o[j, 1] - o[k, 1]) + abs(o[j, 2] - o[k, 2])
    same = turns and apart <= SAME_PLACE
    for i in range(10):
        same = same and J[j, i] == J[k, i]
    for i in range(9):
        same = same and Q[j, i] == Q[k, i]
    for i in range(3):
        same = same and h[j, i] == h[k, i]
    for i in range(6):
        same = same and F[j, i] == F[k, i]
    if loaded:
        for i in range(15):
            same = same and E[j, i] == E[k, i]
    return same


@kernel
def internal_sensitivity_kernel(tree, q, qd, qdd, gravity, load_link, loads, in_link, dq, dqd, dqdd, wanted, out):
    """Fill the derivatives (T, n, n) of the generalised forces, and (T, m, n, 18), by q, qd and qdd, of the internal
    force and moment of the joints ``wanted`` (m,), in ascending order; return the first non-finite frame, or -1."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, V, A = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    S1, S2, F = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    J, Q, h, E = np.empty((n, 10)), np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 15))
    W = np.empty((n, 3, 6))
    under, child, row_of = np.empty(n, np.bool_), np.empty(n, np.int64), np.empty(n, np.int64)
    c, base = np.empty(3), -gravity
    loaded = load_link.shape[0] > 0
    for j in range(n):
        child[j], row_of[j] = -1, -1
    for j in range(n):
        if tree.parent[j] >= 0:
            child[tree.parent[j]] = j
    for row in range(wanted.shape[0]):
        row_of[wanted[row]] = row
    for t in range(q.shape[0]):
        if not is_finite_frame(q[t], qd[t], qdd[t]):
            return t
        spatial_state(
            tree, q[t], qd[t], qdd[t], base, loads[t], load_link, in_link,
            R, p, z, o, c, S, V, A, S1, S2, J, Q, h, F, E,
        )  # fmt: skip
        torque_changes(tree, S, S1, S2, J, Q, h, F, loaded, E, W, dq[t], dqd[t], dqdd[t])
        for row in range(wanted.shape[0] - 1, -1, -1):
            j = wanted[row]
            k, here = child[j], out[t, row]
            if k >= 0 and row_of[k] >= 0 and passes_on(j, k, S, J, Q, h, F, loaded, E, o):
                here[:] = out[t, row_of[k]]
                continue
            here[:j] = 0.0  # joints above write theirs below
            for i in range(j, n):
                under[i] = i == j or (tree.parent[i] >= j and under[tree.parent[i]])
                if not under[i]:
                    here[i] = 0.0
                else:
                    for by in range(3):
                        store(get(W[i], by), o[j], here[i], 6 * by)
            i = tree.parent[j]
            while i >= 0:
                one, two, three = force_changes(get(S, i), get(S1, i), get(S2, i), J[j], Q[j], h[j], F[j], loaded, E[j])
                x, y, w = cross(at_point(get(S, i), o[j, 0], o[j, 1], o[j, 2]), (F[j, 3], F[j, 4], F[j, 5]))
                store(plus(one, (-x, -y, -w, 0.0, 0.0, 0.0)), o[j], here[i], 0)
                store(two, o[j], here[i], 6)
                store(three, o[j], here[i], 12)
                i = tree.parent[i]
    return -1
