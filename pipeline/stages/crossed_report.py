"""Stage: the page and the report of four groups of walks of one subject: two visits in two conditions each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.analysis import comparability
from pipeline.config import parsed, read_parameter_norm
from pipeline.reporting import (
    ComparisonContent,
    GroupSource,
    ReportedGroup,
    read_group,
    read_interpretation,
    write_comparison_docx,
    write_comparison_pdf,
    write_crossed_report,
    write_failed_comparison_report,
)
from pipeline.results import Failure
from pipeline.trial import Note
from pipeline.workflow.report_runs import PageOf, run_of_session


def run(
    age: float | None,
    groups: tuple[GroupSource, ...],
    page: PageOf,
    output: Path,
    pdf: Path,
    docx: Path,
    interpretation: Path | None = None,
    parameter_norm: Path | None = None,
) -> None:
    """Write page and report; a group without results is listed there with the reason.

    Args:
        age: years, at the session.
        groups: both conditions of the first visit, then those of the second.
        page, output: as for every page; the session is the second visit.
        pdf, docx: files of the report.
        interpretation: file of what the clinician wrote; None for none.
        parameter_norm: file of the norm of spatiotemporal parameters; None for none.
    """
    walks = sorted({walk for source in groups for walk in source.walks})
    run = run_of_session(walks, page)
    written = read_interpretation(interpretation)
    task = page.configuration.report.parameter_task
    norm = read_parameter_norm(parameter_norm, task, age) if parameter_norm else None
    features = [parsed(name) for name in page.configuration.report.features]
    read = [read_group(source) for source in groups]
    content = ComparisonContent(page.subject, page.person, read, features, _notes(read), written, norm)
    write_comparison_pdf(pdf, content, run)
    write_comparison_docx(docx, content, run)
    write_crossed_report(output, content, run, pdf=f"{page.trial}.pdf")


def _notes(groups: Sequence[ReportedGroup]) -> tuple[Note, ...]:
    known = {group.name: (group.summary, group.mass) for group in groups if group.summary}
    return tuple(
        comparability(
            {name: summary.norm for name, (summary, _) in known.items()},
            {name: mass for name, (_, mass) in known.items()},
            {name: summary.leg_length for name, (summary, _) in known.items()},
        )
    )


def on_failure(
    failure: Failure,
    groups: tuple[GroupSource, ...],
    page: PageOf,
    output: Path,
    pdf: Path,
    docx: Path,
) -> None:
    """Write the page and the report with the reason."""
    run = run_of_session([page.trial], page)
    reason = f"{failure.trial}: {failure.reason}"
    write_failed_comparison_report(output, page.trial, failure.step, reason, run)
    missing = [ReportedGroup(source.name, source.facts, missing="no results") for source in groups]
    content = ComparisonContent(page.subject, (), missing, (), (Note("warning", failure.trial, failure.reason),))
    write_comparison_pdf(pdf, content, run)
    write_comparison_docx(docx, content, run)
