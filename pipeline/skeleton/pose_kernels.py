"""Compiled forward kinematics in the global frame; single-threaded, frame by frame, no allocation per frame.

Spatial quantities are pairs (angular, linear), Featherstone (2008), all in G about one point c that is fixed in G
for the frame: the linear part of a velocity is that of the body-fixed point that passes c. The point c is the position
of the first link with mass, which keeps the numbers small wherever in the laboratory the subject walks.
"""

from __future__ import annotations

import numpy as np

from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.spatial_kernels import (
    at_point,
    cross,
    dot,
    get,
    joint_motion,
    motion_cross,
    motion_of_parent,
    on_link,
    plus,
    plus3,
    put,
    times,
)


@inlined
def times_rotation(a, g):
    """A row (3) of a rotation times the rotation g (9,) by rows."""
    return (
        a[0] * g[0] + a[1] * g[3] + a[2] * g[6],
        a[0] * g[1] + a[1] * g[4] + a[2] * g[7],
        a[0] * g[2] + a[1] * g[5] + a[2] * g[8],
    )


@inlined
def turned_row(a, c, s, ca, sa):
    """A row (3) of a rotation times Rz(theta) Rx(alpha), from the cosines and sines of both."""
    x, y = c * a[0] + s * a[1], c * a[1] - s * a[0]
    return x, ca * y + sa * a[2], ca * a[2] - sa * y


@inlined
def place_links(tree, q, R, p, z, o):
    """Link rotations R (n, 9) by rows and origins p (n, 3), joint axes z and joints' own origins o (n, 3), in G."""
    for j in range(tree.parent.shape[0]):
        k = tree.parent[j]
        if k < 0:
            a0, a1, a2 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
            x, y, w = 0.0, 0.0, 0.0
        else:
            a0, a1, a2 = (R[k, 0], R[k, 1], R[k, 2]), (R[k, 3], R[k, 4], R[k, 5]), (R[k, 6], R[k, 7], R[k, 8])
            x, y, w = p[k, 0], p[k, 1], p[k, 2]
        if tree.turned[j]:
            g = tree.origin[j]
            at = g[9], g[10], g[11]
            x, y, w = x + dot(a0, at), y + dot(a1, at), w + dot(a2, at)
            a0, a1, a2 = times_rotation(a0, g), times_rotation(a1, g), times_rotation(a2, g)
        theta, d, a, ca, sa = tree.dh[j, 0], tree.dh[j, 1], tree.dh[j, 2], tree.dh[j, 3], tree.dh[j, 4]
        if tree.revolute[j]:
            theta += q[j]
        else:
            d += q[j]
        c, s = np.cos(theta), np.sin(theta)
        R[j, 0], R[j, 1], R[j, 2] = turned_row(a0, c, s, ca, sa)
        R[j, 3], R[j, 4], R[j, 5] = turned_row(a1, c, s, ca, sa)
        R[j, 6], R[j, 7], R[j, 8] = turned_row(a2, c, s, ca, sa)
        z[j, 0], z[j, 1], z[j, 2] = a0[2], a1[2], a2[2]
        o[j, 0], o[j, 1], o[j, 2] = x, y, w
        p[j, 0] = x + d * a0[2] + a * R[j, 0]
        p[j, 1] = y + d * a1[2] + a * R[j, 3]
        p[j, 2] = w + d * a2[2] + a * R[j, 6]


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

    The base's linear acceleration (3,) is zero, or minus gravity if weight is to be included. S1 = V_parent x S and
    S2 = A_parent x S + V_parent x S1 are the axis' first and second derivatives as if fixed to the parent.
    """
    for j in range(tree.parent.shape[0]):
        v, a = motion_of_parent(tree.parent[j], base, V, A)
        s = joint_motion(tree, j, z, o[j, 0], o[j, 1], o[j, 2])
        r = motion_cross(v, s)
        put(S, j, s)
        put(S1, j, r)
        put(S2, j, plus(motion_cross(a, s), motion_cross(v, r)))
        put(V, j, plus(v, times(qd[j], s)))
        put(A, j, plus(a, plus(times(qdd[j], s), times(qd[j], r))))


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
            turn, turn_rate = get(V, k), get(A, k)
            v = at_point(turn, x, y, w)
            a = plus3(at_point(turn_rate, x, y, w), cross(turn, v))
            out = motion[t, m]
            out[0, 0], out[0, 1], out[0, 2] = x + c[0], y + c[1], w + c[2]
            out[1, 0], out[1, 1], out[1, 2] = v
            out[2, 0], out[2, 1], out[2, 2] = a
            if jacobians.shape[0] == 0:
                continue
            J = jacobians[t, m]
            J[:] = 0.0
            while k >= 0:
                s, r = get(S, k), get(S1, k)
                # rate of the axis at the point, plus the point's own motion: d(dr/dq)/dt
                rate = plus3(at_point(r, x, y, w), cross(s, v))
                twice = cross(times(2.0, r), v)
                J[0, 0, k], J[0, 1, k], J[0, 2, k] = at_point(s, x, y, w)
                J[1, 0, k], J[1, 1, k], J[1, 2, k] = rate
                J[2, 0, k], J[2, 1, k], J[2, 2, k] = plus3(at_point(get(S2, k), x, y, w), plus3(cross(s, a), twice))
                J[3, 0, k], J[3, 1, k], J[3, 2, k] = plus3(rate, rate)
                k = tree.parent[k]
