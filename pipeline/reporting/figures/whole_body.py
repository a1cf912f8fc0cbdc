"""Figures of the whole skeleton's page: curves over the gait cycle, residuals over time, and two kinds of evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.analysis.cycles import JOINTS, PERCENT, foot_off
from pipeline.analysis.summary import average
from pipeline.analysis.whole_body.measures import limits, marker_errors
from pipeline.analysis.whole_body.method_comparison import CONSISTENT, MATRIX_FORM, SKELETON, stance_moments
from pipeline.analysis.whole_body.variables import BODY_VARIABLES, BodyVariable
from pipeline.conventions import SIDES
from pipeline.reporting.figures.panels import CYCLE, Curve, Panel, Row, XAxis, YAxis
from pipeline.reporting.figures.scales import MOMENTS, SCALES
from pipeline.reporting.figures.whole_body_scales import (
    ANGLE_ROWS,
    BODY_SCALES,
    FORCE_ROWS,
    MARKERS,
    RESIDUAL_FORCES,
    RESIDUAL_MOMENTS,
    TORQUE_ROWS,
)
from pipeline.trial import BodyDynamics, GaitCycles, InverseDynamics, Kinematics, WholeBody

WORTH_SAYING = 0.05
"""Part of the frames at a limit from which on a figure says so."""

NEARLY_ALL = 0.9
"""Part of the most complete cycle's known values that another must have to be averaged with it."""

NO_CYCLE = "no whole gait cycle"
NO_BALANCE = "the loads of both feet are known in no frame"


def angle_rows(body: WholeBody, cycles: GaitCycles) -> tuple[tuple[Row, ...], list[str]]:
    """Angles of the whole body, those that no marker shows named as estimated; and the rows of which none is shown."""
    shown = {
        heading: names
        for heading, names in ANGLE_ROWS.items()
        if any(BODY_VARIABLES[name].sight(body, side)[0] != "estimated" for name in names for side in SIDES)
    }
    return _rows(shown, body, cycles, NO_CYCLE, bent=False), [name for name in ANGLE_ROWS if name not in shown]


def torque_rows(body: WholeBody, cycles: GaitCycles) -> tuple[Row, ...]:
    """Joint moments and torques, with those of the consistent motion where there is one."""
    return _rows(TORQUE_ROWS, body, cycles, f"{NO_CYCLE} with known loads", bent=True)


def force_rows(body: WholeBody, cycles: GaitCycles) -> tuple[Row, ...]:
    """Magnitudes of the internal joint forces."""
    return _rows(FORCE_ROWS, body, cycles, f"{NO_CYCLE} with known loads", bent=True)


def _rows(
    rows: Mapping[str, Sequence[str]], body: WholeBody, cycles: GaitCycles, missing: str, bent: bool
) -> tuple[Row, ...]:
    return tuple(
        Row(heading, tuple(_over_cycle(name, body, cycles, missing, bent) for name in names))
        for heading, names in rows.items()
    )


def _over_cycle(name: str, body: WholeBody, cycles: GaitCycles, missing: str, bent: bool) -> Panel:
    """Every cycle of both sides as a line, a side's mean stronger, that of the consistent motion dashed."""
    variable = BODY_VARIABLES[name]
    curves, foot_offs, doubts = [], [], []
    for side in SIDES:
        own = [c for c in cycles.cycles if c.cycle.side == side]
        lines = _lines(name, body, body.kinematic, own)
        if not lines:
            continue
        style = f"{side} estimated" if variable.sight(body, side)[0] == "estimated" else side
        doubts.append(_doubt(variable, body, side))
        if len(lines) > 1:
            curves += [Curve(PERCENT, line, f"{side} single") for line in lines]
        curves.append(Curve(PERCENT, _mean(lines), style, side.capitalize()))
        if bent and body.residual_reduced:
            mean = _mean(_lines(name, body, body.residual_reduced, own))
            curves.append(Curve(PERCENT, mean, f"{side} reduced", f"{side.capitalize()}, consistent"))
        foot_offs.append((f"{side} foot-off", float(np.mean([foot_off(c) for c in own]))))
    panel = Panel(BODY_SCALES[name], tuple(curves), verticals=tuple(foot_offs), missing=f"not known: {missing}")
    return panel.titled(*doubts)


def _mean(lines: Sequence[np.ndarray]) -> np.ndarray:
    """Mean (101,) of the most complete lines: a cycle of which only the swing is known must not cost the stance."""
    shares = np.array([np.isfinite(line).mean() for line in lines])
    whole = [line for line, share in zip(lines, shares, strict=True) if share >= NEARLY_ALL * shares.max()]
    return average(whole, PERCENT.shape).mean


def _doubt(variable: BodyVariable, body: WholeBody, side: str) -> str:
    """What a panel's title says of one side's curve; nothing if it is plainly seen."""
    sight, off = variable.sight(body, side)
    if sight == "estimated":
        return "estimated"
    if variable.units != "deg":
        return ""
    limit = variable.at_limit(body, side)
    weak = f"± {min(off, 180.0):.0f}°" if sight == "weak" else ""
    pinned = f"{side} at its limit in {100.0 * limit:.0f} %" if limit >= WORTH_SAYING else ""
    return ", ".join(filter(None, (weak, pinned)))


