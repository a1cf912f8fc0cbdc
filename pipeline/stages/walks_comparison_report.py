"""Stage: the page that compares two groups of walks of one subject, or both sides, and its two-page report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from pipeline.workflow.framework import Gathered, guarded
from pipeline.workflow.report_runs import PageOf, run_of_session


@dataclass(frozen=True)
class Asked(Gathered):
    """What the reports of two groups of walks and of four have in common.

    Attributes:
        page: its identity; the session is that of the last group.
        groups: the compared groups, or the only one whose sides are compared.
        age: years, at the session.
        pdf, docx: files of the report.
        interpretation: file of what the clinician wrote; None for none.
        parameter_norm: file of the norm of spatiotemporal parameters; None for none.
    """

    page: PageOf
    groups: tuple[GroupSource, ...]
    age: float | None
    pdf: Path
    docx: Path
    interpretation: Path | None = None
    parameter_norm: Path | None = None

    def content(self, groups: Sequence[ReportedGroup], notes: Sequence[Note]) -> ComparisonContent:
        """Contents of the report, with the features that the study wants, what the clinician wrote, and the norm."""
        page, wanted = self.page, self.page.configuration.report
        features = [parsed(name) for name in wanted.features]
        norm = None
        if self.parameter_norm:
            norm = read_parameter_norm(self.parameter_norm, wanted.parameter_task, self.age)
        written = read_interpretation(self.interpretation)
        return ComparisonContent(page.subject, page.person, groups, features, notes, written, norm)

    def write(self, content: ComparisonContent, run_info: ReportRun) -> None:
        """Write the report as a PDF and as a document that can be edited."""
        write_comparison_pdf(self.pdf, content, run_info)
        write_comparison_docx(self.docx, content, run_info)


def run(
    comparison: GroupComparison, first_average: GaitSummary, second_average: GaitSummary, asked: Asked, output: Path
) -> None:
    """Write the page of both groups, with their averages, and the report."""
    groups, page = asked.groups, asked.page
    run_info = run_of_session([*comparison.first.walks, *comparison.second.walks], page)
    dates = dict(groups[0].facts).get("Date", ""), dict(groups[-1].facts).get("Date", "")
    content = asked.content([read_group(source) for source in groups], comparison.notes)
    written, features = content.interpretation, content.features
    write_group_comparison_report(
        output, comparison, first_average, second_average, dates, run_info, f"{page.trial}.pdf", written, features
    )
    asked.write(content, run_info)


def on_failure(failure: Failure, asked: Asked, output: Path) -> None:
    """Write the page with the reason, and the report, without a norm, of the groups that can be read and drawn."""
    page, run_info = asked.page, run_of_session([asked.page.trial], asked.page)
    write_failed_comparison_report(output, page.trial, failure.step, f"{failure.trial}: {failure.reason}", run_info)
    notes = (Note("warning", failure.trial, failure.reason),)

    def write(shown: Sequence[ReportedGroup]) -> None:
        asked.write(replace(asked, parameter_norm=None).content(shown, notes), run_info)

    read = [(source, guarded(source.name, failure.step, partial(read_group, source))) for source in asked.groups]
    shown = [_without_results(source, own.reason) if isinstance(own, Failure) else own for source, own in read]
    if not_drawn := guarded(page.trial, failure.step, partial(write, shown)):
        write([_without_results(source, not_drawn.reason) for source in asked.groups])


def _without_results(source: GroupSource, reason: str) -> ReportedGroup:
    return ReportedGroup(source.name, source.facts, source.comments, missing=f"no results: {reason}")
