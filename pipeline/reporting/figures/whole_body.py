"""Figures of the whole-body page: curves over the gait cycle, residuals over time, forward check, matrix form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.analysis import (
    MATRIX_FORM,
    PERCENT,
    SAGITTAL_MOMENTS,
    SKELETON_VARIABLES,
    TIME_VARIABLES,
    VARIABLES,
    WHOLE_BODY,
    WHOLE_BODY_REDUCED,
    Variable,
    average,
    foot_off,
    limits,
    motions,
    rows,
    stance_moments,
)
from pipeline.conventions import SIDES
from pipeline.reporting.figures.curves import Rows, evenly_chosen, panel_rows
from pipeline.reporting.figures.panels import CYCLE, Curve, Panel, Row, XAxis, YAxis
from pipeline.signals import runs_of
from pipeline.trial import BodyDynamics, GaitCycles, InverseDynamics, Kinematics, WholeBody

AT_LIMIT = 0.05
"""Minimum share of frames at a limit for a figure to say so."""

NEARLY_ALL = 0.9
"""Minimum share of the most complete cycle's known values for another cycle to be averaged with it."""

ANGLE_ROWS, TORQUE_ROWS, FORCE_ROWS = (
    rows(
        (v for v in SKELETON_VARIABLES.values() if v.quantity == quantity),
        lambda v: v.skeleton.row if v.skeleton else "",
    )
    for quantity in ("angles", "moments", "forces")
)
"""Curves of the figures over the gait cycle, by the headings of their rows."""

NO_CYCLE = "no complete gait cycle"
NO_BALANCE = "the loads of both feet are known in no frame"


def angle_rows(body: WholeBody, cycles: GaitCycles) -> tuple[tuple[Row, ...], list[str]]:
    """Angles of the whole body, and the headings of rows without any observed angle, which are left out.

    Angles that no marker observes are labelled as estimated.
    """
    shown = {
        heading: variables
        for heading, variables in ANGLE_ROWS.items()
        if any(
            v.skeleton and v.skeleton.observability(body, side)[0] != "estimated" for v in variables for side in SIDES
        )
    }
    rows = panel_rows(shown, lambda variable: _over_cycle(variable, body, cycles, NO_CYCLE, reduced=False))
    return rows, [name for name in ANGLE_ROWS if name not in shown]


def load_rows(figure: Rows, body: WholeBody, cycles: GaitCycles) -> tuple[Row, ...]:
    """Moments and torques (`TORQUE_ROWS`) or magnitudes of the internal joint forces (`FORCE_ROWS`).

    Those of the residual-reduced motion are included if there is one.
    """
    missing = f"{NO_CYCLE} with known loads"
    return panel_rows(figure, lambda variable: _over_cycle(variable, body, cycles, missing, reduced=True))


def _over_cycle(variable: Variable, body: WholeBody, cycles: GaitCycles, missing: str, reduced: bool) -> Panel:
    """A panel with thin lines for cycles, a thick line for the mean of a side, and a dashed residual-reduced mean."""
    assert variable.skeleton
    curves, foot_offs, remarks = [], [], []
    for side in SIDES:
        own = [c for c in cycles.cycles if c.cycle.side == side]
        lines = _lines(variable, body, body.kinematic, own)
        if not lines:
            continue
        style = f"{side} estimated" if variable.skeleton.observability(body, side)[0] == "estimated" else side
        remarks.append(_remark(variable, body, side))
        if len(lines) > 1:
            curves += [Curve(PERCENT, line, f"{side} single") for line in evenly_chosen(lines)]
        curves.append(Curve(PERCENT, _mean(lines), style, side.capitalize()))
        if reduced and body.residual_reduced:
            mean = _mean(_lines(variable, body, body.residual_reduced, own))
            curves.append(Curve(PERCENT, mean, f"{side} reduced", f"{side.capitalize()}, residual-reduced"))
        foot_offs.append((f"{side} foot-off", float(np.mean([foot_off(c) for c in own]))))
    axis = YAxis.of(variable, ", ".join(dict.fromkeys([variable.title, *filter(None, remarks)])))
    return Panel(axis, tuple(curves), verticals=tuple(foot_offs), missing=f"not known: {missing}")


def _mean(lines: Sequence[np.ndarray]) -> np.ndarray:
    """Mean (101,) of the most complete lines, so that a cycle known only in swing does not remove the stance."""
    shares = np.array([np.isfinite(line).mean() for line in lines])
    whole = [line for line, share in zip(lines, shares, strict=True) if share >= NEARLY_ALL * shares.max()]
    return average(whole, PERCENT.shape).mean


def _remark(variable: Variable, body: WholeBody, side: str) -> str:
    """Remark on one side's curve in a panel's title; empty if the curve is well observed."""
    assert variable.skeleton
    observability, off = variable.skeleton.observability(body, side)
    if observability == "estimated":
        return "estimated"
    if variable.units != "deg":
        return ""
    limit = variable.skeleton.at_limit(body, side)
    weak = f"± {min(off, 180.0):.0f}°" if observability == "weak" else ""
    limited = f"{side} at its limit in {100.0 * limit:.0f} %" if limit >= AT_LIMIT else ""
    return ", ".join(filter(None, (weak, limited)))


