"""Compiled mass matrix by composite bodies, and the solution of its linear system along the tree."""

from __future__ import annotations

import numpy as np

from pipeline.dynamics.composite_kernels import add_to_parents, link_inertias
from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.pose_kernels import place_links, refer_to_first_mass
from pipeline.skeleton.spatial_kernels import get, inertia_times, joint_motion, power, put


@inlined
def mass_matrix_of_frame(tree, q, R, p, z, o, c, S, J, M):
    """Fill M (n, n) for one frame: M_ij = S_i . I_j S_j for i an ancestor of j, I_j the composite inertia."""
    n = tree.parent.shape[0]
    place_links(tree, q, R, p, z, o)
    refer_to_first_mass(tree, p, o, c)
    link_inertias(tree, R, p, J)
    add_to_parents(tree, J)
    for j in range(n):
        put(S, j, joint_motion(tree, j, z, o[j, 0], o[j, 1], o[j, 2]))
    M[:] = 0.0
    for j in range(n):
        u = inertia_times(J[j], get(S, j))
        i = j
        while i >= 0:
            M[i, j] = M[j, i] = power(u, get(S, i))
            i = tree.parent[i]


@kernel
def mass_matrix_kernel(tree, q, out):
    """Fill the mass matrices (T, n, n)."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, J, c = np.empty((n, 6)), np.empty((n, 10)), np.empty(3)
    for t in range(q.shape[0]):
        mass_matrix_of_frame(tree, q[t], R, p, z, o, c, S, J, out[t])


@kernel
def solve_kernel(tree, q, x):
    """Overwrite the generalised forces x (T, n) by M(q)^-1 x; return frame and joint of a zero pivot, or (-1, -1).

    M = L^T D L with L unit lower triangular and as sparse as the tree (Featherstone 2008, table 6.3). The pivot of a
    joint is its articulated inertia, with all distal joints free: zero to rounding if they can produce the same motion.
    """
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, J, c = np.empty((n, 6)), np.empty((n, 10)), np.empty(3)
    M, inertia = np.empty((n, n)), np.empty(n)
    for t in range(q.shape[0]):
        mass_matrix_of_frame(tree, q[t], R, p, z, o, c, S, J, M)
        y = x[t]
        for k in range(n):
            inertia[k] = M[k, k]
        for k in range(n - 1, -1, -1):
            if not M[k, k] > 1e-13 * inertia[k]:
                return t, k
            i = tree.parent[k]
            while i >= 0:
                factor = M[k, i] / M[k, k]
                j = i
                while j >= 0:
                    M[i, j] -= factor * M[k, j]
                    j = tree.parent[j]
                M[k, i] = factor
                y[i] -= factor * y[k]
                i = tree.parent[i]
        for k in range(n):
            y[k] /= M[k, k]
            i = tree.parent[k]
            while i >= 0:
                y[k] -= M[k, i] * y[i]
                i = tree.parent[i]
    return -1, -1
