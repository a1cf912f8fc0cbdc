r"""Joint centres by the chord construction (Kadaba et al. 1990; Davis et al. 1991), in closed form.

The marker is at the distance :math:`d` from the joint centre, and the lines from the centre to the marker and to the
proximal joint form the angle :math:`90^\circ + \delta`, so the centre lies on a circle about the line from proximal
joint to marker. Let :math:`m` be the unit vector along that line, and :math:`a` and :math:`b` the wand's coordinates
along and across it. From the proximal joint, the centre lies in the direction :math:`k\,m + s\,r` with
:math:`s = d \cos\delta / |\text{marker} - \text{proximal}|`, :math:`k^2 = 1 - s^2` and an unknown unit vector :math:`r`
across the line. The condition that the wand, turned by :math:`\alpha` about the line to the centre, lies in the plane
of proximal joint, centre and marker is a quadratic equation in its distance :math:`S` from the line to the centre:

.. math:: (\cos^2\alpha + k^2 \sin^2\alpha)\, S^2 - 2\, s a \cos\alpha\, S + s^2 a^2 - k^2 b^2 = 0

One root is positive if :math:`k b > s |a|`. If both are, the larger root is taken: it is the continuation of the
solution without rotation, for which the centre is on the side of the line opposite to the wand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.math3d import unit

_LEAST_DISTANCE = 1e-9
"""Fraction of the wand's distance from the marker: closer to the line, the wand's plane is only rounding error."""

_OFFSET_TOLERANCE = 1e-6
"""rad; a centre whose offset angle differs by more from the required one is not returned (rounding near the line)."""


@dataclass(frozen=True)
class Triangle:
    """Wand and circle of possible centres, for frames (T,); the module docstring defines the symbols.

    Attributes:
        span: m, from proximal joint to marker; must exceed the distance from marker to centre.
        m: (T, 3) unit vector from proximal joint to marker.
        across: (T, 3) unit vector across m, towards the wand.
        a, b: m, the wand's coordinates along and across m.
        least_b: m, lower limit of b for the given rotation.
        s, k: sine and cosine of the angle at the proximal joint.
    """

    span: np.ndarray
    m: np.ndarray
    across: np.ndarray
    a: np.ndarray
    b: np.ndarray
    least_b: np.ndarray
    s: np.ndarray
    k: np.ndarray


def triangle(
    proximal: np.ndarray,
    marker: np.ndarray,
    wand: np.ndarray,
    distance: float,
    wand_rotation: float = 0.0,
    abduction: float = 0.0,
) -> Triangle:
    """The geometry that decides whether `chord` has a solution; same arguments as `chord`."""
    to_marker, to_wand = marker - proximal, wand - proximal
    span, m = np.linalg.norm(to_marker, axis=1), unit(to_marker)
    a = np.sum(to_wand * m, axis=1)
    perpendicular = to_wand - a[:, None] * m
    b = np.linalg.norm(perpendicular, axis=1)
    s = np.divide(distance * np.cos(abduction), span, out=np.full_like(span, np.nan), where=span > distance)
    k = np.sqrt(1.0 - s**2)
    sine, cosine = np.sin(wand_rotation), np.cos(wand_rotation)
    # If a and the rotation's cosine have one sign, real roots suffice; otherwise the roots must have opposite signs.
    real = abs(sine) / np.sqrt(cosine**2 + (k * sine) ** 2)
    least_b = s * np.abs(a) * np.where(a * cosine > 0.0, real, 1.0 / k)
    least_b = np.maximum(least_b, _LEAST_DISTANCE * np.linalg.norm(wand - marker, axis=1))
    return Triangle(span, m, unit(perpendicular), a, b, least_b, s, k)


def chord(
    proximal: np.ndarray,
    marker: np.ndarray,
    wand: np.ndarray,
    distance: float,
    wand_rotation: float = 0.0,
    abduction: float = 0.0,
) -> np.ndarray:
    """Joint centre (T, 3) m in the frame of the points (T, 3) m, at ``distance`` (m) from a lateral marker.

    The centre lies in the plane of proximal joint, marker and wand, on the side away from the wand (Kadaba et al.
    1990; Davis et al. 1991).

    Args:
        proximal, marker, wand: proximal joint's centre, lateral marker of the joint, marker that determines the plane.
        distance: from marker to centre: half the joint's width plus the marker's radius.
        wand_rotation: rad, of any size, right-handed, by which the wand is turned about the direction from ``proximal``
            to the joint centre before it determines the plane (the wand is corrected, not the centre).
        abduction: rad by which the angle at the centre between marker and proximal joint exceeds a right angle.

    Returns:
        NaN where a point is missing or there is no solution; `unsolved` says why.
    """
    t = triangle(proximal, marker, wand, distance, wand_rotation, abduction)
    a, b, s, k = (np.where(t.b > t.least_b, values, np.nan) for values in (t.a, t.b, t.s, t.k))
    sine, cosine = np.sin(wand_rotation), np.cos(wand_rotation)
    leading = cosine**2 + (k * sine) ** 2
    wand_distance = (s * a * cosine + k * np.sqrt(leading * b**2 - (s * a * sine) ** 2)) / leading
    to_wand, beside = (s * a - wand_distance * cosine) / (k * b), -wand_distance * sine / b
    r = to_wand[:, None] * t.across + beside[:, None] * np.cross(t.m, t.across)
    direction = k[:, None] * t.m + s[:, None] * r
    length = t.span * k - distance * np.sin(abduction)
    off = np.abs(_turn_about(direction, wand - proximal, marker - proximal) - wand_rotation)
    as_required = np.abs((off + np.pi) % (2.0 * np.pi) - np.pi) < _OFFSET_TOLERANCE
    return np.where(as_required[:, None], proximal + length[:, None] * direction, np.nan)


def rotation_of_wand(
    proximal: np.ndarray, marker: np.ndarray, wand: np.ndarray, distance: float, axis: np.ndarray
) -> np.ndarray:
    """The ``wand_rotation`` (T,) of `chord`, rad, for which proximal joint, centre and marker are in one plane with an
    axis (T, 3) that points from the centre towards the marker; other arguments as in `chord`, without abduction."""
    t = triangle(proximal, marker, wand, distance)
    r = -unit(axis - np.sum(axis * t.m, axis=1, keepdims=True) * t.m)
    return _turn_about(t.k[:, None] * t.m + t.s[:, None] * r, wand - proximal, marker - proximal)


def _turn_about(axis: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Angle (T,) rad, right-handed, that turns ``start`` about a unit axis into the half-plane of ``end``."""
    along = np.sum(axis * start, axis=1) * np.sum(axis * end, axis=1)
    return np.arctan2(np.sum(axis * np.cross(start, end), axis=1), np.sum(start * end, axis=1) - along)


def unsolved(t: Triangle, centre: np.ndarray, distance: float) -> tuple[np.ndarray, str, float, float]:
    """Frames (T,) without a solution though all points are seen; of the worst: "marker" or "wand", value, limit (m).

    "marker": its distance from the proximal joint must exceed the limit; "wand": its distance from the line between
    these two must.
    """
    frames = np.isfinite(t.b) & ~np.isfinite(centre).all(axis=1)
    near = frames & ~(t.span > distance)
    if near.any():
        return frames, "marker", float(t.span[near].min()), distance
    worst = np.argmax(np.where(frames, t.least_b - t.b, -np.inf))
    return frames, "wand", float(t.b[worst]), float(t.least_b[worst])