def _lines(variable: Variable, body: WholeBody, motion: BodyDynamics, cycles: Sequence) -> list[np.ndarray]:
    lines = variable.over_cycles(body, motion, [c.cycle for c in cycles])
    return [line for line in lines if np.isfinite(line).any()]


def marker_row(body: WholeBody) -> Row:
    """Root mean square distance of measured from model markers over time."""
    variable = VARIABLES["marker_error_rms"]
    across, curves = _seconds(body.time), _over_time(variable, body)
    return Row("", (Panel(YAxis.of(variable), curves, across=across, missing="no marker is seen"),))


def residual_rows(body: WholeBody) -> tuple[Row, ...]:
    """The six pelvis residuals over time, with their limits; frames without the loads of both feet are shaded grey."""
    force_limit, moment_limit = limits(body)
    return (
        Row("Residual force", _residuals(body, "residual_force", force_limit)),
        Row("Residual moment", _residuals(body, "residual_moment", moment_limit)),
    )


def _residuals(body: WholeBody, quantity: str, limit: float) -> tuple[Panel, ...]:
    across = _seconds(body.time)
    ends = np.array([across.first, across.last])
    limits_drawn = [Curve(ends, np.full(2, sign * limit), "limit") for sign in (1.0, -1.0)]
    spans, missing, panels = _unknown(body), f"not known: {NO_BALANCE}", []
    for variable in (v for v in TIME_VARIABLES.values() if v.quantity == quantity):
        known = (*limits_drawn, *_over_time(variable, body)) if body.loads_known.any() else ()
        panels.append(Panel(YAxis.of(variable), known, spans=spans, across=across, missing=missing))
    return tuple(panels)


def _over_time(variable: Variable, body: WholeBody) -> tuple[Curve, ...]:
    """A line for each motion of the skeleton."""
    assert variable.time
    return tuple(
        Curve(body.time, variable.time(body, motion), name.replace("-", "_"), name.capitalize())
        for name, motion in motions(body).items()
    )


def _unknown(body: WholeBody) -> tuple[tuple[str, float, float], ...]:
    """Time intervals in which the residual is undefined, as grey regions."""
    time, last = body.time, len(body.time) - 1
    return tuple(("unknown", float(time[a]), float(time[min(b, last)])) for a, b in runs_of(~body.loads_known))


def _seconds(time: np.ndarray) -> XAxis:
    return XAxis(float(time[0]), float(time[-1]), "s")


FREE_BODY = (
    ("Translation", (("Fore-aft", "forward"), ("Vertical", "up"), ("Mediolateral", "right")), 1000.0, "mm", 20.0, 0),
    ("Rotation", (("Vertical", "left"), ("List", "right down"), ("Tilt", "backward")), 180.0 / np.pi, "°", 5.0, 1),
)
"""Rows of the forward check's figure: coordinates with their positive directions, factor, unit, range, decimals."""


def forward_rows(body: WholeBody) -> tuple[Row, ...]:
    """Deviation of the pelvis in the forward simulation, in the order of the pelvis coordinates."""
    found, rows = body.forward_check, []
    for number, (heading, coordinates, factor, units, reach, decimals) in enumerate(FREE_BODY):
        panels = []
        for k, (title, positive) in enumerate(coordinates, start=3 * number):
            curves: tuple[Curve, ...] = ()
            across = CYCLE
            if found is not None:
                across = _seconds(found.window)
                curves = (Curve(found.window, factor * found.deviation[:, k], "simulated", "Free body"),)
            axis = YAxis(title, units, -reach, reach, decimals, positive)
            panels.append(Panel(axis, curves, across=across, missing="not known: no time window has all loads"))
        rows.append(Row(heading, tuple(panels)))
    return tuple(rows)


def overlay_rows(body: WholeBody, kinematics: Kinematics, loads: InverseDynamics) -> tuple[Row, ...]:
    """Sagittal moments over the first clean stance of each side: matrix form, skeleton, after residual reduction."""
    found = stance_moments(body, kinematics, loads)
    labels = {
        MATRIX_FORM: "Matrix form",
        WHOLE_BODY: "Whole body, kinematic",
        WHOLE_BODY_REDUCED: "Whole body, residual-reduced",
    }
    rows = []
    for side in SIDES:
        styles = {MATRIX_FORM: "matrix", WHOLE_BODY: side, WHOLE_BODY_REDUCED: f"{side} reduced"}
        missing = f"not known: no clean step of the {side} foot"
        panels = []
        for joint, name in SAGITTAL_MOMENTS.items():
            ways = found[side, joint].items()
            curves = tuple(Curve(PERCENT, values, styles[way], labels[way]) for way, values in ways)
            panels.append(Panel(YAxis.of(VARIABLES[name]), curves, missing=missing))
        rows.append(Row(f"{side.capitalize()} leg", tuple(panels)))
    return tuple(rows)
