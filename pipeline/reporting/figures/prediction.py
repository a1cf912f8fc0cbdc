"""Curve figures of a predicted walk: over its step, and over the gait cycle against a measured walk."""

from __future__ import annotations

import numpy as np

from pipeline.analysis import BOTH, JOINT_FORCES, STEP_VARIABLES, Variable, rows
from pipeline.reporting.figures.curves import GROUND, KINEMATICS, KINETICS, POINTS, panel_rows, predicted_lines
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, YAxis
from pipeline.trial import MotionCurves, PredictedComparison, WhatIfReport

MOTION = {
    quantity: tuple(v for v in STEP_VARIABLES.values() if v.quantity == quantity)
    for quantity in ("angles", "ground", "forces")
}
"""Curves of the figures over the predicted step or stride: angles, ground reaction in G, internal joint forces."""

STYLES = {BOTH: ("total", "Both feet"), "left": ("left", "Left"), "right": ("right", "Right")}
"""Styles and labels of the sides in the order in which they are drawn."""

FORCES = rows(JOINT_FORCES.values(), lambda _: "Net joint forces")
"""Magnitudes of the net joint forces of hip, knee and ankle."""

MISSING = "not predicted"


def motion_rows(motion: MotionCurves) -> dict[str, Row]:
    """Curves over the predicted step or stride.

    They are sagittal hip, knee and ankle angles; lateral, vertical and fore-aft ground reaction of each foot and of
    both, in percent of body weight; and magnitudes of the internal hip, knee and ankle forces, in body weights.
    """
    return {
        figure: Row("", tuple(_over_motion(variable, motion) for variable in variables))
        for figure, variables in MOTION.items()
    }


def _over_motion(variable: Variable, motion: MotionCurves) -> Panel:
    row = motion.variable_names.index(variable.name)
    values = dict(zip(motion.side_names, motion.values[:, row], strict=True))
    curves = tuple(
        Curve(motion.percent, values[side], *style) for side, style in STYLES.items() if np.isfinite(values[side]).any()
    )
    offs = zip(motion.side_names, motion.foot_off, strict=True)
    foot_offs = tuple((f"{side} foot-off", float(x)) for side, x in offs if np.isfinite(x))
    return Panel(YAxis.of(variable), curves, verticals=foot_offs, missing=MISSING)


def comparison_kinematics(both: PredictedComparison) -> tuple[Row, ...]:
    """Predicted against measured angles over the gait cycle, a row for each joint."""
    return panel_rows(KINEMATICS, lambda variable: comparison_panel(both, variable))


def comparison_kinetics(both: PredictedComparison) -> tuple[Row, ...]:
    """Predicted against measured curves over the gait cycle.

    They are internal moments and powers, a row for each joint; net joint forces, if these are compared; ground
    reaction; and points of the body.
    """
    forces = FORCES if set(JOINT_FORCES) <= set(both.variable_names) else {}
    return panel_rows({**KINETICS, **forces, **GROUND, **POINTS}, lambda variable: comparison_panel(both, variable))


def comparison_panel(both: PredictedComparison, variable: Variable) -> Panel:
    """A panel with the mean and spread of each side's measured cycles, and over them the prediction.

    The prediction is one line if both its sides are the same.
    """
    row = both.variable_names.index(variable.name)
    curves, bands, foot_offs = [], [], []
    for k, side in enumerate(both.side_names):
        mean, sd = both.measured[k, row], both.measured_sd[k, row]
        if np.isfinite(sd).any():
            bands.append(Band(both.percent, mean - sd, mean + sd, f"spread {side}", f"Measured, {side} ± 1 SD"))
        if np.isfinite(mean).any():
            curves.append(Curve(both.percent, mean, side, f"Measured, {side}"))
            foot_offs.append((f"{side} foot-off", float(both.measured_foot_off[k])))
    predicted = dict(zip(both.side_names, both.predicted[:, row], strict=True))
    together = len(predicted) == 1 or _alike(both.predicted[:, row])
    curves += predicted_lines(both.percent, predicted, together=together)
    if together:
        foot_offs.append(("predicted foot-off", float(both.predicted_foot_off[0])))
    return Panel(YAxis.of(variable), tuple(curves), tuple(bands), tuple(foot_offs), missing=MISSING)


def what_if_rows(what_if: WhatIfReport, both: PredictedComparison) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Measured, predicted and what-if curves over the gait cycle: angles; moments, powers and ground reaction."""
    figures = (KINEMATICS, {**KINETICS, **GROUND})
    kinematics, kinetics = (panel_rows(one, lambda own: _what_if_panel(what_if, both, own)) for one in figures)
    return kinematics, kinetics


def _what_if_panel(what_if: WhatIfReport, both: PredictedComparison, variable: Variable) -> Panel:
    """A panel of measured, predicted and what-if curves; the prediction is one line if its sides are the same."""
    row = both.variable_names.index(variable.name)
    curves = [
        Curve(both.percent, own[row], f"{side} dashed", f"Measured, {side}")
        for side, own in zip(both.side_names, both.measured, strict=True)
        if np.isfinite(own[row]).any()
    ]
    row = what_if.variable_names.index(variable.name)
    sides = {"": 0} if _alike(what_if.unchanged[:, row]) else {side: k for k, side in enumerate(what_if.side_names)}
    for side, k in sides.items():
        label = f"Predicted, {side}" if side else "Predicted"
        curves.append(Curve(what_if.percent, what_if.unchanged[k, row], f"predicted {side} dashed".strip(), label))
    for k, side in enumerate(what_if.side_names):
        curves.append(Curve(what_if.percent, what_if.changed[k, row], f"predicted {side}", f"What-if, {side}"))
    return Panel(YAxis.of(variable), tuple(curves), missing=MISSING)


def _alike(sides: np.ndarray) -> bool:
    return np.array_equal(sides[0], sides[1], equal_nan=True)
