"""Compiled distances of segments, with their derivatives by the coordinates."""

from __future__ import annotations

import numpy as np

from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.spatial_kernels import dot


@inlined
def minus3(a, b):
    """Difference of two vectors (3)."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def clipped(x):
    """A number limited to 0 to 1."""
    return min(max(x, 0.0), 1.0)


@inlined
def closest_points(a, b, c, d):
    """Shares s and t, from 0 to 1, of the closest points a + s (b - a) and c + t (d - c) of two segments.

    Ericson (2005), Real-Time Collision Detection, section 5.1.9. Parallel segments have more than one pair of closest
    points; the one that starts at a is returned. The segments' lengths must not be zero.
    """
    u, v, w = minus3(b, a), minus3(d, c), minus3(a, c)
    uu, vv, uv, uw, vw = dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)
    across = uu * vv - uv**2
    s = 0.0 if across <= 1e-12 * uu * vv else clipped((uv * vw - uw * vv) / across)
    t = clipped((uv * s + vw) / vv)
    return clipped((uv * t - uw) / uu), t


@kernel
def segment_distances_kernel(ends, positions, jacobians, side_by_side, distance, dq):
    """Distance of the closest points of pairs of segments, and its derivatives.

    Args:
        ends: (P, 4) indices of points: both ends of the first segment, then both of the second.
        positions: (K, m, 3) of the points.
        jacobians: (K, m, 3, n) by the coordinates, or (0, ...) to skip.
        side_by_side: share of the third component in the line from the second to the first segment above which the
            distance is negative.
        distance: out (K, P).
        dq: out (K, P, n).
    """
    for k in range(positions.shape[0]):
        for p in range(ends.shape[0]):
            i = ends[p]
            a, b = positions[k, i[0]], positions[k, i[1]]
            c, d = positions[k, i[2]], positions[k, i[3]]
            s, t = closest_points((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]), (d[0], d[1], d[2]))
            shares = (1.0 - s, s, t - 1.0, -t)
            x, y, z = 0.0, 0.0, 0.0
            for e in range(4):
                point = positions[k, i[e]]
                x, y, z = x + shares[e] * point[0], y + shares[e] * point[1], z + shares[e] * point[2]
            size = np.sqrt(x**2 + y**2 + z**2)
            sign = -1.0 if z > side_by_side * size else 1.0
            distance[k, p] = sign * size
            if jacobians.shape[0] == 0 or size == 0.0:
                continue
            x, y, z = sign * x / size, sign * y / size, sign * z / size
            for e in range(4):
                J, share = jacobians[k, i[e]], shares[e]
                if share != 0.0:
                    for j in range(dq.shape[2]):
                        dq[k, p, j] += share * (x * J[0, j] + y * J[1, j] + z * J[2, j])
