"""What a predicted step or stride is, over itself: sagittal angles, ground reaction and internal joint forces."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.cycles import JOINTS, PERCENT, resample
from pipeline.analysis.predicted.cycle import side_curves
from pipeline.conventions import GRAVITY_G, SIDES, X, Y, Z
from pipeline.trial import MotionCurves, PredictedWalk

BOTH = "both"
"""Side of what both feet do together."""

ANGLES = {"hip": "hip_flexion", "knee": "knee_flexion", "ankle": "ankle_dorsiflexion"}
GROUND = {"ground_lateral": Z, "ground_vertical": Y, "ground_forward": X}
FORCES = {joint: f"{joint}_force" for joint in JOINTS}
"""Names of the curves; the ground reaction's are of G: to the subject's right, up and forward for both feet."""


def motion_curves(walk: PredictedWalk) -> MotionCurves:
    """Curves of both sides from the first initial contact to the end of what was predicted."""
    own = {side: side_curves(walk, side) for side in SIDES}
    weight = walk.task.mass * -GRAVITY_G[Y]
    curves: dict[str, tuple[str, dict[str, np.ndarray]]] = {}
    for joint, name in ANGLES.items():
        curves[name] = "deg", {side: np.degrees(own[side].angles[joint][:, 0]) for side in SIDES}
    for name, axis in GROUND.items():
        feet = {side: 100.0 * walk.ground[side].force_G[:, axis] / weight for side in SIDES}
        curves[name] = "%BW", {**feet, BOTH: np.sum(list(feet.values()), axis=0)}
    for joint, name in FORCES.items():
        curves[name] = "BW", {side: own[side].force[joint] for side in SIDES}
    sides = (*SIDES, BOTH)
    unknown = np.full(len(PERCENT), np.nan)
    return MotionCurves(
        side_names=sides,
        variable_names=tuple(curves),
        percent=PERCENT,
        units=tuple(unit for unit, _ in curves.values()),
        values=np.array(
            [
                [
                    resample(of[side], walk.time, walk.time[0], walk.time[-1]) if side in of else unknown
                    for _, of in curves.values()
                ]
                for side in sides
            ]
        ),
        foot_off=np.array([_foot_off(walk, side) for side in sides]),
    )


def _foot_off(walk: PredictedWalk, side: str) -> float:
    """Percent at which a foot leaves the ground: the left at the end of double support, the right a step later."""
    later = {"left": 0, "right": 1}.get(side, walk.task.steps)
    return 100.0 * (walk.task.double_support + later) / walk.task.steps if later < walk.task.steps else float("nan")
