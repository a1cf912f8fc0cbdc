"""Compiled forward kinematics in the global frame; one thread, one frame after the other, no allocation per frame.

Spatial quantities are pairs (angular, linear), Featherstone (2008), all in G about one point c that is fixed in G
for the frame: the linear part of a velocity is that of the body-fixed point that passes c. As the position of the first
link with mass, c keeps the numbers small wherever in the laboratory the subject walks.
"""

from __future__ import annotations

import numpy as np

from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.spatial_kernels import at_point, motion_of_parent, on_link


@inlined
def place_links(tree, q, R, p, z, o):
    """Link rotations R (n, 9) by rows and origins p (n, 3), joint axes z and joints' own origins o (n, 3), in G."""
    for j in range(tree.parent.shape[0]):
        k = tree.parent[j]
        if k < 0:
            a00, a01, a02, a10, a11, a12, a20, a21, a22 = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
            x, y, w = 0.0, 0.0, 0.0
        else:
            a00, a01, a02 = R[k, 0], R[k, 1], R[k, 2]
            a10, a11, a12 = R[k, 3], R[k, 4], R[k, 5]
            a20, a21, a22 = R[k, 6], R[k, 7], R[k, 8]
            x, y, w = p[k, 0], p[k, 1], p[k, 2]
        if tree.turned[j]:
            g = tree.origin[j]
            x, y, w = (
                x + a00 * g[9] + a01 * g[10] + a02 * g[11],
                y + a10 * g[9] + a11 * g[10] + a12 * g[11],
                w + a20 * g[9] + a21 * g[10] + a22 * g[11],
            )
            a00, a01, a02 = (
                a00 * g[0] + a01 * g[3] + a02 * g[6],
                a00 * g[1] + a01 * g[4] + a02 * g[7],
                a00 * g[2] + a01 * g[5] + a02 * g[8],
            )
            a10, a11, a12 = (
                a10 * g[0] + a11 * g[3] + a12 * g[6],
                a10 * g[1] + a11 * g[4] + a12 * g[7],
                a10 * g[2] + a11 * g[5] + a12 * g[8],
            )
            a20, a21, a22 = (
                a20 * g[0] + a21 * g[3] + a22 * g[6],
                a20 * g[1] + a21 * g[4] + a22 * g[7],
                a20 * g[2] + a21 * g[5] + a22 * g[8],
            )
        theta, d, a, ca, sa = tree.dh[j, 0], tree.dh[j, 1], tree.dh[j, 2], tree.dh[j, 3], tree.dh[j, 4]
        if tree.revolute[j]:
            theta += q[j]
        else:
            d += q[j]
        c, s = np.cos(theta), np.sin(theta)
        z[j, 0], z[j, 1], z[j, 2] = a02, a12, a22
        o[j, 0], o[j, 1], o[j, 2] = x, y, w
        # columns: x' = c X + s Y; y' = ca (-s X + c Y) + sa Z; z' = -sa (-s X + c Y) + ca Z
        x0, x1, x2 = c * a00 + s * a01, c * a10 + s * a11, c * a20 + s * a21
        y0, y1, y2 = c * a01 - s * a00, c * a11 - s * a10, c * a21 - s * a20
        R[j, 0], R[j, 3], R[j, 6] = x0, x1, x2
        R[j, 1], R[j, 4], R[j, 7] = ca * y0 + sa * a02, ca * y1 + sa * a12, ca * y2 + sa * a22
        R[j, 2], R[j, 5], R[j, 8] = ca * a02 - sa * y0, ca * a12 - sa * y1, ca * a22 - sa * y2
        p[j, 0], p[j, 1], p[j, 2] = x + d * a02 + a * x0, y + d * a12 + a * x1, w + d * a22 + a * x2


@inlined
def refer_to_first_mass(tree, p, o, c):
    """Set c (3,) to the origin of the first massive link, and make all positions relative to it."""
    first = tree.massive[0]
    c[0], c[1], c[2] = p[first, 0], p[first, 1], p[first, 2]
    for j in range(tree.parent.shape[0]):
        for i in range(3):
            p[j, i] -= c[i]
            o[j, i] -= c[i]


