"""Walks over a table of speeds and step lengths, each started from its nearest solved neighbour."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.predict import GaitPrediction, predict_gait
from pipeline.prediction.gait.presets import Preset
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.solution import Solver
from pipeline.skeleton import Skeleton


def sweep_gait(
    skeleton: Skeleton,
    tasks: Sequence[GaitTask],
    preset: str | Preset = "human",
    *,
    solver: Solver | None = None,
    done: Callable[[GaitTask, GaitPrediction | PredictionError], None] | None = None,
) -> list[GaitPrediction | PredictionError]:
    """Predict every task; an impossible one leaves its error in its place and the sweep goes on.

    Args:
        skeleton, preset, solver: as for `predict_gait`.
        tasks: all of one form.
        done: called after each.
    """
    out: list[GaitPrediction | PredictionError] = []
    for task in tasks:
        solved = [found for found in out if isinstance(found, GaitPrediction)]
        near = min(solved, key=lambda found: _distance(found.task, task), default=None)
        try:
            result: GaitPrediction | PredictionError = predict_gait(skeleton, task, preset, solver=solver, start=near)
        except PredictionError as error:
            result = error
        out.append(result)
        if done is not None:
            done(task, result)
    return out


def _distance(one: GaitTask, other: GaitTask) -> float:
    return float(np.hypot(np.log(one.speed / other.speed), np.log(one.step_length / other.step_length)))
