"""Stick figures of a predicted step with ground reactions, from the side and from the front."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY, SIDES, X, Y, Z
from pipeline.reporting.figures.plate_map import path_data
from pipeline.trial import PredictedWalk

UNITS_PER_METRE = 100.0
METRES_PER_WEIGHT = 0.55
"""Length of a ground reaction of one body weight, m."""

WIDTH, HEADROOM, FOOTROOM = 1.06, 0.06, 0.08
"""Width of a picture, and space above the head and below the ground, m."""

HEAD_RADIUS, HAND_LENGTH = 0.062, 0.05
"""Sizes as shares of stature, only for drawing."""

LEAST_FORCE = 0.02
"""Force below which no vector is drawn, body weights."""

TRUNK = ("pelvis", "lower_abdomen", "upper_abdomen", "lower_thorax", "upper_thorax", "neck", "head")


@dataclass(frozen=True)
class Snapshot:
    """One picture, in drawing units.

    Attributes:
        title: time in the step, percent.
        paths: style and SVG path, in the order of drawing.
        head: centre and radius.
    """

    title: str
    width: float
    height: float
    ground: float
    paths: tuple[tuple[str, str], ...]
    head: tuple[float, float, float]


VIEWS = (("From the right", X, 1.0), ("From the front", Z, -1.0))
"""Titles of the views; the axis of G that is horizontal in the picture, and its direction."""

COUNT = 6
"""Number of pictures of a view."""


def snapshots(walk: PredictedWalk) -> list[tuple[str, list[Snapshot]]]:
    """Title and pictures of each view, at equal intervals over the step, including its start and end.

    Each picture is centred on the pelvis.
    """
    frames = [int(np.argmin(np.abs(walk.time - share * walk.time[-1]))) for share in np.linspace(0.0, 1.0, COUNT)]
    return [(title, [_snapshot(walk, axis, sign, frame) for frame in frames]) for title, axis, sign in VIEWS]


def _snapshot(walk: PredictedWalk, horizontal: int, sign: float, frame: int) -> Snapshot:
    height = HEADROOM + FOOTROOM + walk.task.height
    ground = UNITS_PER_METRE * (height - FOOTROOM)
    middle = walk.segments["pelvis"].origin_G[frame, horizontal]

    def on_page(place_G: np.ndarray) -> np.ndarray:
        across = UNITS_PER_METRE * (WIDTH / 2.0 + sign * (place_G[..., horizontal] - middle))
        return np.stack([across, ground - UNITS_PER_METRE * place_G[..., Y]], axis=-1)

    def joint(name: str) -> np.ndarray:
        return walk.segments[name].origin_G[frame]

    def along(name: str, up: float) -> np.ndarray:
        return joint(name) + walk.segments[name].R_GS[frame, :, Y] * up * walk.task.height

    def line(style: str, *places_G: np.ndarray) -> tuple[str, str]:
        return style, path_data(*on_page(np.array(places_G)).T)

    limbs = {}
    for side in SIDES:
        heel, toe = (walk.points[f"{side}_{name}"][frame] for name in ("heel", "toe"))
        ball = 0.5 * (walk.points[f"{side}_ball_medial"][frame] + walk.points[f"{side}_ball_lateral"][frame])
        ankle = joint(f"{side}_foot")
        arm = [joint(f"{side}_{name}") for name in ("upper_arm", "forearm", "hand")]
        limbs[side] = [
            line(f"bone {side}", *arm, along(f"{side}_hand", -HAND_LENGTH)),
            line(f"bone {side}", joint(f"{side}_thigh"), joint(f"{side}_shank"), ankle),
            line(f"bone sole {side}", ankle, heel, ball, toe, joint(f"{side}_toes"), ankle),
        ]
    trunk = [
        line("bone", *(joint(name) for name in TRUNK)),
        line("bone", *(joint(f"{side}_thigh") for side in SIDES)),
        line("bone", *(joint(f"{side}_upper_arm") for side in SIDES)),
    ]
    forces = [path for side in SIDES for path in _force(walk, side, frame, on_page)]
    crown = on_page(along("head", HEAD_RADIUS))
    percent = 100.0 * walk.time[frame] / walk.time[-1]
    return Snapshot(
        title=f"{percent:.0f} %",
        width=UNITS_PER_METRE * WIDTH,
        height=round(UNITS_PER_METRE * height, 1),
        ground=round(ground, 1),
        paths=(*limbs["left"], *trunk, *limbs["right"], *forces),
        head=(round(float(crown[0]), 1), round(float(crown[1]), 1), UNITS_PER_METRE * HEAD_RADIUS * walk.task.height),
    )


def _force(
    walk: PredictedWalk, side: str, frame: int, on_page: Callable[[np.ndarray], np.ndarray]
) -> list[tuple[str, str]]:
    """Paths of the shaft and the head of a foot's ground reaction vector, from its centre of pressure."""
    force = walk.ground[side].force_G[frame] / (walk.task.mass * GRAVITY)
    if np.linalg.norm(force) < LEAST_FORCE:
        return []
    start_G = walk.ground[side].point_G[frame]
    start, tip = on_page(np.array([start_G, start_G + METRES_PER_WEIGHT * force]))
    direction = (tip - start) / max(float(np.linalg.norm(tip - start)), 1e-9)
    normal = np.array([-direction[1], direction[0]])
    barbs = np.array([tip - 6.0 * direction + 2.6 * normal, tip, tip - 6.0 * direction - 2.6 * normal])
    return [("force", path_data(*np.array([start, tip]).T)), ("force", path_data(*barbs.T))]
