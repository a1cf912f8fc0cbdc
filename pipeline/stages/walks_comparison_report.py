"""Stage: the page that compares two groups of walks of one subject, or both sides, and its two-page report."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import parsed, read_parameter_norm
from pipeline.reporting import (
    ComparisonContent,
    GroupSource,
    read_group,
    read_interpretation,
    write_comparison_docx,
    write_comparison_pdf,
    write_failed_comparison_report,
    write_group_comparison_report,
)
from pipeline.results import Failure
from pipeline.trial import GaitSummary, GroupComparison, Note
from pipeline.workflow.report_runs import PageOf, run_of_session


def run(
    comparison: GroupComparison,
    first_average: GaitSummary,
    second_average: GaitSummary,
    age: float | None,
    groups: tuple[GroupSource, ...],
    page: PageOf,
    output: Path,
    pdf: Path,
    docx: Path,
    interpretation: Path | None = None,
    parameter_norm: Path | None = None,
) -> None:
    """Write page and report.

    Args:
        comparison: of both groups.
        first_average, second_average: of the groups.
        age: years, at the session.
        groups: both groups, or the only one whose sides are compared.
        page, output: as for every page; the session is that of the second group.
        pdf, docx: files of the report.
        interpretation: file of what the clinician wrote; None for none.
        parameter_norm: file of the norm of spatiotemporal parameters; None for none.
    """
    walks = [*comparison.first.walks, *comparison.second.walks]
    run = run_of_session(walks, page)
    dates = dict(groups[0].facts).get("Date", ""), dict(groups[-1].facts).get("Date", "")
    written = read_interpretation(interpretation)
    features = [parsed(name) for name in page.configuration.report.features]
    write_group_comparison_report(
        output, comparison, first_average, second_average, dates, run, f"{page.trial}.pdf", written, features
    )
    task = page.configuration.report.parameter_task
    norm = read_parameter_norm(parameter_norm, task, age) if parameter_norm else None
    read = [read_group(source) for source in groups]
    content = ComparisonContent(page.subject, page.person, read, features, comparison.notes, written, norm)
    write_comparison_pdf(pdf, content, run)
    write_comparison_docx(docx, content, run)


def on_failure(
    failure: Failure,
    groups: tuple[GroupSource, ...],
    page: PageOf,
    output: Path,
    pdf: Path,
    docx: Path,
    interpretation: Path | None = None,
) -> None:
    """Write the page of a comparison with a group without plausible walks, and the report of the other groups."""
    run = run_of_session([page.trial], page)
    notes = (Note("warning", failure.trial, failure.reason),)
    write_failed_comparison_report(output, page.trial, failure.step, f"{failure.trial}: {failure.reason}", run)
    written = read_interpretation(interpretation)
    features = [parsed(name) for name in page.configuration.report.features]
    content = ComparisonContent(
        page.subject, page.person, [read_group(source) for source in groups], features, notes, written
    )
    write_comparison_pdf(pdf, content, run)
    write_comparison_docx(docx, content, run)
