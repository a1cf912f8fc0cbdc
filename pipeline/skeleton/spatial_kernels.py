"""Steps of spatial algebra that kernels share: written once, compiled into each.

Numbers go in and come out one by one, in registers: no array is made for a vector. Spatial vectors are pairs (angular,
linear) about the reference point; see `pose_kernels`.
"""

from __future__ import annotations

from pipeline.skeleton.compiling import inlined


@inlined
def on_link(R, p, point):
    """Position (3) of a point (3,) of a link's frame, rotation R (9,) by rows and origin p (3,)."""
    return (
        p[0] + R[0] * point[0] + R[1] * point[1] + R[2] * point[2],
        p[1] + R[3] * point[0] + R[4] * point[1] + R[5] * point[2],
        p[2] + R[6] * point[0] + R[7] * point[1] + R[8] * point[2],
    )


@inlined
def at_point(s, x, y, w):
    """Linear part (3) of a spatial motion s (6,) at a point."""
    return s[3] + s[1] * w - s[2] * y, s[4] + s[2] * x - s[0] * w, s[5] + s[0] * y - s[1] * x


@inlined
def motion_of_parent(k, base, V, A):
    """Velocity (6) and acceleration (6) of link k; of the base, which is accelerated by (3,), where k is none."""
    if k < 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, base[0], base[1], base[2]
    v, a = V[k], A[k]
    return v[0], v[1], v[2], v[3], v[4], v[5], a[0], a[1], a[2], a[3], a[4], a[5]
