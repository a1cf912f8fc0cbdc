"""The two pages: header and kinematics by joint; kinetics, EMG, parameters, profile and score, alarms, methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline.conventions import SIDES
from pipeline.reporting.clinical.paper import (
    HEIGHT,
    MARGIN,
    WIDTH,
    PrintedPage,
    add_footers,
    banner,
    cut,
    loads_heading,
    save,
)
from pipeline.reporting.figures.curves import MAX_SINGLES
from pipeline.reporting.figures.panels import Panel, Row
from pipeline.reporting.figures.styles import INK, RULE, SOFT, style_of
from pipeline.reporting.numbers import number
from pipeline.reporting.references import MOMENT_AXES
from pipeline.reporting.run import ReportRun, setting
from pipeline.reporting.trial.tables import ParameterRow, ProfileBar
from pipeline.trial import CUTOFF_METHODS, GaitSummary

INNER = WIDTH - 2.0 * MARGIN
ALARMS, METHODS = 12, 9
"""Maximum number of lines of alarms and methods."""

LOADS, LOADS_WITH_EMG = 96.0, ((80.0, 66.0), (70.0, 58.0))
"""Height of a row of kinetics without EMG; with one or two rows of EMG, heights of a row of kinetics and of EMG."""

MUSCLES, ALARMS_WITH_EMG = 5, 8
"""Muscles in each of at most two rows; maximum number of lines of alarms with EMG."""

BAR_ALPHA = {"left": 1.0, "right": 0.45}
"""Opacity of the bars by side, to tell them apart in greyscale."""


@dataclass(frozen=True)
class ClinicalContent:
    """Contents of the report of a session and condition.

    Attributes:
        subject: name.
        facts: labels and texts of the header.
        kinematics, kinetics: rows of panels, the latter with the ground reaction; empty if no walk has results.
        parameters, profile: tables of both sides.
        summary: averages; None if no walk has results.
        emg: a panel for each muscle; None without EMG.
        emg_methods: how the envelopes are computed, and which norm is shown with them.
        alarms: warnings and refusals, one sentence each.
        moment_axes: axes to which the moments refer.
    """

    subject: str
    facts: Sequence[tuple[str, str]]
    kinematics: Sequence[Row]
    kinetics: Sequence[Row]
    parameters: Sequence[ParameterRow]
    profile: Sequence[ProfileBar]
    summary: GaitSummary | None
    alarms: Sequence[str]
    moment_axes: str = ""
    emg: Row | None = None
    emg_methods: str = ""


def write_clinical_report(path: Path, content: ClinicalContent, run: ReportRun) -> None:
    """Write the report of a session and condition as PDF.

    Args:
        path: file to write.
        content: contents of the report.
        run: the study and its configuration.
    """
    first, second = PrintedPage(), PrintedPage()
    top = _head(first, content.subject, content.facts, run)
    if content.summary:
        top = _legend(first, top, content.summary)
        _angles(first, top, content.kinematics)
        y = draw_loads(second, HEIGHT - MARGIN - 8.0, content.kinetics, content.emg, content.summary)
        y = min(_parameters(second, y, content.parameters), _profile(second, y, content))
        y = _alarms(second, y - 10.0, content.alarms, ALARMS_WITH_EMG if content.emg else ALARMS)
        _methods(second, y - 8.0, content, run.configuration)
    else:
        _alarms(first, top - 10.0, content.alarms, ALARMS)
    add_footers((first, second), f"{run.title} · {content.subject}", run)
    save(path, (first, second), f"Gait analysis, {content.subject}")


def write_failed_clinical_report(path: Path, subject: str, reason: str, run: ReportRun) -> None:
    """Write one page that says why there is no report."""
    page = PrintedPage()
    _alarms(page, _head(page, subject, [("Session", run.session)], run) - 10.0, [reason], ALARMS)
    save(path, (page,), f"Gait analysis, {subject}")


def _head(page: PrintedPage, subject: str, facts: Sequence[tuple[str, str]], run: ReportRun) -> float:
    """Subject and facts in three columns; return the y coordinate below them."""
    y = HEIGHT - MARGIN - 8.0
    page.text(MARGIN, y, "Gait analysis", 13.0, fontweight="bold")
    page.text(WIDTH - MARGIN, y, cut(run.title, 0.6 * INNER, 8.0), 8.0, ha="right", color=SOFT)
    column = INNER / 3.0
    tops = [banner(page, y, run) - 6.0] * 3
    for index, (label, words) in enumerate((("Subject", subject), *facts)):
        k, width = index % 3, column
        if label == "Comment":
            k, width, tops = 0, INNER, [min(tops)] * 3
        x = MARGIN + k * column
        page.text(x, tops[k] - 9.0, label, 6.4, color=SOFT)
        tops[k] = page.paragraph(x + 50.0, tops[k], width - 56.0, words, 7.2, 3) - 1.6
    y = min(tops) - 5.0
    page.line([MARGIN, WIDTH - MARGIN], [y, y], color=INK, linewidth=0.8)
    return y


def _legend(page: PrintedPage, top: float, summary: GaitSummary) -> float:
    y, x = top - 11.0, MARGIN
    for side in SIDES:
        page.sample(x, y + 2.2, 20.0, side)
        page.text(x + 23.0, y, side.capitalize(), 6.8)
        x += 52.0
    thin = f"thin: single walks, at most {MAX_SINGLES} of a side"
    page.text(x, y, f"{thin}; shaded: ± 1 SD of cycles; vertical: foot off", 6.8, color=SOFT)
    if summary.norm:
        page.bar((MARGIN, y - 10.5, 14.0, 6.0), facecolor=style_of("norm")["color"])
        y = page.paragraph(MARGIN + 17.0, y - 1.5, INNER - 17.0, norm_line(summary), 6.8, 4) - 4.0
    return y - 3.0


def norm_line(summary: GaitSummary) -> str:
    """The norm in the legend: its sample, the speeds of norm and walks, and where it was moved."""
    return (
        f"Norm ± 1 SD: {summary.norm}, {summary.norm_sample}, at dimensionless speed {summary.norm_speed:.2f} "
        f"(walks: {number(summary.speed, 2)})" + "".join(f"; {text}" for text in summary.norm_moves)
    )


def _angles(page: PrintedPage, top: float, rows: Sequence[Row]) -> None:
    left, gap, label = MARGIN + 36.0, 34.0, 11.0
    width = (WIDTH - MARGIN - left - 2 * gap) / 3.0
    height = (top - 14.0 - MARGIN) / len(rows)
    for k, plane in enumerate(("Sagittal", "Coronal", "Transverse")):
        page.text(left + k * (width + gap) + 0.5 * width, top - 8.0, plane, 8.0, fontweight="bold", ha="center")
    for index, row in enumerate(rows):
        y = top - 14.0 - (index + 1) * height + 13.0
        turned: dict[str, Any] = {"rotation": 90.0, "ha": "center", "va": "center", "fontweight": "bold"}
        page.text(MARGIN + 2.0, y + 0.5 * (height - label - 13.0), row.heading, 8.0, **turned)
        for k, panel in enumerate(row.panels):
            page.panel((left + k * (width + gap), y, width, height - label - 15.0), panel)


def draw_loads(
    page: PrintedPage, top: float, rows: Sequence[Row], emg: Row | None, summary: GaitSummary | None = None
) -> float:
    """Kinetics with muscle activity below them; return the y coordinate below both."""
    muscles = _muscle_rows(emg)
    loads, activity = LOADS_WITH_EMG[len(muscles) - 1] if muscles else (LOADS, 0.0)
    page.text(MARGIN, top, loads_heading([summary]), 8.0, fontweight="bold")
    y = _panels(page, top - 8.0, [row.panels for row in rows], loads) - 4.0
    if not emg:
        return y
    more = len(emg.panels) - sum(map(len, muscles))
    words = f"Muscle activity (EMG envelopes, {emg.panels[0].axis.units}){f', {more} more on the page' if more else ''}"
    page.text(MARGIN, y - 8.0, words, 8.0, fontweight="bold")
    return _panels(page, y - 13.0, muscles, activity, 4) - 4.0


def _muscle_rows(emg: Row | None) -> list[tuple[Panel, ...]]:
    """Panels of the first muscles in at most two rows of similar length; their unit is in the heading."""
    panels = [replace(panel, axis=replace(panel.axis, units="")) for panel in (emg.panels if emg else ())]
    panels = panels[: 2 * MUSCLES]
    count = -(-len(panels) // MUSCLES)
    length = -(-len(panels) // count) if count else 1
    return [tuple(panels[k : k + length]) for k in range(0, len(panels), length)]


def _panels(page: PrintedPage, top: float, rows: Sequence[Sequence[Panel]], height: float, columns: int = 1) -> float:
    """Rows of panels over the whole width, with at least ``columns`` columns; return the y coordinate below them."""
    left, gap = MARGIN + 30.0, 31.0
    for index, panels in enumerate(rows):
        count = max(len(panels), columns)
        width = (WIDTH - MARGIN - left - (count - 1) * gap) / count
        y = top - (index + 1) * height + 12.0
        for k, panel in enumerate(panels):
            page.panel((left + k * (width + gap), y, width, height - 27.0), panel)
    return top - len(rows) * height


def _parameters(page: PrintedPage, top: float, rows: Sequence[ParameterRow]) -> float:
    right = (MARGIN + 158.0, MARGIN + 212.0, MARGIN + 246.0)
    y = top - 9.0
    page.text(MARGIN, y, "Spatiotemporal parameters", 8.0, fontweight="bold")
    y -= 11.0
    for x, words, colour in zip(right, ("Left", "Right", "Sym. %"), (*map(_colour, SIDES), SOFT), strict=True):
        page.text(x, y, words, 6.4, ha="right", color=colour)
    for row in rows:
        y -= 10.4
        page.text(MARGIN, y, f"{row.name} ({row.units})", 6.6)
        for x, cell in zip(right, (*row.cells, row.symmetry), strict=True):
            page.text(x, y, cell, 6.6, ha="right")
        page.line([MARGIN, right[-1]], [y - 2.8, y - 2.8], color=RULE, linewidth=0.4)
    return y - 6.0


def _colour(side: str) -> str:
    return str(style_of(side)["color"])


def _profile(page: PrintedPage, top: float, content: ClinicalContent) -> float:
    """Bars of the Movement Analysis Profile and the Gait Profile Score, with a line at the RMS of the norm's sample."""
    left, label = MARGIN + 270.0, 82.0
    y = top - 9.0
    page.text(left, y, "Movement Analysis Profile, Gait Profile Score (°)", 8.0, fontweight="bold")
    if not content.profile:
        words = "No norm, or no angle over the whole cycle."
        return page.paragraph(left, y, WIDTH - MARGIN - left, words, 6.6, color=SOFT)
    track = WIDTH - MARGIN - left - label - 24.0
    for bar in content.profile:
        y -= 14.6
        score = bar is content.profile[-1]
        page.text(left, y + 1.8, bar.name, 6.6, fontweight="bold" if score else "normal")
        for k, side in enumerate(SIDES):
            box = (left + label, y + 4.8 - 5.4 * k, track * bar.shares[k] / 100.0, 4.6)
            page.bar(box, facecolor=_colour(side), alpha=BAR_ALPHA[side])
            page.text(left + label + track + 22.0, box[1] + 0.2, bar.cells[k], 5.6, ha="right", color=_colour(side))
        x = left + label + track * bar.sample_share / 100.0
        page.line([x, x], [y - 1.6, y + 10.6], color=INK, linewidth=0.9)
    if content.summary and content.summary.gps_overall == content.summary.gps_overall:
        y -= 9.0
        words = f"Score of both sides {content.summary.gps_overall:.1f}°; vertical line: RMS of the norm's sample."
        page.text(left, y, words, 6.0, color=SOFT)
    return y - 6.0


