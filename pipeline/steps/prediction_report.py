"""Step: the page of a predicted walk, beside the nearest measured walk of the same subject."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration, Prediction
from pipeline.provenance import Provenance
from pipeline.reporting import ReportRun
from pipeline.reporting.prediction_page import write_failed_prediction_report, write_prediction_report
from pipeline.results import Failure, read_stage, read_status
from pipeline.steps.predictions import prediction_entry
from pipeline.steps.run_log import facts
from pipeline.trial import GaitCycles, Kinematics, PredictedWalk

INDEX = "index.html"


def run(
    prediction: PredictedWalk,
    walks: tuple[Path, ...],
    motions: tuple[Path, ...],
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page; walks that failed are left out, their own pages say why."""
    found = [
        (read_stage(path, GaitCycles), motion)
        for path, motion in zip(walks, motions, strict=True)
        if read_status(path)[1] is None
    ]
    motion_of = {cycles.name: motion for cycles, motion in found}
    report = _report_run(prediction.name, configuration, provenance, {"skeleton": prediction.skeleton})
    write_prediction_report(
        output,
        prediction,
        [cycles for cycles, _ in found],
        report,
        lambda name: read_stage(motion_of[name], Kinematics),
    )


def on_failure(
    failure: Failure, asked: Prediction, configuration: Configuration, provenance: Provenance, output: Path
) -> None:
    """Write the page of a prediction that has no result."""
    report = _report_run(asked.prediction, configuration, provenance, {})
    write_failed_prediction_report(output, prediction_entry(asked, failure), failure.step, report)


def _report_run(name: str, configuration: Configuration, provenance: Provenance, inputs: dict[str, str]) -> ReportRun:
    return ReportRun(
        title=configuration.study.title,
        inputs=inputs,
        configuration=configuration.model_dump(),
        versions=provenance.versions,
        index=INDEX,
        facts=facts({name}),
    )
