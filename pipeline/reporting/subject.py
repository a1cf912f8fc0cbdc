"""The page of a subject: all walks and both sides together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.conventions import SIDES
from pipeline.reporting.figures import curves
from pipeline.reporting.figures.statistical_mapping import differences, mapping_row
from pipeline.reporting.notes import by_heading
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ReportRun
from pipeline.reporting.study import STATUSES, StudyEntry
from pipeline.reporting.trial import tables
from pipeline.trial import GaitCycles, GaitSummary


def write_subject_report(
    path: Path,
    subject: str,
    entries: Sequence[StudyEntry],
    walks: Sequence[tuple[GaitCycles, GaitSummary]],
    summary: GaitSummary | None,
    run: ReportRun,
) -> None:
    """Write the page of a subject: both sides and all walks in one figure, averages with their spread.

    Args:
        path: HTML file to write.
        subject: identifier.
        entries: of all the subject's walks, failed ones too.
        walks: those that were computed.
        summary: of all their cycles together; None if there are no walks.
        run: the study, configuration and versions.
    """
    content: dict[str, Any] = {}
    if summary:
        missing = "no walk has a cycle with it"
        sides, norm = curves.subject_sides(walks, summary), curves.norm_of(summary)
        content = {
            "walks": len(walks),
            "notes": by_heading(summary.notes),
            "cycles": {side: sum(c.cycle.side == side for own, _ in walks for c in own.cycles) for side in SIDES},
            "parameters": tables.parameter_rows(summary.parameter_mean, summary.parameter_sd, summary.symmetry),
            "profile": tables.profile_bars(summary),
            "kinematics_rows": curves.kinematics_rows(sides, norm, missing),
            "kinetics_rows": curves.kinetics_rows(sides, norm, missing),
            "ground_row": curves.ground_row(sides, norm, missing),
            "mapping_row": mapping_row(summary) if summary.sides_compared else None,
            "differences": differences(summary),
        }
    rows = walk_rows(entries, [own for _, own in walks])
    write_page(
        path,
        "subject.html.j2",
        run=run,
        subject=subject,
        rows=rows,
        statuses=STATUSES,
        summary=summary,
        sides=SIDES,
        **content,
    )


def walk_rows(
    entries: Sequence[StudyEntry], summaries: Sequence[GaitSummary]
) -> list[tuple[StudyEntry, tuple[tuple[float, int], ...]]]:
    """Each walk's entry with values and their decimals: speed, cadence, scores of left, right and both sides."""
    gps = {summary.name: summary.gps for summary in summaries}
    unknown = np.full(len(SIDES), np.nan)
    return [
        (
            entry,
            ((entry.speed, 2), (entry.cadence, 0), *((v, 1) for v in gps.get(entry.trial, unknown)), (entry.gps, 1)),
        )
        for entry in entries
    ]
