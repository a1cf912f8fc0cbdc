"""Pages for results that could not be computed (trial, skeleton, prediction): which step failed, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.reporting.clinical.report import write_failed_clinical_report
from pipeline.reporting.figures.stick_figures import snapshots
from pipeline.reporting.pages import write_page
from pipeline.reporting.prediction.entry import PredictionEntry
from pipeline.reporting.run import ReportRun
from pipeline.trial import PredictedWalk


def write_failed_trial_report(path: Path, name: str, step: str, reason: str, run: ReportRun) -> None:
    """Write the page of a trial that failed."""
    _write(path, run, name, "This trial has no results", step, reason)


def write_failed_whole_body_report(path: Path, name: str, step: str, reason: str, run: ReportRun) -> None:
    """Write the page of a walk to which the skeleton could not be fitted; other results are on the walk's page."""
    heading = "The skeleton could not be fitted to this walk"
    _write(path, run, name, heading, step, reason, kind="whole-body skeleton", walk=name)


def write_failed_averages_report(path: Path, pdf: Path, name: str, step: str, reason: str, run: ReportRun) -> None:
    """Write the page and the report of averages that could not be shown; each walk has its own page."""
    heading = "The averages could not be shown"
    _write(path, run, name, heading, step, reason, kind="averages")
    write_failed_clinical_report(pdf, run.subject, f"{heading}: {reason}", run)


def write_failed_comparison_report(path: Path, name: str, step: str, reason: str, run: ReportRun) -> None:
    """Write the page of two groups of walks that could not be compared."""
    _write(path, run, name, "These walks could not be compared", step, reason, kind="comparison")


def write_failed_prediction_report(
    path: Path, asked: PredictionEntry, step: str, run: ReportRun, best: PredictedWalk | None = None
) -> None:
    """Write the page of a prediction that failed.

    Args:
        path: HTML file to write.
        asked: the prediction's row on the study's page.
        step: where it failed.
        run: the study, configuration and versions.
        best: the solver's best iterate; None if it never started.
    """
    content: dict[str, Any] = {"walk": asked.walk, "asked": asked, "best": best}
    if best:
        content["views"] = snapshots(best)
        content["violations"] = sorted(best.solver.violations, key=lambda v: -v.nodes / v.tolerance)
    heading = f"This {'run' if asked.preset == 'running' else 'walk'} could not be predicted"
    _write(path, run, asked.prediction, heading, step, asked.reason, kind="prediction", **content)


def _write(
    path: Path, run: ReportRun, name: str, heading: str, step: str, reason: str, *, kind: str = "", **content: Any
) -> None:
    """Write a page with one box for step and reason; ``walk`` in the content is a measured walk to link to."""
    shown = {"walk": "", "asked": None, "best": None} | content
    write_page(
        path, "failed.html.j2", run=run, name=name, kind=kind, heading=heading, step=step, reason=reason, **shown
    )
