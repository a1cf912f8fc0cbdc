"""Stage: predicted walks of one subject with one preset and form, in one process.

Every prediction has its own file with the walk, or with the reason for its failure and the solver's last iterate.
Processor times differ from run to run and therefore go into the run log.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.config import Prediction, SessionKey, settings_json
from pipeline.errors import PipelineError
from pipeline.prediction import (
    Body,
    MeasuredWalk,
    MeasuredWalkError,
    Outcome,
    Preset,
    WalkToFit,
    body_of,
    predict_walks,
    requested,
)
from pipeline.provenance import Provenance, file_digest, library_versions
from pipeline.results import (
    DamagedFileError,
    Failure,
    read_failure,
    read_outcome,
    read_stage,
    write_failure,
    write_stage,
)
from pipeline.trial import MEASURED_WALK, GaitCycles, RawTrial, WholeBody
from pipeline.workflow.framework import guarded, input_digest
from pipeline.workflow.jobs import Sweep
from pipeline.workflow.progress import Progress
from pipeline.workflow.run_log import processor_seconds
from pipeline.workflow.run_log import record as record_job

STEP = "predict"


def run_sweeps(sweeps: Sequence[Sweep], session: SessionKey, code: str, progress: Progress) -> None:
    """Predict the walks of a session; a failure is stored in the prediction's file. The code's digest is stored too.

    Raises:
        OSError, MemoryError, DamagedFileError: the machine failed.
    """
    count, ended = sum(len(sweep.predictions) for sweep in sweeps), 0

    def tell(prediction: str, failed: bool) -> None:
        nonlocal ended
        ended += 1
        progress.trial(STEP, str(session), prediction, ended, count, failed)

    for sweep in sweeps:
        # Without the stored walks, the search starts elsewhere, which the prediction says.
        digests = {name: input_digest(path) for name, path in sweep.inputs.items() if path.is_file()}
        settings = settings_json(
            subject=sweep.subject,
            anatomy=sweep.anatomy,
            muscles=sweep.muscles,
            predictions=sweep.predictions,
            **({"cases": sweep.cases} if sweep.cases else {}),
            **({"weights": sweep.weights} if sweep.weights else {}),
        )
        provenance = Provenance(STEP, digests, settings, code, library_versions())
        solve_sweep(sweep, provenance, session.folder() / "predictions", session=str(session), tell=tell)


def solve_sweep(
    sweep: Sweep,
    provenance: Provenance,
    results: Path,
    preset: Preset | None = None,
    session: str = "",
    tell: Callable[[str, bool], None] = lambda prediction, failed: None,
) -> None:
    """Predict the walks of one subject and write a file for each, NAME.h5.

    Args:
        sweep, provenance, results: what to predict, and the origin and folder of the files.
        preset: instead of the rows' own, for a coarser problem.
        session: subject and session, for the run log.
        tell: called with the name of each prediction as it ends, and whether it failed.
    """
    inputs = sweep.inputs
    failed = read_failure(inputs["static"]) if "static" in inputs else None
    body: Body | Failure = failed if failed else guarded("", STEP, lambda: _body(sweep))
    if isinstance(body, Failure):
        reason = f"{body.trial}: {body.reason}" if body.trial else body.reason
        for row in sweep.predictions:
            own = Failure(row.prediction, body.step, reason, body.defect)
            write_failure(results / f"{row.prediction}.h5", own, _of_row(provenance, session, row))
            record_job(STEP, f"{session}/{row.prediction}", "failed", 0.0, None)
            tell(row.prediction, True)
        return
    measured = {row.trial: _measured(row.trial, inputs) for row in sweep.predictions if row.trial}
    digest, before = file_digest(inputs["skeleton"]), processor_seconds()
    outcomes = predict_walks(
        body,
        sweep.predictions,
        measured,
        digest,
        preset=preset,
        cases=sweep.cases,
        weights=sweep.weights,
        muscles=sweep.muscles,
        report=partial(print, file=sys.stderr, flush=True),
    )
    for outcome in outcomes:
        whole = results / f"{outcome.row.prediction}.h5"
        ended = _write(whole, outcome, _of_row(provenance, session, outcome.row))
        now = processor_seconds()
        record_job(STEP, f"{session}/{outcome.row.prediction}", ended, now - before, outcome.cpu_seconds)
        tell(outcome.row.prediction, outcome.walk is None)
        before = now


def walk_to_fit(sweep: Sweep, name: str) -> WalkToFit:
    """The measured walk of a sweep's first row, on its subject's body, as the target for fitting weights.

    Raises:
        PipelineError: the walk failed, has no gait cycle, or its results are not computed.
    """
    row = sweep.predictions[0]
    assert row.trial
    request = requested(row, _body(sweep), {row.trial: _measured(row.trial, sweep.inputs)}, row.preset)
    cycles = read_stage(sweep.inputs[f"cycles/{row.trial}"], GaitCycles)
    return WalkToFit.measured(name, row, request.body, request.task, cycles)


def _body(sweep: Sweep) -> Body:
    static, marker_set, inputs = None, None, sweep.inputs
    if "static" in inputs:
        static, marker_set = read_stage(inputs["static"], RawTrial), load_marker_set(inputs["marker_set"])
    return body_of(sweep.subject, inputs["skeleton"], static, marker_set, sweep.anatomy.hip_centre)


def _measured(walk: str, inputs: Mapping[str, Path]) -> MeasuredWalk:
    cycles, whole_body = inputs[f"cycles/{walk}"], inputs[f"whole_body/{walk}"]
    try:
        walked = read_outcome(cycles, GaitCycles)
        if isinstance(walked, Failure):
            return MeasuredWalk(f"failed at {walked.step}: {walked.reason}", walked.reason)
        fitted = read_outcome(whole_body, WholeBody)
        return MeasuredWalk(walked, fitted.reason if isinstance(fitted, Failure) else fitted)
    except DamagedFileError:
        raise
    except PipelineError as error:
        return MeasuredWalk(str(error), str(error))


def _of_row(provenance: Provenance, session: str, row: Prediction) -> Provenance:
    return replace(provenance, trial_key=f"{session}/{row.prediction}")


def _write(path: Path, outcome: Outcome, provenance: Provenance) -> str:
    """Write the walk or its failure; return how it ended, for the run log."""
    if outcome.walk:
        write_stage(path, outcome.walk, provenance)
        return outcome.walk.solver.ended

    def failing() -> None:
        assert outcome.error is not None
        raise outcome.error

    step = MEASURED_WALK if isinstance(outcome.error, MeasuredWalkError) else STEP
    failure = guarded(outcome.row.prediction, step, failing)
    assert failure is not None
    write_failure(path, failure, provenance, outcome.best)
    return "failed"
