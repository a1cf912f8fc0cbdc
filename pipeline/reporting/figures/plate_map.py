"""Map of the walkway from above: plates, centre of pressure, feet at mid-stance. The walking direction is upwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pipeline.conventions import SIDES, X, Z
from pipeline.signals import load_of
from pipeline.trial import Kinematics

UNITS_PER_METRE = 220.0
MARGIN = 0.15
"""Margin around plates and feet, m."""
NARROWEST = 1.2
"""Minimum width of the map, m, so that all maps have the same scale and text size."""
REACH = 0.9
"""Distance before and after the plates within which steps are shown, m."""


@dataclass(frozen=True)
class PlateMap:
    """The map in drawing units; without shapes, there is nothing to show.

    Attributes:
        shapes: style and SVG path, in the order of drawing.
        heels, labels: x and y with the side of a heel, and with a text.
    """

    width: float
    height: float
    shapes: tuple[tuple[str, str], ...]
    heels: tuple[tuple[float, float, str], ...]
    labels: tuple[tuple[float, float, str], ...]
    metre: float = UNITS_PER_METRE


def plate_map(kinematics: Kinematics) -> PlateMap:
    """Draw the plates of a walk and the feet on and near them."""
    plates = [plate for plate in kinematics.plates if np.isfinite(plate.corners_G).all()]
    feet = _feet(kinematics)
    if plates:
        corners = np.concatenate([plate.corners_G for plate in plates])
        near = corners[:, X].min() - REACH, corners[:, X].max() + REACH
        feet = [(side, foot) for side, foot in feet if near[0] <= foot[:, X].min() and foot[:, X].max() <= near[1]]
    points = np.concatenate([*(plate.corners_G for plate in plates), *(foot for _, foot in feet), np.empty((0, 3))])
    if not len(points):
        return PlateMap(0.0, 0.0, (), (), ())
    lowest, highest = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    widen = max(0.0, NARROWEST - (highest - lowest)[Z]) / 2.0
    lowest[Z], highest[Z] = lowest[Z] - widen, highest[Z] + widen

    def on_page(points_G: np.ndarray) -> np.ndarray:
        across, up = points_G[..., Z] - lowest[Z], highest[X] - points_G[..., X]
        return np.round(UNITS_PER_METRE * np.stack([across, up], axis=-1), 1) + 0.0

    def path(points_G: np.ndarray) -> str:
        return path_data(*on_page(points_G).T)

    shapes = [("plate", f"{path(plate.corners_G)}Z") for plate in plates]
    shapes += [(f"foot {side}", path(foot)) for side, foot in feet]
    drawn = {plate.number for plate in plates}
    for stance in kinematics.stances:
        if drawn.issuperset(stance.plates):
            cop = load_of(stance, plates).cop_G[stance.start : stance.stop]
            style = "rejected" if stance.rejected or not stance.side else stance.side
            shapes.append((f"cop {style}", path(cop)))
    # plate numbers go to the lower left corner of each plate, away from most steps
    labels = []
    for plate in plates:
        corner = on_page(plate.corners_G)
        labels.append((float(corner[:, 0].min()) + 6, float(corner[:, 1].max()) - 7, str(plate.number)))
    size = UNITS_PER_METRE * (highest - lowest)
    heels = tuple((*on_page(foot[0]).tolist(), side) for side, foot in feet)
    return PlateMap(round(float(size[Z]), 1), round(float(size[X]), 1), tuple(shapes), heels, tuple(labels))


def stance_times(kinematics: Kinematics) -> list[tuple[float, float, str]]:
    """Start, end (s) and side of each stance, from plates or from events, in order of time."""
    stances = [(s.onset, s.end, s.side) for s in kinematics.stances if s.side]
    for side in SIDES:
        own = [event for event in kinematics.events if event.side == side]
        for event, following in pairwise(own):
            whole = event.kind == "initial contact" and following.kind == "foot off"
            if whole and not _covered(event.time, side, stances):
                stances.append((event.time, following.time, side))
    return sorted(stances)


def _feet(kinematics: Kinematics) -> list[tuple[str, np.ndarray]]:
    """Side, and heel and toe (2, 3) m in G, in the middle of each stance."""
    feet = []
    for start, end, side in stance_times(kinematics):
        frame = int(np.argmin(np.abs(kinematics.time - 0.5 * (start + end))))
        foot = np.stack([kinematics.points[f"{side}_{part}"][frame] for part in ("heel", "toe")])
        if np.isfinite(foot).all():
            feet.append((side, foot))
    return feet


def _covered(instant: float, side: str, stances: Sequence[tuple[float, float, str]]) -> bool:
    return any(other == side and start - 0.1 <= instant < end for start, end, other in stances)


def path_data(x: np.ndarray, y: np.ndarray) -> str:
    """SVG path through the points (N,), interrupted where one of them is missing."""
    parts, pen_down = [], False
    for px, py in zip(x, y, strict=True):
        known = bool(np.isfinite(px) and np.isfinite(py))
        if known:
            parts.append(f"{'L' if pen_down else 'M'}{px:.2f} {py:.2f}")
        pen_down = known
    return "".join(parts)
