"""What the page of a walk shows of its loads estimated from motion: curves of every step, the walk's own error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES
from pipeline.conventions import GRAVITY_G, LATERAL_SIGN, SIDES, X, Y, Z, clinical_signs
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, YAxis
from pipeline.reporting.numbers import number
from pipeline.trial import EstimatedStep, GroundFromMotion, Kinematics, WholeBody

PERCENT = np.linspace(0.0, 100.0, 101)

FORCES = (("ground_fore_aft", X), ("ground_vertical", Y), ("ground_medial", Z))
"""Curves of the registry, and their axes of G."""

MOMENTS = {"hip": "hip_extensor_moment", "knee": "knee_extensor_moment", "ankle": "ankle_plantarflexor_moment"}

BAND = 1.96
"""Standard deviations to either side of a 95 % band."""


@dataclass(frozen=True)
class EstimatedSection:
    """The section's parts as text and panels; ``steps`` are rows of a table, ``warnings`` subject and text."""

    rows: tuple[Row, ...]
    counts: str
    error: str
    steps: tuple[tuple[str, ...], ...]
    warnings: tuple[tuple[str, str], ...]


def estimated_section(found: GroundFromMotion, body: WholeBody, kinematics: Kinematics) -> EstimatedSection:
    """The section of a walk: estimated and, where a plate measured, measured curves of every whole contact."""
    forces = tuple(_force_panel(found, body, name, axis) for name, axis in FORCES)
    moments = tuple(_moment_panel(found, body, joint) for joint in found.leg_joints)
    measured = sum(1 for step in found.steps if step.plate)
    counts = f"{len(found.steps)} steps with estimated loads, {measured} of them measured by a plate, too."
    notes = [note.text for note in found.notes if note.subject == "estimated loads"]
    error = "".join(f"{text[0].upper()}{text[1:]}." for text in notes)
    warnings = tuple((note.subject, note.text) for note in found.notes if note.kind == "warning")
    rows = Row("", forces), Row("", moments)
    return EstimatedSection(rows, counts, error, tuple(map(_row, found.steps)), warnings)


def _axis(name: str) -> YAxis:
    """That of a variable, under a title that says estimated."""
    variable = CYCLE_VARIABLES[name]
    return YAxis.of(variable, f"{variable.title}, estimated")


def _force_panel(found: GroundFromMotion, body: WholeBody, name: str, axis: int) -> Panel:
    """One component of the ground reaction in percent of body weight."""
    weight = found.mass * -GRAVITY_G[Y] / 100.0

    def of(side: str, force_G: np.ndarray) -> np.ndarray:
        inward = -LATERAL_SIGN[side] if axis == Z else 1.0
        return inward * force_G[:, axis] / weight

    estimated = {side: of(side, found.ground[side].force_G) for side in SIDES}
    measured = {side: of(side, body.ground[side].force_G) for side in SIDES}
    return _panel(found, _axis(name), estimated, measured, 100.0 * found.force_sd[:, axis])


def _moment_panel(found: GroundFromMotion, body: WholeBody, joint: str) -> Panel:
    """The sagittal moment of a joint per body mass."""
    none = np.full((len(found.time), 3), np.nan)
    both = [
        {
            side: -clinical_signs(f"{side}_{joint}")[0] * moments.get(f"{side}_{joint}", none)[:, Z] / found.mass
            for side in SIDES
        }
        for moments in (found.joint_moments, body.kinematic.joint_moments)
    ]
    sd = found.moment_sd[:, found.leg_joints.index(joint)]
    return _panel(found, _axis(MOMENTS[joint]), both[0], both[1], sd)


def _panel(
    found: GroundFromMotion,
    axis: YAxis,
    estimated: dict[str, np.ndarray],
    measured: dict[str, np.ndarray],
    sd: np.ndarray,
) -> Panel:
    """Steps of both sides over their contact, and the band of the errors about the mean of each side."""
    curves, bands = [], []
    width = BAND * np.interp(PERCENT, found.contact_percent, sd)
    for side in SIDES:
        steps = [step for step in found.steps if step.side == side]
        own = [_over(found.time, estimated[side], step) for step in steps]
        if own:
            mean = np.mean(own, axis=0)
            bands.append(Band(PERCENT, mean - width, mean + width, f"uncertain {side}", f"{side.capitalize()}, 95 %"))
        curves += [Curve(PERCENT, line, f"{side} estimated") for line in own]
        plates = [_over(found.time, measured[side], step) for step in steps if step.plate]
        curves += [Curve(PERCENT, line, f"{side} single") for line in plates]
    return Panel(axis, tuple(curves), tuple(bands), missing="no step is seen from initial contact to foot off")


def _over(time: np.ndarray, values: np.ndarray, step: EstimatedStep) -> np.ndarray:
    """Values (T,) over a step (101,)."""
    return np.interp(step.start + PERCENT / 100.0 * (step.stop - step.start), time, values)


def _row(step: EstimatedStep) -> tuple[str, ...]:
    """A line of the table of steps."""
    return (step.side, f"{number(step.start, 2)} to {number(step.stop, 2)}", *_errors(step))


def _errors(step: EstimatedStep) -> Iterator[str]:
    yield f"measured (plate {step.plate}) and estimated" if step.plate else "estimated"
    for name, scale, decimals in (
        *((name, 100.0, 1) for name in ("vertical", "fore_aft", "lateral")),
        *((name, 1000.0, 0) for name in ("cop_along", "cop_across")),
        *((name, 1.0, 2) for name in ("hip", "knee", "ankle")),
    ):
        yield number(scale * getattr(step, name), decimals) if step.plate else ""
