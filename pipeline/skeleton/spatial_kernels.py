"""Spatial algebra shared by the kernels (Featherstone 2008, chapter 2), inlined into each.

Vectors are tuples of numbers, which stay in registers: no array is allocated for a vector. A spatial vector (6) is a
pair about the reference point: angular and linear part of a motion, moment and force of a load; see `pose_kernels`.
"""

from __future__ import annotations

from pipeline.skeleton.compiling import inlined


@inlined
def get(rows, j):
    """The spatial vector in row j of an array (n, 6)."""
    return rows[j, 0], rows[j, 1], rows[j, 2], rows[j, 3], rows[j, 4], rows[j, 5]


@inlined
def put(rows, j, s):
    """Store a spatial vector in row j of an array (n, 6)."""
    rows[j, 0], rows[j, 1], rows[j, 2], rows[j, 3], rows[j, 4], rows[j, 5] = s


@inlined
def dot(a, b):
    """Scalar product of two vectors (3)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a, b):
    """Cross product of two vectors (3)."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def plus3(a, b):
    """Sum of two vectors (3)."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def power(f, s):
    """Scalar product of a spatial load and a spatial motion."""
    return f[0] * s[0] + f[1] * s[1] + f[2] * s[2] + f[3] * s[3] + f[4] * s[4] + f[5] * s[5]


@inlined
def plus(a, b):
    """Sum of two spatial vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@inlined
def times(u, s):
    """A number times a spatial vector."""
    return u * s[0], u * s[1], u * s[2], u * s[3], u * s[4], u * s[5]


@inlined
def motion_cross(v, s):
    """v x s: the rate of a spatial motion s that moves with the velocity v."""
    return (
        v[1] * s[2] - v[2] * s[1],
        v[2] * s[0] - v[0] * s[2],
        v[0] * s[1] - v[1] * s[0],
        v[1] * s[5] - v[2] * s[4] + v[4] * s[2] - v[5] * s[1],
        v[2] * s[3] - v[0] * s[5] + v[5] * s[0] - v[3] * s[2],
        v[0] * s[4] - v[1] * s[3] + v[3] * s[1] - v[4] * s[0],
    )


@inlined
def load_cross(v, f):
    """v x* f: the rate of a spatial load f that moves with the velocity v."""
    return (
        v[1] * f[2] - v[2] * f[1] + v[4] * f[5] - v[5] * f[4],
        v[2] * f[0] - v[0] * f[2] + v[5] * f[3] - v[3] * f[5],
        v[0] * f[1] - v[1] * f[0] + v[3] * f[4] - v[4] * f[3],
        v[1] * f[5] - v[2] * f[4],
        v[2] * f[3] - v[0] * f[5],
        v[0] * f[4] - v[1] * f[3],
    )


@inlined
def inertia_times(J, s):
    """Momentum of a body that moves with the spatial velocity s.

    The inertia J (at least 10) is mass, first moment (3), and tensor xx yy zz xy xz yz about the reference point.
    """
    m, x, y, w = J[0], J[1], J[2], J[3]
    return (
        J[4] * s[0] + J[7] * s[1] + J[8] * s[2] + y * s[5] - w * s[4],
        J[7] * s[0] + J[5] * s[1] + J[9] * s[2] + w * s[3] - x * s[5],
        J[8] * s[0] + J[9] * s[1] + J[6] * s[2] + x * s[4] - y * s[3],
        m * s[3] + s[1] * w - s[2] * y,
        m * s[4] + s[2] * x - s[0] * w,
        m * s[5] + s[0] * y - s[1] * x,
    )


@inlined
def joint_motion(tree, j, z, x, y, w):
    """Spatial motion of a joint at unit rate, from its axis z (n, 3) and its own origin."""
    if tree.revolute[j]:
        a0, a1, a2 = z[j, 0], z[j, 1], z[j, 2]
        return a0, a1, a2, y * a2 - w * a1, w * a0 - x * a2, x * a1 - y * a0
    return 0.0, 0.0, 0.0, z[j, 0], z[j, 1], z[j, 2]


@inlined
def on_link(R, p, point):
    """Position (3) of a point (3,) given in a link's frame, which has rotation R (9,) by rows and origin p (3,)."""
    return (
        p[0] + R[0] * point[0] + R[1] * point[1] + R[2] * point[2],
        p[1] + R[3] * point[0] + R[4] * point[1] + R[5] * point[2],
        p[2] + R[6] * point[0] + R[7] * point[1] + R[8] * point[2],
    )


@inlined
def at_point(s, x, y, w):
    """Linear part (3) of a spatial motion s (6) at a point."""
    return s[3] + s[1] * w - s[2] * y, s[4] + s[2] * x - s[0] * w, s[5] + s[0] * y - s[1] * x


@inlined
def motion_of_parent(k, base, V, A):
    """Velocity and acceleration of link k or, if k is negative, of the base, whose linear acceleration is (3,)."""
    if k < 0:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, base[0], base[1], base[2])
    return get(V, k), get(A, k)
