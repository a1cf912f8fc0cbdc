"""The page of several groups of walks of one subject: overlaid curves for each side, and their values."""

from __future__ import annotations

from pathlib import Path

from pipeline.conventions import SIDES
from pipeline.reporting.clinical.paper import estimated_words
from pipeline.reporting.comparison.paper import ComparisonContent, facts_of, kinematics_of, norm_text, overlaid
from pipeline.reporting.comparison.tables import value_tables
from pipeline.reporting.figures.curves import Rows, panel_rows
from pipeline.reporting.figures.group_comparison import FIGURES
from pipeline.reporting.figures.overlaid_groups import GROUP_STYLES, side_panels
from pipeline.reporting.figures.panels import Row
from pipeline.reporting.interpretation import html_of
from pipeline.reporting.notes import by_heading
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ReportRun


def write_crossed_report(path: Path, content: ComparisonContent, run: ReportRun, pdf: str) -> None:
    """Write the page.

    Args:
        path: HTML file to write.
        content: the same as for the printed report.
        run: the study, configuration and versions.
        pdf: file name of the printed report, in the same folder.
    """
    groups = content.groups
    figures = FIGURES | {"Kinematics": (kinematics_of(groups), 3)}
    write_page(
        path,
        "crossed.html.j2",
        run=run,
        content=content,
        facts=[facts_of(group) for group in groups],
        styles=GROUP_STYLES[len(groups)],
        sides=SIDES,
        norm=norm_text(groups),
        tables=value_tables(groups, content.features, content.parameter_norm),
        figures={
            title: {side: _rows(figure, k, content) for k, side in enumerate(SIDES)}
            for title, (figure, _) in figures.items()
        },
        columns={title: columns for title, (_, columns) in figures.items()},
        estimated=estimated_words(group.summary for group in groups),
        notes=by_heading(content.notes),
        interpretation=html_of(content.interpretation),
        pdf=pdf,
    )


def _rows(figure: Rows, side: int, content: ComparisonContent) -> tuple[Row, ...]:
    labels = [group.name for group in content.groups]
    return panel_rows(figure, lambda variable: side_panels(overlaid(variable, content.groups), labels)[side])
