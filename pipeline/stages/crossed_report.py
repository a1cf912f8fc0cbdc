"""Stage: the page and the report of four groups of walks of one subject: two visits in two conditions each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.analysis import comparability, mixed_notes
from pipeline.reporting import ReportedGroup, read_group, write_crossed_report
from pipeline.stages.walks_comparison_report import Asked
from pipeline.stages.walks_comparison_report import on_failure as on_failure
from pipeline.trial import Note
from pipeline.workflow.report_runs import run_of_session


def run(asked: Asked, output: Path) -> None:
    """Write page and report of both conditions of the first visit, then of the second.

    A group without results is listed there with the reason.
    """
    walks = sorted({walk for source in asked.groups for walk in source.walks})
    run_info = run_of_session(walks, asked.page)
    read = [read_group(source) for source in asked.groups]
    content = asked.content(read, _notes(read))
    asked.write(content, run_info)
    write_crossed_report(output, content, run_info, pdf=f"{asked.page.trial}.pdf")


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
