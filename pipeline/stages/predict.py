"""Step: predicted walks of one subject with one preset and form, each started from its nearest solved neighbour.

One process for a sweep: the compiled kernels are loaded once. Every prediction has its own file, which holds the walk
or the reason why there is none, and then how far the solver came. What differs from run to run, such as processor
time, goes into the run log.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, TypeAdapter

from pipeline.anatomy.marker_set import load_marker_set
from pipeline.config import AnatomySettings, Prediction, Subject
from pipeline.config.narrowing import settings_json
from pipeline.errors import PipelineError
from pipeline.prediction import GaitPrediction, GaitTask, Progress, SolverError, predict_gait
from pipeline.prediction.gait.order import next_of_sweep
from pipeline.prediction.gait.predict import GaitProblem
from pipeline.prediction.gait.predicted_walk import predicted_walk
from pipeline.prediction.gait.presets import Preset
from pipeline.prediction.gait.requested_task import task_of
from pipeline.prediction.gait.subject_body import Body, body_of, with_fitted_skeleton, with_table_skeleton
from pipeline.provenance import Provenance, file_digest, library_versions
from pipeline.results import DamagedFileError, Failure, read_stage, read_status, write_failure, write_stage
from pipeline.stages.damaged import set_aside
from pipeline.stages.framework import earlier_failure, guarded, input_digest
from pipeline.stages.progress import progress_with_log
from pipeline.stages.run_log import processor_seconds
from pipeline.stages.run_log import record as record_job
from pipeline.trial import GaitCycles, Note, PredictedWalk, RawTrial, WholeBody
from pipeline.trial.prediction import MEASURED_WALK

STEP = "predict"


class Settings(BaseModel):
    """The part of the study that a sweep uses."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    subject: Subject
    anatomy: AnatomySettings
    predictions: tuple[Prediction, ...]


