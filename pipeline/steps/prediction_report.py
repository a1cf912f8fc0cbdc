"""Step: the page of a predicted walk, beside a measured walk of the same subject."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.config import Configuration, Prediction
from pipeline.provenance import Provenance
from pipeline.reporting import ReportRun
from pipeline.reporting.prediction_page import write_failed_prediction_report, write_prediction_report
from pipeline.results import Failure, read_best_iterate
from pipeline.steps.predictions import prediction_entry
from pipeline.trial import PredictedComparison, PredictedWalk

INDEX = "index.html"


def run(
    prediction: PredictedWalk,
    comparison: PredictedComparison,
    facts: Path,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page."""
    told = json.loads(facts.read_text(encoding="utf-8"))
    report = _report_run(configuration, provenance, {"skeleton": prediction.skeleton})
    write_prediction_report(output, prediction, comparison, report, told)


def on_failure(
    failure: Failure,
    prediction: Path,
    asked: Prediction,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page of a prediction that has no result, with how far the solver came if it did."""
    report = _report_run(configuration, provenance, {})
    best = read_best_iterate(prediction, PredictedWalk)
    write_failed_prediction_report(output, prediction_entry(asked, failure), failure.step, report, best)


def _report_run(configuration: Configuration, provenance: Provenance, inputs: dict[str, str]) -> ReportRun:
    return ReportRun(
        title=configuration.study.title,
        inputs=inputs,
        configuration=configuration.model_dump(),
        versions=provenance.versions,
        index=INDEX,
    )
