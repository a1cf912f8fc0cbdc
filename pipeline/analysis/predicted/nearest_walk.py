"""The measured walk to compare a prediction with: nearest in speed and step length, preferring complete cycles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.analysis.cycles import WHOLE
from pipeline.analysis.walk_parameters import is_run, parameter_of
from pipeline.conventions import SIDES
from pipeline.trial import CycleCurves, GaitCycles, PredictedWalk

EQUALLY_NEAR = 0.05
"""Relative distance in speed and step length within which walks count as equally near."""


def nearest_walk(walk: PredictedWalk, measured: Sequence[GaitCycles]) -> GaitCycles | None:
    """The measured walk nearest in speed and step length; None if none has cycles.

    Runs are compared with runs and walks with walks, unless the prediction names the measured walk.
    Walks with a complete side that has kinetics come first. Distances in the same multiple of `EQUALLY_NEAR` count as
    equal; among these, walks with more complete sides come first, then the nearest.
    """

    def rank(cycles: GaitCycles) -> tuple[bool, int, int, float]:
        speed, stride = (parameter_of(cycles.cycles, name) for name in ("speed", "stride_length"))
        distance = np.hypot(speed / walk.task.speed - 1.0, 0.5 * stride / walk.task.step_length - 1.0)
        distance = float(np.nan_to_num(distance, nan=1e3))
        whole = sum(_is_whole([c for c in cycles.cycles if c.cycle.side == side]) for side in SIDES)
        return whole == 0, int(distance / EQUALLY_NEAR), -whole, distance

    def is_alike(cycles: GaitCycles) -> bool:
        return cycles.name == walk.task.walk or is_run(cycles.cycles) == (walk.task.flight > 0.0)

    return min((one for one in measured if one.cycles and is_alike(one)), key=rank, default=None)


def _is_whole(cycles: Sequence[CycleCurves]) -> bool:
    """Whether the mean of a side's cycles is complete and has kinetics: a frame may be missing at the end."""
    every = [values[:, 0] for c in cycles for group in (c.angles, c.moments) for values in group.values()]
    known = [float(np.isfinite(values).mean()) for values in every if np.isfinite(values).any()]
    return any(c.cycle.plate for c in cycles) and min(known, default=0.0) >= WHOLE
