"""Compiled mass matrix by composite bodies, and its solution along the tree."""

from __future__ import annotations

import numpy as np

from pipeline.dynamics.composite_kernels import add_to_parents, inertia_times, link_inertias
from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.pose_kernels import place_links, refer_to_first_mass


@inlined
def mass_matrix_of_frame(tree, q, R, p, z, o, c, S, J, u, M):
    """Fill M (n, n) for one frame: M_ij = S_i . I_j S_j for i an ancestor of j, I_j the composite inertia."""
    n = tree.parent.shape[0]
    place_links(tree, q, R, p, z, o)
    refer_to_first_mass(tree, p, o, c)
    link_inertias(tree, R, p, J)
    add_to_parents(tree, J)
    for j in range(n):
        if tree.revolute[j]:
            S[j, 0], S[j, 1], S[j, 2] = z[j, 0], z[j, 1], z[j, 2]
            S[j, 3] = o[j, 1] * z[j, 2] - o[j, 2] * z[j, 1]
            S[j, 4] = o[j, 2] * z[j, 0] - o[j, 0] * z[j, 2]
            S[j, 5] = o[j, 0] * z[j, 1] - o[j, 1] * z[j, 0]
        else:
            S[j, 0] = S[j, 1] = S[j, 2] = 0.0
            S[j, 3], S[j, 4], S[j, 5] = z[j, 0], z[j, 1], z[j, 2]
    M[:] = 0.0
    for j in range(n):
        inertia_times(J[j], S[j], u)
        i = j
        while i >= 0:
            s = S[i]
            M[i, j] = M[j, i] = u[0] * s[0] + u[1] * s[1] + u[2] * s[2] + u[3] * s[3] + u[4] * s[4] + u[5] * s[5]
            i = tree.parent[i]


@kernel
def mass_matrix_kernel(tree, q, out):
    """Fill the mass matrices (T, n, n)."""
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, J, u, c = np.empty((n, 6)), np.empty((n, 10)), np.empty(6), np.empty(3)
    for t in range(q.shape[0]):
        mass_matrix_of_frame(tree, q[t], R, p, z, o, c, S, J, u, out[t])


@kernel
def solve_kernel(tree, q, x):
    """Overwrite the generalised forces x (T, n) by M(q)^-1 x; return frame and joint of a zero pivot, or (-1, -1).

    M = L^T D L with L unit lower triangular and as sparse as the tree (Featherstone 2008, table 6.3). The pivot of a
    joint is its articulated inertia, with all distal joints free: zero to rounding where they can move like it.
    """
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    S, J, u, c = np.empty((n, 6)), np.empty((n, 10)), np.empty(6), np.empty(3)
    M, inertia = np.empty((n, n)), np.empty(n)
    for t in range(q.shape[0]):
        mass_matrix_of_frame(tree, q[t], R, p, z, o, c, S, J, u, M)
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
