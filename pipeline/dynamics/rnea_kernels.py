"""Compiled recursive Newton-Euler algorithm in G."""

from __future__ import annotations

import numpy as np

from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.pose_kernels import place_links, refer_to_first_mass
from pipeline.skeleton.spatial_kernels import at_point, motion_of_parent, on_link


@inlined
def move_links_only(tree, qd, qdd, z, o, base, V, A):
    """Link velocities V and accelerations A (n, 6), spatial, about the reference point; see `move_links`."""
    for j in range(tree.parent.shape[0]):
        k = tree.parent[j]
        v0, v1, v2, v3, v4, v5, b0, b1, b2, b3, b4, b5 = motion_of_parent(k, base, V, A)
        u, w = qd[j], qdd[j]
        s0, s1, s2 = z[j, 0], z[j, 1], z[j, 2]
        if tree.revolute[j]:
            s3 = o[j, 1] * s2 - o[j, 2] * s1
            s4 = o[j, 2] * s0 - o[j, 0] * s2
            s5 = o[j, 0] * s1 - o[j, 1] * s0
            A[j, 0] = b0 + s0 * w + (v1 * s2 - v2 * s1) * u
            A[j, 1] = b1 + s1 * w + (v2 * s0 - v0 * s2) * u
            A[j, 2] = b2 + s2 * w + (v0 * s1 - v1 * s0) * u
            A[j, 3] = b3 + s3 * w + (v1 * s5 - v2 * s4 + v4 * s2 - v5 * s1) * u
            A[j, 4] = b4 + s4 * w + (v2 * s3 - v0 * s5 + v5 * s0 - v3 * s2) * u
            A[j, 5] = b5 + s5 * w + (v0 * s4 - v1 * s3 + v3 * s1 - v4 * s0) * u
            V[j, 0], V[j, 1], V[j, 2] = v0 + s0 * u, v1 + s1 * u, v2 + s2 * u
            V[j, 3], V[j, 4], V[j, 5] = v3 + s3 * u, v4 + s4 * u, v5 + s5 * u
        else:
            A[j, 0], A[j, 1], A[j, 2] = b0, b1, b2
            A[j, 3] = b3 + s0 * w + (v1 * s2 - v2 * s1) * u
            A[j, 4] = b4 + s1 * w + (v2 * s0 - v0 * s2) * u
            A[j, 5] = b5 + s2 * w + (v0 * s1 - v1 * s0) * u
            V[j, 0], V[j, 1], V[j, 2] = v0, v1, v2
            V[j, 3], V[j, 4], V[j, 5] = v3 + s0 * u, v4 + s1 * u, v5 + s2 * u


@inlined
def load_on_links(loads, load_link, c, F):
    """Subtract external loads from the links' forces F (n, 6): moment about c, then force.

    The rows of ``loads`` (m, 9) are force, moment and point of application, in G.
    """
    for m in range(load_link.shape[0]):
        j, e = load_link[m], loads[m]
        x, y, w = e[6] - c[0], e[7] - c[1], e[8] - c[2]
        F[j, 0] -= e[3] + y * e[2] - w * e[1]
        F[j, 1] -= e[4] + w * e[0] - x * e[2]
        F[j, 2] -= e[5] + x * e[1] - y * e[0]
        F[j, 3] -= e[0]
        F[j, 4] -= e[1]
        F[j, 5] -= e[2]


@inlined
def is_finite_frame(q, qd, qdd):
    """Whether all coordinates and rates of one frame are finite."""
    total = 0.0
    for j in range(q.shape[0]):
        total += 0.0 * (q[j] + qd[j] + qdd[j])  # 0 x NaN and 0 x infinity are NaN
    return total == 0.0


