"""Walks over a table of speeds and step lengths, nearest neighbours after one another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pipeline.optimisation.errors import PredictionError
from pipeline.optimisation.solution import Solver
from pipeline.prediction.gait.order import next_of_sweep
from pipeline.prediction.gait.predict import GaitPrediction, predict_gait
from pipeline.prediction.gait.presets import Preset
from pipeline.prediction.gait.task import GaitTask
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
        done: called after each, in the order of `next_of_sweep`.
    """
    places = np.array([[task.speed, task.step_length] for task in tasks])
    found: dict[int, GaitPrediction | PredictionError] = {}
    solved: dict[int, GaitPrediction] = {}
    while len(found) < len(tasks):
        index, near = next_of_sweep(places, solved, set(range(len(tasks))) - set(found))
        start = None if near is None else solved[near]
        try:
            found[index] = solved[index] = predict_gait(skeleton, tasks[index], preset, solver=solver, start=start)
        except PredictionError as error:
            found[index] = error
        if done is not None:
            done(tasks[index], found[index])
    return [found[index] for index in range(len(tasks))]