def _alarms(page: PrintedPage, top: float, alarms: Sequence[str], lines: int) -> float:
    page.text(MARGIN, top - 8.0, "Quality", 8.0, fontweight="bold")
    y, room = top - 10.0, lines
    for index, words in enumerate(alarms):
        if room < 2 and index < len(alarms) - 1:
            return page.paragraph(MARGIN, y, INNER, f"and {len(alarms) - index} more on the walks' pages", 6.4, 1)
        before = y
        y = page.paragraph(MARGIN, y, INNER, words, 6.4, min(room, 3))
        room -= round((before - y) / (1.28 * 6.4))
    return y if alarms else page.paragraph(MARGIN, y, INNER, "No warnings.", 6.4)


def _methods(page: PrintedPage, top: float, content: ClinicalContent, configuration: Mapping[str, Any]) -> None:
    summary = content.summary
    assert summary is not None
    markers = setting(configuration, "filter.markers")
    by = f"a cut-off chosen for each walk by {CUTOFF_METHODS.get(markers, markers)}"
    cutoff = f"{markers:g} Hz" if isinstance(markers, int | float) else by
    axes = MOMENT_AXES.get(content.moment_axes, content.moment_axes)
    estimated = " or, where noted, loads estimated from motion" if any(summary.estimated_count.values()) else ""
    words = (
        f"Methods. Markers low-pass filtered at {cutoff} (zero-lag Butterworth). Joint angles: Cardan angles in "
        "the order flexion, adduction, rotation (Grood and Suntay 1983); pelvis and foot relative to the direction of "
        f"progression. Moments: internal, about {axes}, by inverse dynamics of each leg with the plates' loads"
        f"{estimated}. A gait cycle runs from a foot's initial contact to its next one; means and standard deviations "
        "are over all cycles of a side. Symmetry: left minus right over their mean. Movement Analysis Profile and Gait "
        "Profile Score: root mean square (RMS) difference from the norm's mean (Baker et al. 2009). "
        + (f"Norm: {summary.norm_source} " if summary.norm else "")
        + content.emg_methods
        + "Each walk's page has its steps, events, all warnings and the methods in full."
    )
    page.paragraph(MARGIN, top, INNER, words, 5.6, METHODS + bool(content.emg), color=SOFT)