@dataclass(frozen=True)
class Asked:
    """A walk to predict: the row of the table, the body, and the task with its origin."""

    row: Prediction
    body: Body
    task: GaitTask
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What became of a row.

    Attributes:
        found: the walk, or why there is none.
        best: how far the solver came where it failed; None if it never started.
        cpu_seconds: of the solver; None if it never started.
    """

    found: PredictedWalk | Failure
    best: PredictedWalk | None = None
    cpu_seconds: float | None = None


@dataclass
class Sweep:
    """Predictions for one subject, solved so that each helps the next.

    Attributes:
        digest: of the skeleton's file.
        asked: what to predict.
        preset: of all of them; by default each row's own name.
        solved: what is solved so far, by name.
    """

    digest: str
    asked: Sequence[Asked]
    preset: Preset | None = None
    solved: dict[str, GaitPrediction] = field(default_factory=dict)

    def run(self, record: Callable[[Prediction, Outcome], None]) -> None:
        """Solve all, nearest neighbours after one another; ``record`` is called as each ends."""
        places = np.array([[one.task.speed, one.task.step_length] for one in self.asked])
        names = [one.row.prediction for one in self.asked]
        open_ = set(range(len(self.asked)))
        while open_:
            index, neighbour = next_of_sweep(places, map(names.index, self.solved), open_)
            open_.remove(index)
            asked, start = self.asked[index], "" if neighbour is None else names[neighbour]
            record(asked.row, self._outcome(asked, start))

    def _outcome(self, asked: Asked, start: str) -> Outcome:
        name, outcomes = asked.row.prediction, []

        def solve() -> None:
            try:
                found, begun = self._solve(asked, start)
            except SolverError as error:
                outcomes.append(self._unfinished(asked, error))
                raise
            self.solved[name] = found
            outcomes.append(Outcome(self._stored(asked, found, begun), cpu_seconds=found.cpu_seconds))

        failure = guarded(name, STEP, solve)
        if failure:
            best = outcomes[0] if outcomes else Outcome(failure)
            return Outcome(failure, best.best, best.cpu_seconds)
        return outcomes[0]

    def _solve(self, asked: Asked, start: str) -> tuple[GaitPrediction, str]:
        """The prediction, and the name of the one that it started from."""
        name, task = asked.row.prediction, asked.task
        from_where = f"from {start}" if start else "from a standing body"
        told = f"{name}: {task.speed:g} m/s, steps of {task.step_length:g} m, preset {asked.row.preset}"
        print(f"{told}, {from_where}", file=sys.stderr, flush=True)

        def solve(start: GaitPrediction | None) -> GaitPrediction:
            preset = self.preset or asked.row.preset
            return predict_gait(asked.body.skeleton, task, preset, start=start, progress=_teller(name))

        if start:
            try:
                return solve(self.solved[start]), start
            except SolverError as error:
                print(f"{name}: {error}; once more from a standing body", file=sys.stderr, flush=True)
        return solve(None), ""

    def _unfinished(self, asked: Asked, error: SolverError) -> Outcome:
        """How far the solver came: to be looked at, and to be used by nobody."""
        reason = Failure(asked.row.prediction, STEP, str(error))
        if not np.isfinite(error.best.x).all():
            return Outcome(reason, cpu_seconds=error.best.cpu_seconds)
        problem = GaitProblem.make(asked.body.skeleton, asked.task, self.preset or asked.row.preset)
        with np.errstate(all="ignore"):  # a body that the ground does not carry has no centre of pressure
            best = self._stored(asked, problem.prediction(error.best), "")
        return Outcome(reason, best, error.best.cpu_seconds)

    def _stored(self, asked: Asked, found: GaitPrediction, start: str) -> PredictedWalk:
        return predicted_walk(asked.row, asked.body, self.digest, found, asked.notes, start, self.preset)


def _teller(name: str) -> Callable[[Progress], None]:
    def tell(at: Progress) -> None:
        print(
            f"{name}: iteration {at.iteration}, objective {at.objective:.5g}, "
            f"violation {at.excess:.3g} of its tolerance, optimality {at.optimality:.1e}",
            file=sys.stderr,
            flush=True,
        )

    return tell


def solve_sweep(
    settings: Settings,
    inputs: Mapping[str, Path],
    provenance: Provenance,
    results: Path,
    preset: Preset | None = None,
    session: str = "",
    ended: Callable[[str, Failure | None], None] = lambda prediction, failure: None,
) -> None:
    """Solve a sweep and write a file for each prediction.

    Args:
        settings: subject and rows.
        inputs: files ``skeleton`` and, where the subject has a static trial, ``static`` and ``marker_set``; for each
            measured walk that a row names, ``cycles/WALK`` and ``whole_body/WALK``.
        provenance: of the files written.
        results: folder for NAME.h5.
        preset: in place of the rows' own, for a coarser problem.
        session: subject and session, for the run log.
        ended: called with the name of each prediction and its failure, if there is one.
    """
    before = 0.0

    def record(row: Prediction, outcome: Outcome) -> None:
        nonlocal before
        now = processor_seconds()
        how = "failed" if isinstance(outcome.found, Failure) else outcome.found.solver.ended
        record_job(STEP, f"{session}/{row.prediction}", how, now - before, outcome.cpu_seconds)
        before = now
        path = results / f"{row.prediction}.h5"
        if isinstance(outcome.found, Failure):
            write_failure(path, outcome.found, provenance, outcome.best)
        else:
            write_stage(path, outcome.found, provenance)
        ended(row.prediction, outcome.found if isinstance(outcome.found, Failure) else None)

    bodies: list[Body] = []
    shared = [inputs[name] for name in ("skeleton", "static", "marker_set") if name in inputs]
    failure = earlier_failure(shared) or guarded(
        settings.predictions[0].prediction, STEP, lambda: bodies.append(_standing(settings, inputs))
    )
    asked: list[Asked] = []
    for row in settings.predictions:
        own = (
            failure
            or guarded(row.prediction, MEASURED_WALK, partial(_check_walk, row, inputs))
            or guarded(row.prediction, STEP, partial(_ask, asked, row, bodies[0], inputs))
        )
        if own:
            record(row, Outcome(Failure(row.prediction, own.step, _told(own, settings), own.defect)))
    Sweep(file_digest(inputs["skeleton"]), asked, preset).run(record)


def _standing(settings: Settings, inputs: Mapping[str, Path]) -> Body:
    static, marker_set = None, None
    if "static" in inputs:
        static, marker_set = read_stage(inputs["static"], RawTrial), load_marker_set(inputs["marker_set"])
    return body_of(settings.subject, inputs["skeleton"], static, marker_set, settings.anatomy.hip_centre)


def _check_walk(row: Prediction, inputs: Mapping[str, Path]) -> None:
    """Raises PipelineError if the measured walk that a row names failed, or has no gait cycle."""
    if row.trial is None:
        return
    where, cycles = f"walk {row.trial}", inputs[f"cycles/{row.trial}"]
    _, failed = read_status(cycles)
    if failed:
        raise PipelineError(f"failed at {failed.step}: {failed.reason}", where=where)
    if not read_stage(cycles, GaitCycles).cycles:
        raise PipelineError("it has no whole gait cycle to predict", where=where)


def _ask(asked: list[Asked], row: Prediction, body: Body, inputs: Mapping[str, Path]) -> None:
    """Add what to predict for a row.

    Raises:
        PipelineError: the measured walk that it names does not tell what the row leaves blank.
    """
    if row.trial is None:
        body = with_table_skeleton(body, "no measured walk is named")
        asked.append(Asked(row, body, *task_of(row, body.skeleton, None)))
        return
    cycles, whole = inputs[f"cycles/{row.trial}"], inputs[f"whole_body/{row.trial}"]
    _, no_fit = read_status(whole)
    if no_fit:
        body = with_table_skeleton(body, f"the skeleton was not fitted to {row.trial}, {no_fit.reason}")
    else:
        body = with_fitted_skeleton(body, read_stage(whole, WholeBody))
    asked.append(Asked(row, body, *task_of(row, body.skeleton, read_stage(cycles, GaitCycles))))


def _told(failure: Failure, settings: Settings) -> str:
    own = {row.prediction for row in settings.predictions}
    return failure.reason if failure.trial in own else f"{failure.trial}: {failure.reason}"


class SweepJob(BaseModel):
    """A sweep of a session, as its rule gives it: settings, and the files of `solve_sweep` by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    settings: Settings
    inputs: dict[str, Path]