@inlined
def move_links(tree, qd, qdd, z, o, base, S, V, A, S1, S2):
    """Joint axes S, link velocities V and accelerations A, and the axes' rates S1, S2, all (n, 6) spatial, about c.

    The base's linear acceleration (3,) is zero, or minus gravity where weight is wanted. S1 = V_parent x S and
    S2 = A_parent x S + V_parent x S1 are the axis' first and second derivative as fixed to the parent.
    """
    for j in range(tree.parent.shape[0]):
        k = tree.parent[j]
        v0, v1, v2, v3, v4, v5, b0, b1, b2, b3, b4, b5 = motion_of_parent(k, base, V, A)
        u, w = qd[j], qdd[j]
        if tree.revolute[j]:
            s0, s1, s2 = z[j, 0], z[j, 1], z[j, 2]
            s3 = o[j, 1] * s2 - o[j, 2] * s1
            s4 = o[j, 2] * s0 - o[j, 0] * s2
            s5 = o[j, 0] * s1 - o[j, 1] * s0
            r0, r1, r2 = v1 * s2 - v2 * s1, v2 * s0 - v0 * s2, v0 * s1 - v1 * s0
            r3 = v1 * s5 - v2 * s4 + v4 * s2 - v5 * s1
            r4 = v2 * s3 - v0 * s5 + v5 * s0 - v3 * s2
            r5 = v0 * s4 - v1 * s3 + v3 * s1 - v4 * s0
            S2[j, 0] = b1 * s2 - b2 * s1 + v1 * r2 - v2 * r1
            S2[j, 1] = b2 * s0 - b0 * s2 + v2 * r0 - v0 * r2
            S2[j, 2] = b0 * s1 - b1 * s0 + v0 * r1 - v1 * r0
            S2[j, 3] = b1 * s5 - b2 * s4 + b4 * s2 - b5 * s1 + v1 * r5 - v2 * r4 + v4 * r2 - v5 * r1
            S2[j, 4] = b2 * s3 - b0 * s5 + b5 * s0 - b3 * s2 + v2 * r3 - v0 * r5 + v5 * r0 - v3 * r2
            S2[j, 5] = b0 * s4 - b1 * s3 + b3 * s1 - b4 * s0 + v0 * r4 - v1 * r3 + v3 * r1 - v4 * r0
            V[j, 0], V[j, 1], V[j, 2] = v0 + s0 * u, v1 + s1 * u, v2 + s2 * u
            A[j, 0], A[j, 1], A[j, 2] = b0 + s0 * w + r0 * u, b1 + s1 * w + r1 * u, b2 + s2 * w + r2 * u
        else:
            s0 = s1 = s2 = r0 = r1 = r2 = 0.0
            s3, s4, s5 = z[j, 0], z[j, 1], z[j, 2]
            r3, r4, r5 = v1 * s5 - v2 * s4, v2 * s3 - v0 * s5, v0 * s4 - v1 * s3
            S2[j, 0] = S2[j, 1] = S2[j, 2] = 0.0
            S2[j, 3] = b1 * s5 - b2 * s4 + v1 * r5 - v2 * r4
            S2[j, 4] = b2 * s3 - b0 * s5 + v2 * r3 - v0 * r5
            S2[j, 5] = b0 * s4 - b1 * s3 + v0 * r4 - v1 * r3
            V[j, 0], V[j, 1], V[j, 2] = v0, v1, v2
            A[j, 0], A[j, 1], A[j, 2] = b0, b1, b2
        V[j, 3], V[j, 4], V[j, 5] = v3 + s3 * u, v4 + s4 * u, v5 + s5 * u
        A[j, 3], A[j, 4], A[j, 5] = b3 + s3 * w + r3 * u, b4 + s4 * w + r4 * u, b5 + s5 * w + r5 * u
        S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5] = s0, s1, s2, s3, s4, s5
        S1[j, 0], S1[j, 1], S1[j, 2], S1[j, 3], S1[j, 4], S1[j, 5] = r0, r1, r2, r3, r4, r5


