"""Stage: the page of two groups of walks of one subject."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration
from pipeline.provenance import Provenance
from pipeline.reporting import write_failed_comparison_report, write_group_comparison_report
from pipeline.results import Failure
from pipeline.stages.report_runs import run_of_session
from pipeline.trial import GaitSummary, GroupComparison


def run(
    comparison: GroupComparison,
    first_average: GaitSummary,
    second_average: GaitSummary,
    subject: str,
    session: str,
    trial: str,
    dates: tuple[str, str],
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page; ``dates`` are those of the two groups' sessions, empty where not given."""
    walks = [*comparison.first.walks, *comparison.second.walks]
    run = run_of_session(walks, configuration, provenance, {}, subject=subject, session=session)
    write_group_comparison_report(output, comparison, first_average, second_average, dates, run)


def on_failure(
    failure: Failure,
    subject: str,
    session: str,
    trial: str,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page of groups of which one has no plausible walk."""
    run = run_of_session([trial], configuration, provenance, {}, subject=subject, session=session)
    write_failed_comparison_report(output, trial, failure.step, f"{failure.trial}: {failure.reason}", run)
