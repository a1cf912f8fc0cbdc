"""Stage: the page of a predicted walk, with a measured walk of the same subject."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration, Prediction
from pipeline.provenance import Provenance
from pipeline.reporting import write_failed_prediction_report, write_prediction_report
from pipeline.results import Failure, read_best_iterate, read_stage, read_status
from pipeline.stages.predictions import prediction_entry
from pipeline.stages.report_runs import run_of_session
from pipeline.trial import Kinematics, PredictedComparison, PredictedWalk


def run(
    prediction: PredictedWalk,
    comparison: PredictedComparison,
    requested: Prediction,
    motions: tuple[Path, ...],
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page."""
    subject, session, name = requested.key
    inputs = {"skeleton": prediction.skeleton}
    report = run_of_session([name], configuration, provenance, inputs, subject=subject, session=session)
    write_prediction_report(output, prediction, comparison, report, _motion_of(comparison.walk, motions))


def on_failure(
    failure: Failure,
    prediction: Path,
    requested: Prediction,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page of a prediction that has no result, with how far the solver came if it did."""
    subject, session, name = requested.key
    report = run_of_session([name], configuration, provenance, {}, subject=subject, session=session)
    best = read_best_iterate(prediction, PredictedWalk)
    write_failed_prediction_report(output, prediction_entry(requested, failure), failure.step, report, best)


def _motion_of(walk: str | None, motions: tuple[Path, ...]) -> Kinematics | None:
    """The motion of the compared walk; walks that failed are left out, their own pages say why."""
    for path in motions:
        if path.stem == walk and read_status(path)[1] is None:
            return read_stage(path, Kinematics)
    return None