def _lines(name: str, body: WholeBody, motion: BodyDynamics, cycles: Sequence) -> list[np.ndarray]:
    lines = [BODY_VARIABLES[name].over(body, motion, c.cycle) for c in cycles]
    return [line for line in lines if np.isfinite(line).any()]


def marker_row(body: WholeBody) -> Row:
    """Root mean square distance of the markers over time."""
    curves = tuple(
        Curve(body.time, 1000.0 * marker_errors(motion).frame_rms, label.lower(), label)
        for label, motion in (("Kinematic", body.kinematic), ("Residual_reduced", body.residual_reduced))
        if motion is not None
    )
    return Row("", (Panel(MARKERS, curves, across=_seconds(body.time), missing="no marker is seen"),))


def residual_rows(body: WholeBody) -> tuple[Row, ...]:
    """The six residuals at the pelvis over time, with their limits; frames without both feet's loads lie in grey."""
    force_limit, moment_limit = limits(body)
    return (
        Row("Residual force", _residuals(body, "residual_force", RESIDUAL_FORCES, force_limit)),
        Row("Residual moment", _residuals(body, "residual_moment", RESIDUAL_MOMENTS, moment_limit)),
    )


def _residuals(body: WholeBody, field: str, scales: Sequence[YAxis], limit: float) -> tuple[Panel, ...]:
    across = _seconds(body.time)
    spans = tuple(("unknown", begin, end) for begin, end in _unknown(body))
    ends = np.array([across.first, across.last])
    panels = []
    for k, scale in enumerate(scales):
        curves = [Curve(ends, np.full(2, sign * limit), "limit") for sign in (1.0, -1.0)]
        for label, motion in (("Kinematic", body.kinematic), ("Residual_reduced", body.residual_reduced)):
            if motion is not None and body.balanced.any():
                values = np.where(body.balanced, 100.0 * getattr(motion, field)[:, k], np.nan)
                curves.append(Curve(body.time, values, label.lower(), label))
        panels.append(Panel(scale, tuple(curves), spans=spans, across=across, missing=f"not known: {NO_BALANCE}"))
    return tuple(panels)


def _unknown(body: WholeBody) -> list[tuple[float, float]]:
    """Begin and end of the stretches in which the residual means nothing."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], ~body.balanced, [False]]).astype(np.int8)))
    last = len(body.time) - 1
    return [(float(body.time[start]), float(body.time[min(stop, last)])) for start, stop in edges.reshape(-1, 2)]


def _seconds(time: np.ndarray) -> XAxis:
    return XAxis(float(time[0]), float(time[-1]), "s")


def reproduction_rows(body: WholeBody) -> tuple[Row, ...]:
    """Sagittal angles of the legs as fitted, and as forward dynamics makes them of the computed torques."""
    found = body.forward_check
    rows = []
    for side in SIDES:
        panels = []
        for joint in JOINTS:
            name = {"hip": "hip_flexion", "knee": "knee_flexion", "ankle": "ankle_dorsiflexion"}[joint]
            curves: tuple[Curve, ...] = ()
            across = CYCLE
            if found is not None:
                column = body.joint_names.index(f"{side}_{joint}_flexion")
                measured, simulated = (np.degrees(part[:, column]) for part in (found.measured, found.simulated))
                across = _seconds(found.window)
                curves = (
                    Curve(found.window, measured, side, "As fitted"),
                    Curve(found.window, simulated, "simulated", "Reproduced"),
                )
            panels.append(Panel(SCALES[name], curves, across=across, missing="not known: no window has all loads"))
        rows.append(Row(f"{side.capitalize()} leg", tuple(panels)))
    return tuple(rows)


def overlay_rows(body: WholeBody, kinematics: Kinematics, loads: InverseDynamics) -> tuple[Row, ...]:
    """Sagittal moments over the first clean stance of each side: matrix form, and skeleton untouched and consistent."""
    found = stance_moments(body, kinematics, loads)
    labels = {MATRIX_FORM: "Matrix form", SKELETON: "Skeleton", CONSISTENT: "Skeleton, consistent"}
    rows = []
    for side in SIDES:
        styles = {MATRIX_FORM: "matrix", SKELETON: side, CONSISTENT: f"{side} reduced"}
        missing = f"not known: no clean step of the {side} foot"
        panels = []
        for joint, variable in zip(JOINTS, MOMENTS[0], strict=True):
            ways = found[side, joint].items()
            curves = tuple(Curve(PERCENT, values, styles[way], labels[way]) for way, values in ways)
            panels.append(Panel(SCALES[variable], curves, missing=missing))
        rows.append(Row(f"{side.capitalize()} leg", tuple(panels)))
    return tuple(rows)
