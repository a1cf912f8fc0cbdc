"""The comparison on two A4 pages: header, notes and kinematics; kinetics, EMG, values with the norm, and methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pipeline.analysis import VARIABLES, Variable
from pipeline.config import ParameterNorm
from pipeline.conventions import SIDES
from pipeline.counts import counted
from pipeline.reporting.clinical.paper import (
    CHARACTER,
    HEIGHT,
    MARGIN,
    WIDTH,
    Box,
    PrintedPage,
    add_footers,
    banner,
    broken,
    cut,
    loads_heading,
    save,
)
from pipeline.reporting.comparison.groups import TRUNK, ReportedGroup
from pipeline.reporting.comparison.tables import ValueTable, value_tables
from pipeline.reporting.figures.curves import GROUND, KINEMATICS, KINETICS, Rows
from pipeline.reporting.figures.muscles import HIGHEST
from pipeline.reporting.figures.overlaid_groups import GROUP_STYLES, OverlaidCurves, axis_of, side_panels
from pipeline.reporting.figures.panels import YAxis
from pipeline.reporting.figures.styles import INK, RULE, SOFT, style_of
from pipeline.reporting.interpretation import blocks_of
from pipeline.reporting.notes import headline
from pipeline.reporting.numbers import number
from pipeline.reporting.references import MOMENT_AXES
from pipeline.reporting.run import ReportRun
from pipeline.trial import Note

INNER = WIDTH - 2.0 * MARGIN
BOTTOM = MARGIN
"""Lower end of the drawing area; the page number is below it."""

COLUMNS = 3
"""Pairs of panels in a row."""

MUSCLES = 5
"""Number of muscles in a row."""

ROW = 7.9
"""Height of a row of the table, points."""

PLANES = ("Sagittal", "Coronal", "Transverse")

LINES = {"group-1": "thin dashed", "group-2": "dotted", "group-3": "thick solid", "group-4": "dash-dotted"}
"""The line styles of the groups in words."""

TEXT_SIZE, LEADING = 7.0, 1.28
"""Font size of the interpretation, and distance of its lines relative to that size."""

LOWEST_ROW = 84.0
"""Minimum height of a row of kinematics that the interpretation leaves, points."""

MAX_LINES = 1000
"""Upper limit on the lines of a paragraph of the interpretation, larger than any file can have."""

COMMENT_LINES = 2
"""Maximum number of lines of a group's comments."""


@dataclass(frozen=True)
class ComparisonContent:
    """Contents of the report.

    Attributes:
        subject: name.
        person: labels and texts on the subject, from the study's tables.
        groups: one to four.
        features: statistic, curve and phase of those in the table.
        notes: of the comparison; only warnings are shown.
        interpretation: text written by the clinician, in Markdown; empty for none.
        parameter_norm: norm of the spatiotemporal parameters; None without one.
    """

    subject: str
    person: Sequence[tuple[str, str]]
    groups: Sequence[ReportedGroup]
    features: Sequence[tuple[str, str, str]] = ()
    notes: Sequence[Note] = ()
    interpretation: str = ""
    parameter_norm: ParameterNorm | None = None

    @property
    def warnings(self) -> list[str]:
        """The findings of the warnings, one sentence each."""
        return [
            f"{note.subject[:1].upper()}{note.subject[1:]}: {headline(note.text)}."
            for note in self.notes
            if note.kind == "warning"
        ]


