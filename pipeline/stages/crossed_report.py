"""Stage: the page and the report of four groups of walks of one subject: two visits in two conditions each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.analysis import comparability, mixed_notes
from pipeline.reporting import GroupSource, ReportedGroup, read_group, write_crossed_report
from pipeline.stages.walks_comparison_report import on_failure as on_failure
from pipeline.stages.walks_comparison_report import report_content, write_report
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
    run_info = run_of_session(walks, page)
    read = [read_group(source) for source in groups]
    content = report_content(page, read, _notes(read), interpretation, parameter_norm, age)
    write_report(pdf, docx, content, run_info)
    write_crossed_report(output, content, run_info, pdf=f"{page.trial}.pdf")


def _notes(groups: Sequence[ReportedGroup]) -> tuple[Note, ...]:
    known = {group.name: (group.summary, group.mass) for group in groups if group.summary}
    comparable = comparability(
        {name: summary.norm for name, (summary, _) in known.items()},
        {name: mass for name, (_, mass) in known.items()},
        {name: summary.leg_length for name, (summary, _) in known.items()},
    )
    mixed = (
        replace(note, subject=f"{group.name}, {note.subject}")
        for group in groups
        for note in mixed_notes(group.cycles.cycles if group.cycles else ())
    )
    return (*comparable, *mixed)
