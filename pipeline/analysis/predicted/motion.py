"""Curves over the stride of a predicted walk: sagittal angles, ground reaction and internal joint forces."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.predicted.cycle import PredictedSide, predicted_side
from pipeline.analysis.predicted.stride import whole_stride
from pipeline.analysis.resampling import PERCENT, resample
from pipeline.analysis.variables import STEP_VARIABLES, Variable
from pipeline.conventions import SIDES
from pipeline.trial import MotionCurves, PredictedWalk

BOTH = "both"
"""Name of both feet together among the sides."""


def motion_curves(walk: PredictedWalk) -> MotionCurves:
    """Curves of both sides over a stride from the right foot's initial contact; a step is followed by its mirror
    image."""
    walk = whole_stride(walk)
    own = {side: predicted_side(walk, side) for side in SIDES}
    curves = np.array([_of_sides(variable, own) for variable in STEP_VARIABLES.values()])
    over_step = resample(np.moveaxis(curves, -1, 0), walk.time, walk.time[0], walk.time[-1])
    sides = (*SIDES, BOTH)
    return MotionCurves(
        side_names=sides,
        variable_names=tuple(STEP_VARIABLES),
        percent=PERCENT,
        units=tuple(variable.units for variable in STEP_VARIABLES.values()),
        values=np.moveaxis(over_step, (0, 1, 2), (2, 1, 0)),
        foot_off=np.array([_foot_off(walk, side) for side in sides]),
    )


def _of_sides(variable: Variable, own: dict[str, PredictedSide]) -> np.ndarray:
    """Values (3, T) of left, right and both; both only for the ground reaction, NaN otherwise."""
    assert variable.step
    left, right = (variable.step.of(own[side]) for side in SIDES)
    return np.stack([left, right, left + right if variable.quantity == "ground" else np.full(len(left), np.nan)])


def _foot_off(walk: PredictedWalk, side: str) -> float:
    """Percent at which a foot leaves the ground; NaN for both feet together."""
    return 100.0 * walk.task.foot_off(side) / (2.0 * walk.task.step_time) if side in SIDES else float("nan")