def write_comparison_pdf(path: Path, content: ComparisonContent, run: ReportRun) -> None:
    """Write the report of one to four groups of walks of a subject as a PDF of two pages.

    Args:
        path: file to write.
        content: contents of the report.
        run: the study.

    Raises:
        ValueError: there is no group, or there are more than four.
    """
    if len(content.groups) not in GROUP_STYLES:
        raise ValueError(f"{len(content.groups)} groups; a report shows one to four")
    first, second = PrintedPage(), PrintedPage()
    y = _head(first, content, run)
    if warnings := content.warnings:
        y = first.paragraph(MARGIN, y - 1.0, INNER, " ".join(warnings), 6.2, 3, color=SOFT)
    y = _interpretation(first, y, content)
    draw_kinematics(first, y, BOTTOM, content.groups)
    tables = value_tables(content.groups, content.features, content.parameter_norm)
    methods = broken(methods_of(content.groups), INNER, 5.6, 5)
    low = BOTTOM + 7.2 * len(methods) + 6.0
    height = sum(len(table.rows) * ROW + 13.0 for table in tables) + 20.0
    draw_loads(second, HEIGHT - MARGIN - 8.0, low + height, content.groups)
    _values(second, low + height, tables, content.groups)
    for k, line in enumerate(methods):
        second.text(MARGIN, BOTTOM + 7.2 * (len(methods) - 1 - k), line, 5.6, color=SOFT)
    add_footers((first, second), f"{run.title} · {content.subject}", run)
    save(path, (first, second), f"Gait analysis, {content.subject}, comparison")


def _head(page: PrintedPage, content: ComparisonContent, run: ReportRun) -> float:
    """Subject, and each group with its line style, facts and comments; return the y coordinate below them."""
    y = HEIGHT - MARGIN - 8.0
    title = "Gait analysis, comparison" if len(content.groups) > 1 else "Gait analysis, both sides"
    page.text(MARGIN, y, title, 13.0, fontweight="bold")
    page.text(WIDTH - MARGIN, y, cut(run.title, 0.5 * INNER, 8.0), 8.0, ha="right", color=SOFT)
    y = banner(page, y, run) - 4.0
    person = " · ".join(f"{label}: {words}" for label, words in (("Subject", content.subject), *content.person))
    y = page.paragraph(MARGIN, y, INNER, person, 7.4, 3) - 3.0
    styles = GROUP_STYLES[len(content.groups)]
    for g, group in enumerate(content.groups):
        y -= 10.0
        x = MARGIN
        for k, side in enumerate(SIDES if styles else ()):
            page.sample(x + 33.0 * k, y + 2.2, 28.0, f"{side} {styles[g]}")
        x += 72.0 if styles else 0.0
        name = cut(group.name, 170.0, 7.4)
        page.text(x, y, name, 7.4, fontweight="bold")
        after = x + 0.66 * 7.4 * len(name) + 8.0
        page.text(after, y, cut(facts_of(group), WIDTH - MARGIN - after, 6.6), 6.6)
        if group.comments:
            words = "Comments: " + "; ".join(group.comments)
            y = page.paragraph(x, y - 1.5, WIDTH - MARGIN - x, words, 6.4, COMMENT_LINES, color=SOFT)
    if not styles:
        y -= 10.0
        for k, side in enumerate(SIDES):
            page.sample(MARGIN + 70.0 * k, y + 2.2, 28.0, side)
            page.text(MARGIN + 70.0 * k + 32.0, y, side.capitalize(), 6.8)
    norm = norm_text(content.groups)
    if norm:
        page.bar((MARGIN, y - 11.0, 28.0, 6.0), facecolor=style_of("norm")["color"])
        y = page.paragraph(MARGIN + 32.0, y - 2.5, INNER - 32.0, norm, 6.4, 2)
    y -= 5.0
    page.line([MARGIN, WIDTH - MARGIN], [y, y], color=INK, linewidth=0.8)
    return y


def facts_of(group: ReportedGroup) -> str:
    """Date, age, walks, speed and score of a group in one line, or why it has no values."""
    if group.missing:
        return group.missing
    words = [text if label == "Date" else f"{label.lower()} {text}" for label, text in group.facts]
    if group.cycles and group.summary:
        count = [sum(curves.cycle.side == side for curves in group.cycles.cycles) for side in SIDES]
        words.append(f"{counted(group.walks, 'walk')}, cycles {count[0]} L, {count[1]} R")
        words.append(f"{number(group.summary.walking_speed, 2)} m/s")
        if np.isfinite(group.summary.gps_overall):
            words.append(f"GPS {group.summary.gps_overall:.1f}°")
    return " · ".join(words)


