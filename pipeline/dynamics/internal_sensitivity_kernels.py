"""Compiled analytic sensitivities of the internal joint loads, together with those of the generalised forces.

The load of joint j depends on the coordinate of a joint below it through the displacement of that joint's composite
body. It depends on the coordinate of a joint above it through the displacement of its own composite body and its own
origin. That makes 18 numbers for every pair of joints. Those by the joints above are one linear function of their
motions, which is set up once per joint.
"""

from __future__ import annotations

import numpy as np

from pipeline.dynamics.composite_kernels import coriolis, transported_load
from pipeline.dynamics.rnea_kernels import is_finite_frame
from pipeline.dynamics.sensitivity_kernels import spatial_state, torque_changes
from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.spatial_kernels import at_point, cross, get, inertia_times, load_cross, plus


@kernel
def load_rows(tree, load_link, wanted):
    """The joints that bear the distinct loads of ``wanted`` (m,), ascending, and for each of ``wanted`` its row.

    A hinge with no mass and no external load on its link, and with one child that turns about the same point, has the
    force and moment of that child: the three hinges of a ball joint transmit one load.
    """
    n = tree.parent.shape[0]
    children, child, bearer = np.zeros(n, np.int64), np.zeros(n, np.int64), np.arange(n)
    for j in range(n):
        if tree.parent[j] >= 0:
            children[tree.parent[j]] += 1
            child[tree.parent[j]] = j
    for j in range(n - 1, -1, -1):
        k = child[j]
        if tree.revolute[j] and children[j] == 1 and tree.mass[j] == 0.0 and not np.any(tree.inertia[j]):
            apart = tree.dh[j, 1] != 0.0 or tree.dh[j, 2] != 0.0 or np.any(tree.origin[k, 9:] != 0.0)
            if not apart and not np.any(load_link == j):
                bearer[j] = bearer[k]
    bears = np.zeros(n, np.bool_)
    bears[bearer[wanted]] = True
    return np.flatnonzero(bears), (np.cumsum(bears) - 1)[bearer[wanted]]


@kernel
def links_below(tree, wanted):
    """Whether each of the joints ``wanted`` (r,) moves each link (r, n): its own and those of the joints below."""
    n = tree.parent.shape[0]
    below = np.zeros((wanted.shape[0], n), np.bool_)
    for row in range(wanted.shape[0]):
        below[row, wanted[row]] = True
        for i in range(wanted[row] + 1, n):
            below[row, i] = tree.parent[i] >= 0 and below[row, tree.parent[i]]
    return below


@inlined
def store(change, o, out, first):
    """Write a change of (moment about c, force) as force and moment about o into six entries of ``out``."""
    f = change[3], change[4], change[5]
    x, y, w = cross(o, f)
    out[first], out[first + 1], out[first + 2] = f
    out[first + 3], out[first + 4], out[first + 5] = change[0] - x, change[1] - y, change[2] - w


@inlined
def changes_by_motion(J, Q, h, F, loaded, E, o, units, M):
    """Set M (6, 18) to the changes of a composite body's load, about o, per unit of each coordinate of a motion S.

    The changes by q, qd and qdd are L S + B S' + I S'', B S + 2 I S' and I S; row k of M has column k of L, B and I.
    """
    f = F[3], F[4], F[5]
    for k in range(6):
        s = get(units, k)
        x, y, w = cross(at_point(s, o[0], o[1], o[2]), f)  # the origin moves too, so its moment arm changes
        turned = plus(load_cross(s, F), (-x, -y, -w, 0.0, 0.0, 0.0))
        store(plus(turned, transported_load(E, s)) if loaded else turned, o, M[k], 0)
        store(coriolis(Q, h, s), o, M[k], 6)
        store(inertia_times(J, s), o, M[k], 12)


@inlined
def apply_changes(M, s, s1, s2, out):
    """Write the changes by q, qd and qdd (18,) for a motion S with its rates S' and S''."""
    for e in range(6):
        out[e] = (
            M[0, e] * s[0] + M[1, e] * s[1] + M[2, e] * s[2] + M[3, e] * s[3] + M[4, e] * s[4] + M[5, e] * s[5]
            + M[0, e + 6] * s1[0] + M[1, e + 6] * s1[1] + M[2, e + 6] * s1[2]
            + M[0, e + 12] * s2[0] + M[1, e + 12] * s2[1] + M[2, e + 12] * s2[2]
            + M[3, e + 12] * s2[3] + M[4, e + 12] * s2[4] + M[5, e + 12] * s2[5]
        )  # fmt: skip
    for e in range(6):
        out[e + 6] = M[0, e + 6] * s[0] + M[1, e + 6] * s[1] + M[2, e + 6] * s[2] + 2.0 * (
            M[0, e + 12] * s1[0] + M[1, e + 12] * s1[1] + M[2, e + 12] * s1[2]
            + M[3, e + 12] * s1[3] + M[4, e + 12] * s1[4] + M[5, e + 12] * s1[5]
        )  # fmt: skip
    for e in range(6):
        out[e + 12] = (
            M[0, e + 12] * s[0] + M[1, e + 12] * s[1] + M[2, e + 12] * s[2]
            + M[3, e + 12] * s[3] + M[4, e + 12] * s[4] + M[5, e + 12] * s[5]
        )  # fmt: skip


@kernel
def internal_sensitivity_kernel(tree, q, qd, qdd, gravity, load_link, loads, in_link, dq, dqd, dqdd, wanted, out):
    """Fill the derivatives of the generalised forces and of internal loads; return the first non-finite frame, or -1.

    Args:
        dq, dqd, dqdd: out (T, n, n), of the generalised forces.
        wanted: (r,) joints whose internal loads are differentiated.
        out: out (T, r, n, 18), of their internal force and moment, by q, qd and qdd.
    """
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, V, A = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    S1, S2, F = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    J, Q, h, E = np.empty((n, 10)), np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 15))
    W, M = np.empty((n, 3, 6)), np.empty((6, 18))
    c, base, units, below = np.empty(3), -gravity, np.eye(6), links_below(tree, wanted)
    loaded = load_link.shape[0] > 0
    for t in range(q.shape[0]):
        if not is_finite_frame(q[t], qd[t], qdd[t]):
            return t
        spatial_state(
            tree, q[t], qd[t], qdd[t], base, loads[t], load_link, in_link,
            R, p, z, o, c, S, V, A, S1, S2, J, Q, h, F, E,
        )  # fmt: skip
        torque_changes(tree, S, S1, S2, J, Q, h, F, loaded, E, W, dq[t], dqd[t], dqdd[t])
        for row in range(wanted.shape[0]):
            j, here = wanted[row], out[t, row]
            here[:j] = 0.0  # entries of the joints above are written below
            for i in range(j, n):
                if below[row, i]:
                    for by in range(3):
                        store(get(W[i], by), o[j], here[i], 6 * by)
                else:
                    here[i] = 0.0
            i = tree.parent[j]
            if i >= 0:
                changes_by_motion(J[j], Q[j], h[j], F[j], loaded, E[j], o[j], units, M)
            while i >= 0:
                apply_changes(M, get(S, i), get(S1, i), get(S2, i), here[i])
                i = tree.parent[i]
    return -1
