"""Centre of pressure and free moment on a force plate, from force and moment about the centre of its surface."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import Y
from pipeline.math3d import Wrench, unit


def surface_directions(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions (3,) of a plate's x axis, towards corners 1 and 4, and of its y axis, towards corners 1 and 2."""
    x = corners[0] + corners[3] - corners[1] - corners[2]
    y = corners[0] + corners[1] - corners[2] - corners[3]
    return x, y


def surface_normal(corners_G: np.ndarray) -> np.ndarray:
    """Unit normal (3,) of a plate's surface, in G, pointing up out of the floor; vertical if corners are unknown.

    C3D numbers the corners by the quadrants of the plate's x and y axes; the plate's z points down into the floor.
    """
    if not np.isfinite(corners_G).all():
        return np.eye(3)[Y]
    x, y = surface_directions(corners_G)
    return unit(np.cross(y, x))


def centre_of_pressure(wrench: Wrench, corners_G: np.ndarray, threshold: float) -> np.ndarray:
    """Point of the plate's surface about which the load has no moment except about the normal.

    With n the upward normal, F the force and M the moment about the surface's centre, the point is r = n x M / (n . F)
    from that centre: r lies in the surface, and M - r x F is along n. Filter force and moment before, never the result.

    Args:
        wrench: load on the subject, in G; its moment may refer to any point, or if corners are unknown, to a point of
            the floor.
        corners_G: (4, 3) m, corners of the plate, in G; NaN if unknown.
        threshold: N; there is no centre of pressure unless the normal force is above it.

    Returns:
        (T, 3) m, in G; NaN below the threshold.
    """
    normal = surface_normal(corners_G)
    centre = corners_G.mean(axis=0) if np.isfinite(corners_G).all() else wrench.point_G[0]
    pressing = wrench.force_G @ normal
    moment = wrench.about(centre).moment_G
    loaded = pressing > max(threshold, 0.0)
    return centre + np.cross(normal, moment) / np.where(loaded, pressing, np.nan)[:, None]


def free_moment(wrench: Wrench, corners_G: np.ndarray, threshold: float) -> np.ndarray:
    """Moment about the plate's normal at the centre of pressure, (T, 3) Nm, in G; NaN below the threshold."""
    normal = surface_normal(corners_G)
    cop_G = centre_of_pressure(wrench, corners_G, threshold)
    return (wrench.about(cop_G).moment_G @ normal)[:, None] * normal
