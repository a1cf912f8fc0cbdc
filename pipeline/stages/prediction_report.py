"""Step: the page of a predicted walk, beside a measured walk of the same subject."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration, Prediction
from pipeline.provenance import Provenance
from pipeline.reporting import write_failed_prediction_report, write_prediction_report
from pipeline.results import Failure, read_best_iterate, read_stage, read_status
from pipeline.stages.predictions import prediction_entry
from pipeline.stages.report_runs import run_of_one
from pipeline.trial import Kinematics, PredictedComparison, PredictedWalk


def run(
    prediction: PredictedWalk,
    comparison: PredictedComparison,
    motions: tuple[Path, ...],
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page."""
    report = run_of_one(prediction.name, configuration, provenance, {"skeleton": prediction.skeleton})
    write_prediction_report(output, prediction, comparison, report, _motion_of(comparison.walk, motions))


def on_failure(
    failure: Failure,
    prediction: Path,
    asked: Prediction,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page of a prediction that has no result, with how far the solver came if it did."""
    report = run_of_one(asked.prediction, configuration, provenance, {})
    best = read_best_iterate(prediction, PredictedWalk)
    write_failed_prediction_report(output, prediction_entry(asked, failure), failure.step, report, best)


def _motion_of(walk: str | None, motions: tuple[Path, ...]) -> Kinematics | None:
    """The compared walk in space; walks that failed are left out, their own pages say why."""
    for path in motions:
        if path.parent.name == walk and read_status(path)[1] is None:
            return read_stage(path, Kinematics)
    return None
