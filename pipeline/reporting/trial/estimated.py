"""The section of a walk's page on loads estimated from motion: curves of every step, and the walk's own error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, SAGITTAL_MOMENTS, StepLoads, estimated_steps, measured_steps
from pipeline.conventions import BAND_95, SIDES
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, YAxis
from pipeline.reporting.numbers import number
from pipeline.trial import EstimatedStep, GroundFromMotion, WholeBody

FORCES = ("ground_fore_aft", "ground_vertical", "ground_medial")
"""Names of the ground reaction's curves in the registry."""

MOMENTS = tuple(SAGITTAL_MOMENTS[joint] for joint in ("hip", "knee", "ankle"))

ERRORS = (
    *((name, 100.0, 1) for name in ("vertical", "fore_aft", "lateral")),
    *((name, 1000.0, 0) for name in ("cop_along", "cop_across")),
    *((name, 1.0, 2) for name in ("hip", "knee", "ankle")),
)
"""Errors of a step in the order of the table's columns, with their scale and decimals there."""


@dataclass(frozen=True)
class EstimatedSection:
    """The section's parts as text and panels; ``steps`` are rows of a table, ``warnings`` subject and text."""

    rows: tuple[Row, ...]
    counts: str
    error: str
    steps: tuple[tuple[str, ...], ...]
    warnings: tuple[tuple[str, str], ...]


def estimated_section(found: GroundFromMotion, body: WholeBody) -> EstimatedSection:
    """The section of a walk: estimated curves of every complete contact and, if a plate measured it, measured ones."""
    estimated, plates = estimated_steps(found), measured_steps(found, body)
    rows = tuple(Row("", tuple(_panel(name, estimated, plates) for name in names)) for names in (FORCES, MOMENTS))
    measured = sum(1 for step in found.steps if step.plate)
    counts = f"Steps with estimated loads: {len(found.steps)}. Also measured by a plate: {measured}."
    notes = [note.text for note in found.notes if note.subject == "estimated loads"]
    error = "".join(f"{text[0].upper()}{text[1:]}." for text in notes)
    warnings = tuple((note.subject, note.text) for note in found.notes if note.kind == "warning")
    return EstimatedSection(rows, counts, error, tuple(map(_row, found.steps)), warnings)


def _panel(name: str, estimated: Sequence[StepLoads], measured: Sequence[StepLoads]) -> Panel:
    """A panel with the steps of both sides over stance, and a 95 % band of the error about the mean of each side."""
    variable, curves, bands = CYCLE_VARIABLES[name], [], []
    for side in SIDES:
        own = [step for step in estimated if step.step.side == side]
        lines = [variable.of(step) for step in own]
        if own:
            mean, width = np.mean(lines, axis=0), BAND_95 * own[0].error_sd[name]
            bands.append(Band(PERCENT, mean - width, mean + width, f"uncertain {side}", f"{side.capitalize()}, 95 %"))
        curves += [Curve(PERCENT, line, f"{side} estimated") for line in lines]
        plates = [variable.of(step) for step in measured if step.step.side == side]
        curves += [Curve(PERCENT, line, f"{side} single") for line in plates]
    axis = YAxis.of(variable, f"{variable.title}, estimated")
    return Panel(axis, tuple(curves), tuple(bands), missing="no step is seen from initial contact to foot off")


def _row(step: EstimatedStep) -> tuple[str, ...]:
    """A row of the table of steps: side, time, source of the loads, and the errors of a measured step."""
    source = f"measured (plate {step.plate}) and estimated" if step.plate else "estimated"
    errors = (number(scale * getattr(step, name), decimals) if step.plate else "" for name, scale, decimals in ERRORS)
    return (step.side, f"{number(step.start, 2)} to {number(step.stop, 2)}", source, *errors)
