"""Rotation matrices from directions and angles, Cardan angles, angular velocity and acceleration, nearest rotation.

The functions accept any leading shape and propagate NaN, which `scipy.spatial.transform.Rotation` does not.
"""

from __future__ import annotations

import numpy as np

PARALLEL = 1e-9
"""Sine of the angle below which two directions count as parallel: their cross product is then only rounding error."""


def unit(v: np.ndarray) -> np.ndarray:
    """Return v (..., 3) divided by its length; NaN where the length is zero."""
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.divide(v, length, out=np.full(np.shape(v), np.nan), where=length > 0)


def skew(v: np.ndarray) -> np.ndarray:
    """Return S(v) (..., 3, 3) with S(v) w = v x w."""
    v = np.asarray(v)
    out = np.zeros((*v.shape, 3), dtype=v.dtype)
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = v[..., 2], -v[..., 1], v[..., 0]
    return out


def rotation_from_axes(primary: np.ndarray, secondary: np.ndarray, order: str) -> np.ndarray:
    """Rotation R_GS of a frame from two directions: the first axis is exact, the second lies in their plane.

    Args:
        primary: (..., 3) direction of the axis named first in ``order``, kept exactly.
        secondary: (..., 3) direction near the axis named second, made orthogonal to the first.
        order: two different letters of "xyz", such as "yz".

    Returns:
        (..., 3, 3); the columns are the frame's axes x, y, z. NaN where the directions are parallel or missing.

    Raises:
        ValueError: ``order`` names one axis twice.
    """
    first, second = ("xyz".index(letter) for letter in order)
    if first == second:
        raise ValueError(f"order {order!r} names one axis twice")
    third = 3 - first - second
    sign = 1.0 if (first, second) in {(0, 1), (1, 2), (2, 0)} else -1.0
    e1 = unit(primary)
    across = sign * np.cross(e1, unit(secondary))
    e3 = unit(np.where(np.linalg.norm(across, axis=-1, keepdims=True) > PARALLEL, across, np.nan))
    e2 = sign * np.cross(e3, e1)
    out = np.empty((*e3.shape[:-1], 3, 3))
    out[..., first], out[..., second], out[..., third] = np.where(np.isfinite(e3), e1, np.nan), e2, e3
    return out


def rotation_about(axis: np.ndarray, angle: np.ndarray | float) -> np.ndarray:
    """Rotation (..., 3, 3) by ``angle`` (rad) about the direction ``axis`` (..., 3), right-handed (Rodrigues)."""
    K = skew(unit(np.asarray(axis, dtype=float)))
    angle = np.asarray(angle, dtype=float)[..., None, None]
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def cardan_angles(R: np.ndarray, order: str) -> np.ndarray:
    """Angles (..., 3) in rad of R = R_a(first) R_b(second) R_c(third) about three different axes ``order`` = "abc".

    The second angle lies within +-pi/2; the angles are returned in the order of ``order``. For frames with x forward,
    y up and z right, the order "zxy" is Grood and Suntay's joint coordinate system.

    Raises:
        ValueError: ``order`` does not name three different axes.
    """
    a, b, c = ("xyz".index(letter) for letter in order)
    if len({a, b, c}) != 3:
        raise ValueError(f"order {order!r} must name three different axes")
    sign = 1.0 if (a, b, c) in {(0, 1, 2), (1, 2, 0), (2, 0, 1)} else -1.0
    second = np.arcsin(np.clip(sign * R[..., a, c], -1.0, 1.0))
    first = np.arctan2(-sign * R[..., b, c], R[..., c, c])
    third = np.arctan2(-sign * R[..., a, b], R[..., a, a])
    return np.stack([first, second, third], axis=-1)


def angular_motion(R: np.ndarray, R_dot: np.ndarray, R_ddot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and acceleration (T, 3) each, in G, from R_GS (T, 3, 3) and its two time derivatives.

    R_dot R^T = S(omega), and R_ddot R^T = S(omega_dot) + S(omega)^2, where the second term is symmetric. The skew part
    of each product is therefore the result; taking it also discards the small symmetric error of numerical derivatives.
    """
    return _vee(R_dot @ np.swapaxes(R, -1, -2)), _vee(R_ddot @ np.swapaxes(R, -1, -2))


def _vee(A: np.ndarray) -> np.ndarray:
    """Vector (..., 3) of the skew part of A (..., 3, 3)."""
    return 0.5 * np.stack(
        [A[..., 2, 1] - A[..., 1, 2], A[..., 0, 2] - A[..., 2, 0], A[..., 1, 0] - A[..., 0, 1]], axis=-1
    )


def nearest_rotation(A: np.ndarray) -> np.ndarray:
    """Rotation (..., 3, 3) nearest to A in the Frobenius norm, determinant +1 (Kabsch; Markley 1988); NaN if A is."""
    complete = np.isfinite(A).all(axis=(-2, -1), keepdims=True)
    u, _, vt = np.linalg.svd(np.where(complete, A, np.eye(3)))
    flip = np.ones((*A.shape[:-2], 3))
    flip[..., 2] = np.sign(np.linalg.det(u @ vt))
    return np.where(complete, (u * flip[..., None, :]) @ vt, np.nan)
