"""Compiled joint axes as rows that project wrenches onto generalised forces, and their derivatives."""

from __future__ import annotations

from pipeline.skeleton.compiling import kernel
from pipeline.skeleton.spatial_kernels import cross


@kernel
def axis_rows_kernel(revolute, z, o, rows):
    """Joint axes as spatial motions about the origin.

    Args:
        revolute: (n,) boolean; other joints are prismatic.
        z, o: (K, n, 3) axes and origins.
        rows: out (K, n, 6): (z, o x z), or (0, z) of a prismatic joint.
    """
    for k in range(z.shape[0]):
        for j in range(z.shape[1]):
            a, b = z[k, j], o[k, j]
            row = rows[k, j]
            if revolute[j]:
                row[0], row[1], row[2] = a[0], a[1], a[2]
                row[3], row[4], row[5] = cross((b[0], b[1], b[2]), (a[0], a[1], a[2]))
            else:
                row[0], row[1], row[2] = 0.0, 0.0, 0.0
                row[3], row[4], row[5] = a[0], a[1], a[2]


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
        w = wrench[k]
        n, f = (w[0], w[1], w[2]), (w[3], w[4], w[5])
        for m in range(rows.shape[1]):
            s = rows[k, m]
            a, b = (s[0], s[1], s[2]), (s[3], s[4], s[5])
            turned, moved, force = cross(a, n), cross(b, f), cross(a, f)
            for i in range(joints.shape[0]):
                value = 0.0
                if precedes[joints[i], m]:
                    own = rows[k, joints[i]]
                    for x in range(3):
                        value -= own[x] * (turned[x] + moved[x]) + own[3 + x] * force[x]
                derivative[k, i, m] = value
