"""Stage: predicted walks of one subject with one preset and form, in one process.

Every prediction has its own file with the walk, or the reason of its failure and the solver's last iterate. Processor
times differ from run to run and go into the run log.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from pipeline.anatomy import load_marker_set
from pipeline.config import AnatomySettings, Prediction, Subject
from pipeline.errors import PipelineError
from pipeline.prediction import Body, MeasuredWalk, MeasuredWalkError, Outcome, Preset, body_of, predict_walks
from pipeline.provenance import Provenance, file_digest, library_versions
from pipeline.results import Failure, read_stage, read_status, write_failure, write_stage
from pipeline.stages.framework import earlier_failure, guarded
from pipeline.stages.run_log import processor_seconds
from pipeline.stages.run_log import record as record_job
from pipeline.trial import GaitCycles, RawTrial, WholeBody
from pipeline.trial.prediction import MEASURED_WALK

STEP = "predict"


class Settings(BaseModel):
    """The part of the study that a sweep uses."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    subject: Subject
    anatomy: AnatomySettings
    predictions: tuple[Prediction, ...]


def solve_sweep(
    settings: Settings,
    inputs: Mapping[str, Path],
    provenance: Provenance,
    results: Path,
    preset: Preset | None = None,
) -> None:
    """Predict the walks of one subject and write a file for each.

    Args:
        settings: subject and rows.
        inputs: files ``skeleton`` and, where the subject has a static trial, ``static`` and ``marker_set``; for each
            measured walk that a row names, ``cycles/WALK`` and ``whole_body/WALK``.
        provenance: of the files written.
        results: folder for NAME.h5.
        preset: in place of the rows' own, for a coarser problem.
    """
    bodies: list[Body] = []
    shared = [inputs[name] for name in ("skeleton", "static", "marker_set") if name in inputs]
    failure = earlier_failure(shared) or guarded("", STEP, lambda: bodies.append(_body(settings, inputs)))
    if failure:
        reason = f"{failure.trial}: {failure.reason}" if failure.trial else failure.reason
        for row in settings.predictions:
            own = Failure(row.prediction, failure.step, reason, failure.defect)
            write_failure(results / f"{row.prediction}.h5", own, provenance)
            record_job(STEP, row.prediction, "failed", 0.0, None)
        return
    measured = {row.trial: _measured(row.trial, inputs) for row in settings.predictions if row.trial}
    digest, before = file_digest(inputs["skeleton"]), processor_seconds()
    for outcome in predict_walks(bodies[0], settings.predictions, measured, digest, preset=preset, report=_print):
        ended = _write(results / f"{outcome.row.prediction}.h5", outcome, provenance)
        now = processor_seconds()
        record_job(STEP, outcome.row.prediction, ended, now - before, outcome.cpu_seconds)
        before = now


def _body(settings: Settings, inputs: Mapping[str, Path]) -> Body:
    static, marker_set = None, None
    if "static" in inputs:
        static, marker_set = read_stage(inputs["static"], RawTrial), load_marker_set(inputs["marker_set"])
    return body_of(settings.subject, inputs["skeleton"], static, marker_set, settings.anatomy.hip_centre)


def _measured(walk: str, inputs: Mapping[str, Path]) -> MeasuredWalk:
    cycles, whole_body = inputs[f"cycles/{walk}"], inputs[f"whole_body/{walk}"]
    try:
        _, failed = read_status(cycles)
        if failed:
            return MeasuredWalk(f"failed at {failed.step}: {failed.reason}", failed.reason)
        _, not_fitted = read_status(whole_body)
        return MeasuredWalk(
            read_stage(cycles, GaitCycles), not_fitted.reason if not_fitted else read_stage(whole_body, WholeBody)
        )
    except PipelineError as error:
        return MeasuredWalk(str(error), str(error))


def _write(path: Path, outcome: Outcome, provenance: Provenance) -> str:
    """Write the walk or its failure; how it ended, for the run log."""
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


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    """Predict; a failure is written to its file, so that the process succeeds unless the machine fails."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages.predict", description=__doc__)
    parser.add_argument(
        "inputs", nargs="*", metavar="NAME=FILE", help="skeleton, static, marker_set, cycles/WALK and whole_body/WALK"
    )
    parser.add_argument("--settings", required=True, help="JSON object: subject, anatomy and predictions")
    parser.add_argument("--code", default="", help="digest of the step's code, for the outputs' provenance")
    parser.add_argument("--results", required=True, type=Path, help="folder of the predictions' files")
    options = parser.parse_intermixed_args()
    inputs = {name: Path(file) for name, _, file in (item.partition("=") for item in options.inputs)}
    digests = {name: file_digest(path) for name, path in inputs.items()}
    provenance = Provenance(STEP, digests, options.settings, options.code, library_versions())
    settings = Settings.model_validate_json(options.settings)
    solve_sweep(settings, inputs, provenance, options.results)


if __name__ == "__main__":
    main()
