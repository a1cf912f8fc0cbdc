"""Compiled joint axes as rows that project wrenches onto generalised forces, and their derivatives."""

from __future__ import annotations

from pipeline.skeleton.compiling import kernel
from pipeline.skeleton.spatial_kernels import get, joint_motion, load_cross, power, put


@kernel
def axis_rows_kernel(tree, z, o, rows):
    """Joint axes as spatial motions about the origin.

    Args:
        tree: the constants of the tree.
        z, o: (K, n, 3) axes and origins.
        rows: out (K, n, 6): (z, o x z), or (0, z) of a prismatic joint.
    """
    for k in range(z.shape[0]):
        for j in range(z.shape[1]):
            put(rows[k], j, joint_motion(tree, j, z[k], o[k, j, 0], o[k, j, 1], o[k, j, 2]))


@kernel
def axis_derivative_kernel(rows, joints, precedes, wrench, derivative):
    """Derivatives, by the coordinates, of a fixed wrench projected on some joints' axes.

    A preceding joint with axis S moves the axis S_j as a spatial vector, dS_j/dq = S x S_j, and
    (S x S_j) . w = -S_j . (S x* w), with S x* w = (a x n + b x f, a x f) (Featherstone 2008).

    Args:
        rows: (K, n, 6) of `axis_rows_kernel`.
        joints: (r,) indices of the joints.
        precedes: (n, n) whether a joint (column) is a proper ancestor of another (row).
        wrench: (K, 6) moment about the origin and force.
        derivative: out (K, r, n).
    """
    for k in range(rows.shape[0]):
        load = get(wrench, k)
        for m in range(rows.shape[1]):
            change = load_cross(get(rows[k], m), load)
            for i in range(joints.shape[0]):
                j = joints[i]
                derivative[k, i, m] = -power(change, get(rows[k], j)) if precedes[j, m] else 0.0
