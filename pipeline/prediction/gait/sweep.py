"""Predicted walks of one subject, each started from the nearest solved one in speed and step length.

Continuation over the task (Nocedal and Wright, section 11.3): a neighbouring walk is a good initial guess, so most
walks of a sweep need only the second stage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.config import MuscleSettings, Prediction, StoredWeights, WhatIf
from pipeline.optimisation import Progress, SolverError
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.predict import NEIGHBOUR, GaitPrediction, predict_gait
from pipeline.prediction.gait.predicted_muscles import with_muscles
from pipeline.prediction.gait.predicted_walk import predicted_walk
from pipeline.prediction.gait.presets import Preset, find_preset, with_weights
from pipeline.prediction.gait.problem import GaitProblem
from pipeline.prediction.gait.requested_task import task_of
from pipeline.prediction.gait.subject_body import Body, with_fitted_skeleton, with_table_skeleton
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.what_if import WhatIfPrediction, changed_walker, predict_what_if
from pipeline.prediction.gait.what_if_report import what_if_report
from pipeline.trial import GaitCycles, Note, PredictedWalk, WholeBody

FULL_STRENGTH = Note("assumed", "muscles", "of full strength, although the case changes torque limits of joints")
"""A limit of a joint's torque does not say which of its muscles are weak."""


class MeasuredWalkError(PredictionError):
    """The measured walk that a prediction names failed or has no gait cycle, so there is no task."""


@dataclass(frozen=True)
class MeasuredWalk:
    """What is known of a measured walk. A value that is missing is replaced by the reason.

    Attributes:
        cycles: its gait cycles.
        whole_body: the walk of the whole-body skeleton.
    """

    cycles: GaitCycles | str
    whole_body: WholeBody | str


@dataclass(frozen=True)
class Outcome:
    """The result of one row.

    Attributes:
        row: of the study's table.
        walk: the predicted walk; None if it failed.
        error: why it failed; an exception outside `PipelineError` is a defect of the program.
        best: the last iterate of a failed solve; None if it was not started or diverged.
        cpu_seconds: processor time of the solver; None if it was not started.
    """

    row: Prediction
    walk: PredictedWalk | None = None
    error: Exception | None = None
    best: PredictedWalk | None = None
    cpu_seconds: float | None = None


@dataclass(frozen=True)
class Request:
    """A row of the predictions with its body, task, preset and what-if case."""

    row: Prediction
    body: Body
    task: GaitTask
    notes: tuple[Note, ...]
    preset: str | Preset
    case: WhatIf | None = None