def norm_text(groups: Sequence[ReportedGroup]) -> str:
    """Description of the norm that is drawn: that of the last group with one. Each group's scores use its own norm."""
    own = [group.summary for group in groups if group.summary and group.summary.norm]
    if not own:
        return ""
    last = own[-1]
    words = f"Norm ± 1 SD: {last.norm}, {last.norm_sample}, at dimensionless speed {last.norm_speed:.2f}"
    if len({(summary.norm, round(summary.norm_speed, 2)) for summary in own}) > 1:
        words += " (of the last group; each group's scores are relative to the norm at its own speed)"
    return words


def _interpretation(page: PrintedPage, top: float, content: ComparisonContent) -> float:
    """The clinician's text in the space that the smallest panels leave; a line says how much does not fit."""
    if not content.interpretation.strip():
        return top
    page.text(MARGIN, top - 9.0, "Interpretation", 8.0, fontweight="bold")
    y = top - 11.0
    room = int((y - BOTTOM - 12.0 - len(kinematics_of(content.groups)) * LOWEST_ROW) / (LEADING * TEXT_SIZE))
    lines = [
        (line, block.heading)
        for block in blocks_of(content.interpretation)
        for line in broken(block.text, INNER, TEXT_SIZE, MAX_LINES)
    ]
    shown = lines if len(lines) <= room else lines[: max(0, room - 1)]
    for words, heading in shown:
        y -= LEADING * TEXT_SIZE
        page.text(MARGIN, y, words, TEXT_SIZE, fontweight="bold" if heading else "normal")
    if len(shown) < len(lines):
        y -= LEADING * TEXT_SIZE
        words = f"{len(lines) - len(shown)} more lines of the interpretation are on the page and in the .docx document."
        page.text(MARGIN, y, words, TEXT_SIZE, fontstyle="italic")
    y -= 5.0
    page.line([MARGIN, WIDTH - MARGIN], [y, y], color=RULE, linewidth=0.5)
    return y


def kinematics_of(groups: Sequence[ReportedGroup]) -> Rows:
    """Angles by the headings of their rows, including the trunk if a group has it."""
    trunk = {"Trunk": tuple(VARIABLES[name] for name in TRUNK)} if any(group.trunk for group in groups) else {}
    return {**trunk, **KINEMATICS}


def draw_kinematics(page: PrintedPage, top: float, low: float, groups: Sequence[ReportedGroup]) -> None:
    """Rows of trunk, pelvis, hip, knee, ankle and foot in three planes, between two y coordinates."""
    rows = kinematics_of(groups)
    grid = [[overlaid(variable, groups) for variable in variables] for variables in rows.values()]
    _grid(page, top - 12.0, low, grid, len(groups), list(rows))
    for box, plane in zip(_pairs(COLUMNS, top, 10.0, headed=True), PLANES, strict=True):
        page.text(box[0] + 0.5 * box[2], top - 10.0, plane, 8.0, fontweight="bold", ha="center")


def legend_lines(groups: Sequence[ReportedGroup]) -> str:
    """The line style of each group in words."""
    if len(groups) == 1:
        return "Lines: left solid, right dashed; grey: norm ± 1 SD."
    words = (f"{group.name}: {LINES[style]}" for group, style in zip(groups, GROUP_STYLES[len(groups)], strict=True))
    return f"Lines: {'; '.join(words)}; grey: norm ± 1 SD. L left, R right."