@kernel
def link_poses_kernel(tree, q, R_out, r_out):
    """Rotations (T, n, 3, 3) and origins (T, n, 3) of all link frames in G."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    for t in range(q.shape[0]):
        place_links(tree, q[t], R, p, z, o)
        for j in range(n):
            for i in range(3):
                r_out[t, j, i] = p[j, i]
                for k in range(3):
                    R_out[t, j, i, k] = R[j, 3 * i + k]


@kernel
def joint_axes_kernel(tree, q, z_out, o_out):
    """Axes (T, n, 3) and own origins (T, n, 3) of all joints in G."""
    n = tree.parent.shape[0]
    R, p = np.empty((n, 9)), np.empty((n, 3))
    for t in range(q.shape[0]):
        place_links(tree, q[t], R, p, z_out[t], o_out[t])


@kernel
def point_motion_kernel(tree, link, point, q, qd, qdd, motion, jacobians):
    """Motion of points on links, and its derivatives.

    Args:
        tree: the constants of the tree.
        link: (m,) joint of the link to which each point is fixed.
        point: (m, 3) in the link frame.
        q, qd, qdd: (T, n).
        motion: out (T, m, 3, 3): position, velocity, acceleration.
        jacobians: out (T, m, 4, 3, n), or (0, ...) to skip: dr/dq = dv/dqd = da/dqdd; dv/dq; da/dq; da/dqd.
    """
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, V, A = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    S1, S2 = np.empty((n, 6)), np.empty((n, 6))
    c, base = np.empty(3), np.zeros(3)
    for t in range(q.shape[0]):
        place_links(tree, q[t], R, p, z, o)
        refer_to_first_mass(tree, p, o, c)
        move_links(tree, qd[t], qdd[t], z, o, base, S, V, A, S1, S2)
        for m in range(link.shape[0]):
            k = link[m]
            x, y, w = on_link(R[k], p[k], point[m])
            v0, v1, v2 = at_point(V[k], x, y, w)
            a0, a1, a2 = at_point(A[k], x, y, w)
            a0 += V[k, 1] * v2 - V[k, 2] * v1
            a1 += V[k, 2] * v0 - V[k, 0] * v2
            a2 += V[k, 0] * v1 - V[k, 1] * v0
            out = motion[t, m]
            out[0, 0], out[0, 1], out[0, 2] = x + c[0], y + c[1], w + c[2]
            out[1, 0], out[1, 1], out[1, 2] = v0, v1, v2
            out[2, 0], out[2, 1], out[2, 2] = a0, a1, a2
            if jacobians.shape[0] == 0:
                continue
            J = jacobians[t, m]
            J[:] = 0.0
            while k >= 0:
                s, r, h = S[k], S1[k], S2[k]
                u0, u1, u2 = at_point(s, x, y, w)
                # rate of the axis at the point, plus the point's own travel: d(dr/dq)/dt
                w0, w1, w2 = s[1] * v2 - s[2] * v1, s[2] * v0 - s[0] * v2, s[0] * v1 - s[1] * v0
                r0, r1, r2 = at_point(r, x, y, w)
                h0, h1, h2 = at_point(h, x, y, w)
                J[0, 0, k], J[0, 1, k], J[0, 2, k] = u0, u1, u2
                J[1, 0, k], J[1, 1, k], J[1, 2, k] = r0 + w0, r1 + w1, r2 + w2
                J[3, 0, k], J[3, 1, k], J[3, 2, k] = 2 * (r0 + w0), 2 * (r1 + w1), 2 * (r2 + w2)
                J[2, 0, k] = h0 + s[1] * a2 - s[2] * a1 + 2 * (r[1] * v2 - r[2] * v1)
                J[2, 1, k] = h1 + s[2] * a0 - s[0] * a2 + 2 * (r[2] * v0 - r[0] * v2)
                J[2, 2, k] = h2 + s[0] * a1 - s[1] * a0 + 2 * (r[0] * v1 - r[1] * v0)
                k = tree.parent[k]