@kernel
def rnea_kernel(tree, q, qd, qdd, gravity, load_link, loads, tau, force, moment):
    """Fill tau (T, n), force (T, n, 3) and moment (T, n, 3); return the first frame with a non-finite state, or -1.

    Args:
        tree: the constants of the tree.
        q, qd, qdd: (T, n).
        gravity: (3,) acceleration in G.
        load_link: (m,) joint of the link on which each external load acts.
        loads: (T, m, 9) force, moment, point in G.
    """
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    V, A, F = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    c, base = np.empty(3), -gravity
    for t in range(q.shape[0]):
        if not is_finite_frame(q[t], qd[t], qdd[t]):
            return t
        place_links(tree, q[t], R, p, z, o)
        refer_to_first_mass(tree, p, o, c)
        move_links_only(tree, qd[t], qdd[t], z, o, base, V, A)
        F[:] = 0.0
        for i in range(tree.massive.shape[0]):
            j = tree.massive[i]
            m, g, h = tree.mass[j], tree.com[j], tree.inertia[j]
            r0, r1, r2 = R[j, 0], R[j, 1], R[j, 2]
            r3, r4, r5 = R[j, 3], R[j, 4], R[j, 5]
            r6, r7, r8 = R[j, 6], R[j, 7], R[j, 8]
            v0, v1, v2 = V[j, 0], V[j, 1], V[j, 2]
            a0, a1, a2 = A[j, 0], A[j, 1], A[j, 2]
            x, y, w = on_link(R[j], p[j], g)
            # acceleration of the centre of mass: a + alpha x r + omega x (v + omega x r)
            u0, u1, u2 = at_point(V[j], x, y, w)
            b0, b1, b2 = at_point(A[j], x, y, w)
            f0, f1, f2 = m * (b0 + v1 * u2 - v2 * u1), m * (b1 + v2 * u0 - v0 * u2), m * (b2 + v0 * u1 - v1 * u0)
            # Euler's equation in the link frame, where the inertia is constant
            l0, l1, l2 = r0 * v0 + r3 * v1 + r6 * v2, r1 * v0 + r4 * v1 + r7 * v2, r2 * v0 + r5 * v1 + r8 * v2
            k0, k1, k2 = r0 * a0 + r3 * a1 + r6 * a2, r1 * a0 + r4 * a1 + r7 * a2, r2 * a0 + r5 * a1 + r8 * a2
            h0 = h[0] * l0 + h[3] * l1 + h[4] * l2
            h1 = h[3] * l0 + h[1] * l1 + h[5] * l2
            h2 = h[4] * l0 + h[5] * l1 + h[2] * l2
            n0 = h[0] * k0 + h[3] * k1 + h[4] * k2 + l1 * h2 - l2 * h1
            n1 = h[3] * k0 + h[1] * k1 + h[5] * k2 + l2 * h0 - l0 * h2
            n2 = h[4] * k0 + h[5] * k1 + h[2] * k2 + l0 * h1 - l1 * h0
            F[j, 0] = r0 * n0 + r1 * n1 + r2 * n2 + y * f2 - w * f1
            F[j, 1] = r3 * n0 + r4 * n1 + r5 * n2 + w * f0 - x * f2
            F[j, 2] = r6 * n0 + r7 * n1 + r8 * n2 + x * f1 - y * f0
            F[j, 3], F[j, 4], F[j, 5] = f0, f1, f2
        load_on_links(loads[t], load_link, c, F)
        for j in range(n - 1, -1, -1):
            k = tree.parent[j]
            n0, n1, n2, f0, f1, f2 = F[j, 0], F[j, 1], F[j, 2], F[j, 3], F[j, 4], F[j, 5]
            if k >= 0:
                F[k, 0] += n0
                F[k, 1] += n1
                F[k, 2] += n2
                F[k, 3] += f0
                F[k, 4] += f1
                F[k, 5] += f2
            x, y, w = o[j, 0], o[j, 1], o[j, 2]
            n0 -= y * f2 - w * f1
            n1 -= w * f0 - x * f2
            n2 -= x * f1 - y * f0
            force[t, j, 0], force[t, j, 1], force[t, j, 2] = f0, f1, f2
            moment[t, j, 0], moment[t, j, 1], moment[t, j, 2] = n0, n1, n2
            if tree.revolute[j]:
                tau[t, j] = z[j, 0] * n0 + z[j, 1] * n1 + z[j, 2] * n2
            else:
                tau[t, j] = z[j, 0] * f0 + z[j, 1] * f1 + z[j, 2] * f2
    return -1