def overlaid(variable: Variable, groups: Sequence[ReportedGroup]) -> OverlaidCurves:
    """A curve of all groups, with the norm of the last group that has one."""

    def read(g: int, k: int) -> np.ndarray:
        group = groups[g]
        if variable.name in group.trunk:
            return group.trunk[variable.name][k]
        if group.summary is None or variable.name not in group.summary.mean[SIDES[k]]:
            return np.full(101, np.nan)
        return group.summary.mean[SIDES[k]][variable.name]

    normed = [group.summary for group in groups if group.summary and variable.name in group.summary.norm_mean]
    band = (normed[-1].norm_mean[variable.name], normed[-1].norm_sd[variable.name]) if normed else None
    return OverlaidCurves(axis_of(variable), read, band)


def draw_loads(page: PrintedPage, top: float, low: float, groups: Sequence[ReportedGroup]) -> None:
    """Sagittal and coronal moments and powers of the legs, ground reaction, and muscle activity."""
    kinetics = [[v for v in row if v.plane != "transverse"] for row in (*KINETICS.values(), *GROUND.values())]
    grid = [[overlaid(variable, groups) for variable in variables] for variables in kinetics]
    muscles = list(_muscles(groups))
    height = top - low
    share = 1.0 if not muscles else 0.82 if len(muscles) <= MUSCLES else 0.7
    page.text(MARGIN, top, loads_heading(group.summary for group in groups), 8.0, fontweight="bold")
    middle = top - 8.0 - share * (height - 8.0)
    _grid(page, top - 6.0, middle, grid, len(groups))
    if muscles:
        rows = [muscles[k : k + MUSCLES] for k in range(0, min(len(muscles), 2 * MUSCLES), MUSCLES)]
        left = len(muscles) - sum(map(len, rows))
        normalisation = next(group.emg.normalisation for group in groups if group.emg)
        more = f", {left} more on the page" if left else ""
        words = f"Muscle activity (EMG envelopes, of {normalisation}){more}"
        page.text(MARGIN, middle - 8.0, words, 8.0, fontweight="bold")
        _grid(page, middle - 12.0, low, rows, len(groups), columns=MUSCLES)


def _muscles(groups: Sequence[ReportedGroup]) -> Iterator[OverlaidCurves]:
    """Mean envelope of each muscle that any group has."""
    activities = [group.emg for group in groups]
    names = dict.fromkeys(name for activity in activities if activity for name in activity.muscle_names)
    for name in names:

        def read(g: int, k: int, name: str = name) -> np.ndarray:
            activity = activities[g]
            if activity is None or name not in activity.muscle_names:
                return np.full(101, np.nan)
            return activity.mean[k, activity.muscle_names.index(name)]

        highest = max(HIGHEST[activity.normalisation] for activity in activities if activity)
        yield OverlaidCurves(YAxis(name.replace("_", " ").capitalize(), "", 0.0, highest), read)


def _pairs(columns: int, top: float, height: float, headed: bool) -> list[Box]:
    """Boxes of the pairs of panels of a row over the width of the page."""
    left, gap = MARGIN + (32.0 if headed else 22.0), 28.0
    width = (WIDTH - MARGIN - left - (columns - 1) * gap) / columns
    return [(left + k * (width + gap), top - height, width, height) for k in range(columns)]


def _grid(
    page: PrintedPage,
    top: float,
    low: float,
    grid: Sequence[Sequence[OverlaidCurves]],
    groups: int,
    headings: Sequence[str] = (),
    columns: int = COLUMNS,
) -> None:
    """Rows of pairs of panels, left and right sides next to each other on the same axis, between two y coordinates."""
    height = (top - low) / len(grid)
    for index, row in enumerate(grid):
        above = top - index * height
        for box, curves in zip(_pairs(columns, above, height, bool(headings)), row, strict=False):
            _pair(page, (box[0], box[1] + 9.0, box[2], height - 19.0), curves, groups)
        if headings:
            turned = {"rotation": 90.0, "ha": "center", "va": "center", "fontweight": "bold"}
            page.text(MARGIN + 3.0, above - 0.5 * height, headings[index], 8.0, **turned)


