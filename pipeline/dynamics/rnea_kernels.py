"""Compiled recursive Newton-Euler algorithm in G."""

from __future__ import annotations

import numpy as np

from pipeline.dynamics.composite_kernels import link_forces, link_inertias
from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.pose_kernels import place_links, refer_to_first_mass
from pipeline.skeleton.spatial_kernels import (
    cross,
    get,
    joint_motion,
    motion_cross,
    motion_of_parent,
    plus,
    power,
    put,
    times,
)


@inlined
def move_links_only(tree, qd, qdd, z, o, base, V, A):
    """Link velocities V and accelerations A (n, 6), spatial, about the reference point; see `move_links`."""
    for j in range(tree.parent.shape[0]):
        v, a = motion_of_parent(tree.parent[j], base, V, A)
        s = joint_motion(tree, j, z, o[j, 0], o[j, 1], o[j, 2])
        put(V, j, plus(v, times(qd[j], s)))
        put(A, j, plus(a, plus(times(qdd[j], s), times(qd[j], motion_cross(v, s)))))


@inlined
def load_on_links(loads, load_link, c, F):
    """Subtract external loads from the links' forces F (n, 6): moment about c, then force.

    The rows of ``loads`` (m, 9) are force, moment and point of application, in G.
    """
    for m in range(load_link.shape[0]):
        j, e = load_link[m], loads[m]
        x, y, w = e[6] - c[0], e[7] - c[1], e[8] - c[2]
        n0, n1, n2 = cross((x, y, w), e)
        put(F, j, plus(get(F, j), (-e[3] - n0, -e[4] - n1, -e[5] - n2, -e[0], -e[1], -e[2])))


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
    V, A, F, J = np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 10))
    c, base = np.empty(3), -gravity
    for t in range(q.shape[0]):
        if not is_finite_frame(q[t], qd[t], qdd[t]):
            return t
        place_links(tree, q[t], R, p, z, o)
        refer_to_first_mass(tree, p, o, c)
        move_links_only(tree, qd[t], qdd[t], z, o, base, V, A)
        link_inertias(tree, R, p, J)
        link_forces(tree, J, V, A, F)
        load_on_links(loads[t], load_link, c, F)
        for j in range(n - 1, -1, -1):
            k, load = tree.parent[j], get(F, j)
            if k >= 0:
                put(F, k, plus(get(F, k), load))
            force[t, j, 0], force[t, j, 1], force[t, j, 2] = load[3], load[4], load[5]
            x, y, w = cross((o[j, 0], o[j, 1], o[j, 2]), (load[3], load[4], load[5]))
            moment[t, j, 0], moment[t, j, 1], moment[t, j, 2] = load[0] - x, load[1] - y, load[2] - w
            tau[t, j] = power(load, joint_motion(tree, j, z, o[j, 0], o[j, 1], o[j, 2]))
    return -1