def main() -> int:
    """Predict the walks of a session; a failure is in its file, so the process ends well unless the machine fails."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages.predict", description=__doc__)
    parser.add_argument("job", help="JSON array of sweeps, see SweepJob")
    parser.add_argument("--session", required=True, help="subject and session, for the progress and the run log")
    parser.add_argument("--output", required=True, type=Path, help="folder of the predictions' files")
    parser.add_argument("--log", type=Path, help="file for all output but the progress")
    parser.add_argument("--code", default="", help="digest of the stage's code, for the provenance of the files")
    options = parser.parse_args()
    progress = progress_with_log(options.log)
    sweeps = TypeAdapter(list[SweepJob]).validate_json(options.job)
    count, done = sum(len(sweep.settings.predictions) for sweep in sweeps), 0

    def ended(prediction: str, found: Failure | None) -> None:
        nonlocal done
        done += 1
        progress.trial(STEP, options.session, prediction, done, count, found)

    try:
        for sweep in sweeps:
            digests = {name: input_digest(path) for name, path in sweep.inputs.items()}
            settings = settings_json(**dict(sweep.settings))
            provenance = Provenance(STEP, digests, settings, options.code, library_versions())
            solve_sweep(sweep.settings, sweep.inputs, provenance, options.output, session=options.session, ended=ended)
    except DamagedFileError as error:
        progress.line(set_aside(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
