"""Stage: the page that compares two groups of walks of one subject, or both sides, and its two-page report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pipeline.config import parsed, read_parameter_norm
from pipeline.reporting import (
    ComparisonContent,
    GroupSource,
    ReportedGroup,
    ReportRun,
    read_group,
    read_interpretation,
    write_comparison_docx,
    write_comparison_pdf,
    write_failed_comparison_report,
    write_group_comparison_report,
)
from pipeline.results import Failure
from pipeline.trial import GaitSummary, GroupComparison, Note
from pipeline.workflow.framework import guarded
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
    run_info = run_of_session(walks, page)
    dates = dict(groups[0].facts).get("Date", ""), dict(groups[-1].facts).get("Date", "")
    read = [read_group(source) for source in groups]
    content = report_content(page, read, comparison.notes, interpretation, parameter_norm, age)
    written, features = content.interpretation, content.features
    write_group_comparison_report(
        output, comparison, first_average, second_average, dates, run_info, f"{page.trial}.pdf", written, features
    )
    write_report(pdf, docx, content, run_info)


def report_content(
    page: PageOf,
    groups: Sequence[ReportedGroup],
    notes: Sequence[Note],
    interpretation: Path | None,
    parameter_norm: Path | None = None,
    age: float | None = None,
) -> ComparisonContent:
    """Contents of the report, with the features that the study wants, what the clinician wrote, and the norm."""
    wanted, written = page.configuration.report, read_interpretation(interpretation)
    features = [parsed(name) for name in wanted.features]
    norm = read_parameter_norm(parameter_norm, wanted.parameter_task, age) if parameter_norm else None
    return ComparisonContent(page.subject, page.person, groups, features, notes, written, norm)


def write_report(pdf: Path, docx: Path, content: ComparisonContent, run_info: ReportRun) -> None:
    """Write the report as a PDF and as a document that can be edited."""
    write_comparison_pdf(pdf, content, run_info)
    write_comparison_docx(docx, content, run_info)


def on_failure(
    failure: Failure,
    groups: tuple[GroupSource, ...],
    page: PageOf,
    output: Path,
    pdf: Path,
    docx: Path,
    interpretation: Path | None = None,
) -> None:
    """Write the page with the reason, and the report of the groups whose results can be read and drawn."""
    run_info = run_of_session([page.trial], page)
    write_failed_comparison_report(output, page.trial, failure.step, f"{failure.trial}: {failure.reason}", run_info)
    notes = (Note("warning", failure.trial, failure.reason),)

    def write(shown: Sequence[ReportedGroup]) -> None:
        write_report(pdf, docx, report_content(page, shown, notes, interpretation), run_info)

    read = [(source, guarded(source.name, failure.step, partial(read_group, source))) for source in groups]
    shown = [_without_results(source, own.reason) if isinstance(own, Failure) else own for source, own in read]
    if not_drawn := guarded(page.trial, failure.step, partial(write, shown)):
        write([_without_results(source, not_drawn.reason) for source in groups])


def _without_results(source: GroupSource, reason: str) -> ReportedGroup:
    return ReportedGroup(source.name, source.facts, source.comments, missing=f"no results: {reason}")
