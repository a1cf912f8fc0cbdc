"""Tracking of a measured motion: the objective that turns the prediction of a walk into a fit.

The coupling of arms and legs is left out: the measured motion determines the swing of its arms, and the coupling, a
product of two distances that must not be negative, is not regular where both are zero, so that a solver may stop there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.interpolate import CubicSpline

from pipeline.optimisation import SquaredIntegral, difference
from pipeline.prediction import PredictionError, Preset
from pipeline.prediction.gait.constraints import Setting, arm_leg_coupling


def tracking_preset(preset: Preset, time: np.ndarray, q: np.ndarray, weight: float = 1.0) -> Preset:
    """A preset that tracks a measured motion with the same splines, contacts and limits.

    Args:
        preset: gives transcription and constraints.
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
        time: (T,) s, from initial contact of the right foot, over the whole step or stride.
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