def predict_walks(
    body: Body,
    rows: Sequence[Prediction],
    measured: Mapping[str, MeasuredWalk],
    digest: str,
    *,
    preset: Preset | None = None,
    cases: Mapping[str, WhatIf] | None = None,
    weights: Mapping[str, StoredWeights] | None = None,
    muscles: MuscleSettings | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[Outcome]:
    """Predict the walks of one subject in sequence, each started from the nearest solved one.

    A walk that fails yields its error and does not stop the others.

    Args:
        body: of the subject, from its static trial and the tables.
        rows: what to predict, of one preset and form.
        measured: by name, the walks that rows name.
        digest: SHA-256 of the skeleton's file.
        preset: replaces the rows' own, for a coarser problem.
        cases, weights: by name, those that rows name.
        muscles: how moments are distributed to muscles; None for the default settings.
        report: called with progress lines.
    """
    requests = []
    for row in rows:
        try:
            chosen = preset or find_preset(row.preset)
            if row.weights:
                chosen = with_weights(chosen, (weights or {})[row.weights].weights)
            request = requested(row, body, measured, chosen)
            requests.append(replace(request, case=(cases or {})[row.what_if] if row.what_if else None))
        except Exception as error:
            yield Outcome(row, error=error)
    distributed = muscles or MuscleSettings()
    points = np.array([[one.task.speed, one.task.step_length] for one in requests])
    solved: dict[int, GaitPrediction] = {}
    remaining = set(range(len(requests)))
    while remaining:
        index, neighbour = next_of_sweep(points, solved, remaining)
        remaining.remove(index)
        request = requests[index]
        try:
            answer = None
            if request.case:
                answer, start = _answer(request, report), "the walk without the changes"
                found, cpu = answer.changed, answer.unchanged.result.cpu_seconds + answer.changed.result.cpu_seconds
            else:
                found = _solve(request, None if neighbour is None else solved[neighbour], report)
                start, cpu = found.start, found.result.cpu_seconds
                if start == NEIGHBOUR and neighbour is not None:
                    start = requests[neighbour].row.prediction
            solved[index] = found
            walk = _stored(request, found, digest, start, answer)
            if distributed.enabled and found.success:
                walker = found.problem.walker
                walk = with_muscles(walk, request.body.skeleton, distributed, walker.springs, walker.locked_joints)
                if walk.muscles and request.case and request.case.strength:
                    walk = replace(walk, notes=(*walk.notes, FULL_STRENGTH))
            yield Outcome(request.row, walk, cpu_seconds=cpu)
        except SolverError as error:
            yield Outcome(request.row, None, error, _last_iterate(request, error, digest), error.best.cpu_seconds)
        except Exception as error:
            yield Outcome(request.row, error=error)


def next_of_sweep(points: np.ndarray, solved: Iterable[int], remaining: Iterable[int]) -> tuple[int, int | None]:
    """The walk to solve next, and the solved one to start it from.

    The first is the walk nearest to the mean of the sweep, which is the easiest to solve; then always the walk nearest
    to any solved one. Distances are between logarithms, so that ratios of speed and length count.

    Args:
        points: (N, d) speed and step length of all walks of the sweep.
        solved: indices of the solved walks.
        remaining: indices of walks neither solved nor failed; at least one.

    Returns:
        Index of the next walk, and of the one to start from, None if none is solved. Of equally near ones, the first.
    """
    scaled = np.log(points)
    left, done = sorted(remaining), sorted(solved)
    if not done:
        to_mean = np.linalg.norm(scaled[left] - scaled.mean(axis=0), axis=1)
        return left[int(np.argmin(np.round(to_mean, 12)))], None
    # Rounded, so that equal distances compare equal on every machine.
    apart = np.round(np.linalg.norm(scaled[left][:, None] - scaled[done][None], axis=2), 12)
    row, column = np.unravel_index(int(np.argmin(apart)), apart.shape)
    return left[int(row)], done[int(column)]


def requested(row: Prediction, body: Body, measured: Mapping[str, MeasuredWalk], preset: str | Preset) -> Request:
    """The body and task of a row.

    Raises:
        MeasuredWalkError: the measured walk that the row names failed or has no gait cycle.
        PredictionError: neither the row nor the walk gives speed or step length.
    """
    if row.trial is None:
        body = with_table_skeleton(body, "no measured walk is named")
        return Request(row, body, *task_of(row, body.skeleton, None), preset)
    walk = measured[row.trial]
    if isinstance(walk.cycles, str):
        raise MeasuredWalkError(walk.cycles, where=f"walk {row.trial}")
    if not walk.cycles.cycles:
        raise MeasuredWalkError("it has no complete gait cycle to predict", where=f"walk {row.trial}")
    if isinstance(walk.whole_body, str):
        body = with_table_skeleton(body, f"the skeleton was not fitted to {row.trial}: {walk.whole_body}")
    else:
        body = with_fitted_skeleton(body, walk.whole_body)
    return Request(row, body, *task_of(row, body.skeleton, walk.cycles), preset)


def _solve(request: Request, neighbour: GaitPrediction | None, report: Callable[[str], None]) -> GaitPrediction:
    """The prediction, from the stored walks if they fit, so that it does not depend on other rows."""
    name, task = request.row.prediction, request.task
    report(f"{name}: {task.speed:g} m/s, steps of {task.step_length:g} m, preset {request.row.preset}")

    def progress(at: Progress) -> None:
        report(
            f"{name}: iteration {at.iteration}, objective {at.objective:.5g}, violation "
            f"{at.relative_violation:.3g} of its tolerance, optimality {at.optimality:.1e}"
        )

    found = predict_gait(request.body.skeleton, task, request.preset, neighbour=neighbour, progress=progress)
    report(f"{name}: {found.status}, started from {found.start or 'the neutral pose'}")
    if found.start_note:
        report(f"{name}: {found.start_note}")
    return found


def _answer(request: Request, report: Callable[[str], None]) -> WhatIfPrediction:
    """The walks with and without the changes of a request's case."""
    assert request.case is not None
    report(f"{request.row.prediction}: what-if case {request.row.what_if}")
    return predict_what_if(request.body.skeleton, request.task, request.case, request.preset)


def _stored(
    request: Request, found: GaitPrediction, digest: str, start: str, answer: WhatIfPrediction | None = None
) -> PredictedWalk:
    row, body, case = request.row, request.body, request.case
    what_if = what_if_report(row, body, case.description, answer) if case and answer else None
    return predicted_walk(row, body, digest, found, request.notes, start, what_if)


def _last_iterate(request: Request, error: SolverError, digest: str) -> PredictedWalk | None:
    """The last iterate of a failed solve, for diagnosis; it is not a result."""
    if not np.isfinite(error.best.x).all():
        return None
    walker = changed_walker(request.case or WhatIf(), request.body.skeleton, request.task)
    problem = GaitProblem.make(walker.skeleton, walker.task, request.preset, walker.springs, walker.joint_forces)
    if len(error.best.x) != problem.problem.n_variables:  # of the walk without the changes, which may be one step
        return None
    with np.errstate(all="ignore"):  # without vertical ground reaction there is no centre of pressure
        return _stored(request, GaitPrediction.of(problem, error.best), digest, "")
