"""Follow a measured motion instead of predicting one: the objective that makes a walk's problem a fit.

The coupling of arms and legs is left out of a fit. A measured motion says itself how its arms swing, and the coupling,
a product of two coordinates that shall not be negative, has a corner where both pass zero: near a motion that passes
there, a solver may come to rest on the wrong side of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.interpolate import CubicSpline

from pipeline.optimisation.errors import PredictionError
from pipeline.optimisation.parts.motion import difference
from pipeline.optimisation.problem import SquaredIntegral
from pipeline.prediction.gait.constraints import Setting, arm_leg_coupling
from pipeline.prediction.gait.presets import Preset


def tracking_preset(preset: Preset, time: np.ndarray, q: np.ndarray, weight: float = 1.0) -> Preset:
    """A preset that follows a measured motion, on the same spline and under the same ground and limits.

    Args:
        preset: what the walk is transcribed and constrained like.
        time, q, weight: see `tracking`.
    """
    return replace(
        preset,
        name=f"{preset.name}, tracking",
        constraints=tuple(part for part in preset.constraints if part is not arm_leg_coupling),
        objectives=(tracking(time, q, weight),),
    )


def tracking(time: np.ndarray, q: np.ndarray, weight: float = 1.0) -> Callable[[Setting], list[SquaredIntegral]]:
    """An objective for a preset: squared distance of the joint coordinates from measured ones.

    Args:
        time: (T,) s, from the right foot's initial contact on, over the whole step or stride.
        q: (T, n) coordinates of the active joints; NaN in joints that were not measured, which are left free.
        weight: per rad^2 and second.
    """

    def describe(at: Setting) -> list[SquaredIntegral]:
        n = len(at.walker.skeleton)
        if q.ndim != 2 or q.shape != (len(time), n):
            raise PredictionError(
                f"the motion has shape {q.shape}, expected ({len(time)}, {n})",
                where="tracking",
                remedy="Give one row for each time and one column for each active joint",
            )
        joints = at.walker.internal[np.all(np.isfinite(q[:, at.walker.internal]), axis=0)]
        curve = CubicSpline(time, q[:, joints])
        return [SquaredIntegral("tracking", difference(curve, joints), weight)]

    return describe