def _pair(page: PrintedPage, box: Box, curves: OverlaidCurves, groups: int) -> None:
    left, bottom, width, height = box
    panels = side_panels(curves, [""] * groups)
    gap = 5.0
    own = (width - (len(panels) - 1) * gap) / len(panels)
    for k, panel in enumerate(panels):
        x = left + k * (own + gap)
        untitled = replace(panel, axis=replace(panel.axis, title="", units=""))
        page.panel((x, bottom, own, height), untitled, labelled=k == 0)
        if len(panels) > 1:
            page.text(x + own - 2.0, bottom + height - 6.0, "LR"[k], 5.6, ha="right", color=SOFT)
    axis = curves.axis
    title = f"{axis.title} ({axis.units})" if axis.units else axis.title
    page.text(left, bottom + height + 2.5, cut(title, width, 6.2), 6.2, fontweight="bold")


def _values(page: PrintedPage, top: float, tables: Sequence[ValueTable], groups: Sequence[ReportedGroup]) -> None:
    """The tables below a common header of sides and groups."""
    count = len(groups)
    label, norm = 156.0, 40.0
    normed = any(row.norm for table in tables for row in table.rows)
    start = MARGIN + label + (norm if normed else 0.0)
    column = (WIDTH - MARGIN - start) / (len(SIDES) * count)
    ends = [start + (k + 1) * column for k in range(len(SIDES) * count)]
    y = top - 8.0
    for k, side in enumerate(SIDES):
        page.text(start + (k + 0.5) * count * column, y, side.capitalize(), 6.8, ha="center", fontweight="bold")
    y -= 7.0
    if normed:
        page.text(MARGIN + label + norm - 4.0, y, "Norm", 6.0, ha="right", color=SOFT)
    styles = GROUP_STYLES[count]
    length = min(24.0, column - 8.0)
    for k, end in enumerate(ends if styles else ()):
        page.sample(end - length, y + 2.0, length, f"{SIDES[k // count]} {styles[k % count]}")
    y -= 3.0
    for table in tables:
        y -= 8.6
        page.text(MARGIN, y, table.heading, 6.8, fontweight="bold")
        y -= 2.0
        for row in table.rows:
            y -= ROW
            page.text(MARGIN, y, cut(row.name, label, 6.0), 6.0)
            page.text(MARGIN + label + norm - 4.0, y, row.norm, 6.0, ha="right", color=SOFT)
            for end, cell in zip(ends, row.cells, strict=True):
                size = min(6.0, (column - 3.0) / (CHARACTER * max(1, len(cell))))
                page.text(end, y, cell, size, ha="right")
            page.line([MARGIN, WIDTH - MARGIN], [y - 2.0, y - 2.0], color=RULE, linewidth=0.35)


def methods_of(groups: Sequence[ReportedGroup]) -> str:
    """How the values were computed, in brief."""
    moments = next((group.cycles.moment_axes for group in groups if group.cycles), "")
    emg = next((group.emg for group in groups if group.emg), None)
    return (
        "Methods. Curves are means over all cycles of a side; ± is their standard deviation (none: a single cycle). "
        "Joint angles: Cardan angles (Grood and Suntay 1983); pelvis and foot relative to the direction of "
        "progression; trunk: thorax relative to pelvis, on the skeleton fitted to markers. Moments: internal, about "
        f"{MOMENT_AXES.get(moments, moments)}. Profile and score: root mean square (RMS) difference from the norm's "
        "mean (Baker et al. 2009), with the RMS of the norm's sample; features' norm: from the norm's mean curve. "
        + (
            f"EMG: low-pass {emg.envelope_cutoff:g} Hz, normalised to the {emg.normalisation} of a muscle's mean "
            "envelope. "
            if emg
            else ""
        )
        + "Transverse moments are on the web page; changes with confidence intervals are on pages of two groups."
    )
