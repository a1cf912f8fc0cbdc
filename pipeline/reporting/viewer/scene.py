"""Scenes of the 3-D view: points, segments, markers and ground reaction forces of moving bodies, as compact JSON.

Positions are in mm and forces in thousandths of body weight. They are stored as little-endian signed 16-bit integers in
base64, in the order frames, points, x, y, z of G. `MISSING` stands for a missing value.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

FRAMES_PER_CYCLE = 50
"""Maximum number of frames of a gait cycle in a scene; the viewer interpolates linearly."""

MAX_FRAMES = 300
"""Maximum number of frames of a scene."""

MISSING = -32768


@dataclass(frozen=True)
class Bone:
    """An ellipsoid between two points.

    Attributes:
        start, end: names of points.
        radius: m, half of its thickness.
        side: "left", "right", or "" for the trunk.
    """

    start: str
    end: str
    radius: float
    side: str = ""


@dataclass(frozen=True)
class GroundForce:
    """A ground reaction force (T, 3) in body weights at its point of application (T, 3) m; NaN where there is none.

    Attributes:
        side: "left", "right", or "" if the foot is unknown.
    """

    side: str
    point_G: np.ndarray
    force: np.ndarray


@dataclass(frozen=True)
class Sole:
    """The sole of a foot.

    Attributes:
        points: names of points around the sole.
        contact: (T, len(points)) whether each is on the ground.
    """

    points: tuple[str, ...]
    contact: np.ndarray


@dataclass(frozen=True)
class Figure:
    """A moving body.

    Attributes:
        name: such as "Measured".
        points: by name, (T, 3) m in G.
        bones: segments between the points.
        markers: by label, (T, 3) m in G.
        forces: ground reaction.
        soles: their points on the ground span the support polygon.
    """

    name: str
    points: Mapping[str, np.ndarray]
    bones: Sequence[Bone]
    markers: Mapping[str, np.ndarray] = field(default_factory=dict)
    forces: Sequence[GroundForce] = ()
    soles: Sequence[Sole] = ()

    def over(self, change: Callable[..., np.ndarray], *others: Figure) -> Figure:
        """The figure with a function such as that of `at_times` applied to every array over time (T, ...).

        The function also gets the same array of each other figure; these have the same parts in the same order.
        """
        every = (self, *others)
        return replace(
            self,
            points={name: change(*(f.points[name] for f in every)) for name in self.points},
            markers={name: change(*(f.markers[name] for f in every)) for name in self.markers},
            forces=[
                GroundForce(same[0].side, change(*(f.point_G for f in same)), change(*(f.force for f in same)))
                for same in zip(*(f.forces for f in every), strict=True)
            ],
            soles=[
                Sole(same[0].points, change(*(s.contact.astype(float) for s in same)) > 0.5)
                for same in zip(*(f.soles for f in every), strict=True)
            ],
        )


def at_times(time: np.ndarray, wanted: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Linear interpolation of values (T, ...) from ``time`` to ``wanted``; NaN if a neighbour is missing."""
    position = np.clip(np.interp(wanted, time, np.arange(len(time))), 0, len(time) - 1)
    lower = np.floor(position).astype(int)
    upper = np.minimum(lower + 1, len(time) - 1)

    def change(values: np.ndarray) -> np.ndarray:
        share = (position - lower).reshape(-1, *[1] * (values.ndim - 1))
        return np.where(share == 0.0, values[lower], (1.0 - share) * values[lower] + share * values[upper])

    return change


def scene_of_points(
    time: np.ndarray, figures: Sequence[Figure], *, cycle: float, still: float, plates: Sequence[np.ndarray] = ()
) -> dict[str, Any]:
    """A scene over time, resampled to at most `FRAMES_PER_CYCLE` and `MAX_FRAMES`.

    Args:
        time: (T,) s, of every array of the figures.
        figures: bodies.
        cycle: duration of a gait cycle, s.
        still: time shown initially, s.
        plates: (4, 3) m corners of force plates in G.

    Returns:
        Content of the viewer's JSON.
    """
    span = float(time[-1] - time[0])
    count = int(np.clip(span / cycle * FRAMES_PER_CYCLE, 1, min(MAX_FRAMES, len(time)) - 1)) + 1
    wanted = np.linspace(time[0], time[-1], count)
    return scene(
        [figure.over(at_times(time, wanted)) for figure in figures],
        label="Time, s",
        clock=wanted,
        duration=span,
        still=int(np.argmin(np.abs(wanted - still))),
        plates=plates,
    )


def scene(
    figures: Sequence[Figure],
    *,
    label: str,
    clock: np.ndarray,
    duration: float,
    still: int = 0,
    loops: bool = False,
    plates: Sequence[np.ndarray] = (),
) -> dict[str, Any]:
    """Content of the viewer's JSON.

    Args:
        figures: bodies with (N, ...) arrays.
        label, clock: label of the slider, and its value (N,) in each frame.
        duration: s, from the first frame to the last.
        still: index of the frame shown initially.
        loops: whether the last frame continues with the first.
        plates: (4, 3) m corners of force plates in G.
    """
    return {
        "label": label,
        "clock": [round(float(value), 3) for value in clock],
        "duration": round(duration, 4),
        "still": still,
        "loops": loops,
        "plates": [_integers(1000.0 * corners).ravel().tolist() for corners in plates],
        "figures": [_figure(figure) for figure in figures],
    }


def _figure(figure: Figure) -> dict[str, Any]:
    order = list(figure.points)
    return {
        "name": figure.name,
        "points": _packed(list(figure.points.values())),
        "count": len(order),
        "bones": [[order.index(b.start), order.index(b.end), round(1000.0 * b.radius), b.side] for b in figure.bones],
        "labels": list(figure.markers),
        "markers": _packed(list(figure.markers.values())),
        "forces": [{"side": f.side, "at": _packed([f.point_G]), "force": _packed([f.force])} for f in figure.forces],
        "soles": [
            {
                "points": [order.index(name) for name in sole.points],
                # one integer per frame; bit k is set if point k is on the ground
                "contact": (sole.contact @ (1 << np.arange(len(sole.points)))).astype(int).tolist(),
            }
            for sole in figure.soles
        ],
    }


def _integers(values: np.ndarray) -> np.ndarray:
    known = np.isfinite(values)
    whole = np.clip(np.rint(np.where(known, values, 0.0)), MISSING + 1, -(MISSING + 1))
    return np.where(known, whole, MISSING).astype("<i2")


def _packed(columns: Sequence[np.ndarray]) -> str:
    """Base64 of arrays (T, 3), stacked as (T, points, 3), in thousandths."""
    if not columns:
        return ""
    return base64.b64encode(_integers(1000.0 * np.stack(columns, axis=1)).tobytes()).decode("ascii")
