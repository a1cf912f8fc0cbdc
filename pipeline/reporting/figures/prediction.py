"""Curve figures of a predicted walk: over its step, and over the gait cycle beside a measured one."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.predicted.motion import ANGLES, BOTH, FORCES
from pipeline.analysis.predicted.motion import GROUND as GROUND_IN_G
from pipeline.reporting.figures.panels import Curve, Panel, Row, YAxis
from pipeline.reporting.figures.scales import GROUND, KINEMATICS, MOMENTS, PLANES, POWERS, SCALES
from pipeline.trial import MotionCurves, PredictedComparison

MOTION: dict[str, tuple[YAxis, ...]] = {
    "angles": tuple(SCALES[name] for name in ANGLES.values()),
    "ground": (
        YAxis("Lateral", "% BW", "Right", "Left", -15, 15),
        YAxis("Vertical", "% BW", "Up", "", 0, 125),
        YAxis("Fore-aft", "% BW", "Forward", "Backward", -25, 25),
    ),
    "forces": tuple(YAxis(f"{joint.capitalize()} force", "BW", "", "", 0, 1.4) for joint in FORCES),
}
"""Panels of the figures over the predicted step or stride: angles, ground reaction in G, internal joint forces."""

STYLES = {BOTH: ("total", "Both feet"), "left": ("left", "Left"), "right": ("right", "Right")}
"""Styles and labels of the sides in the order in which they are drawn."""

MISSING = "not predicted"


def motion_rows(motion: MotionCurves) -> dict[str, Row]:
    """Sagittal hip, knee and ankle angles; lateral, vertical and fore-aft ground reaction of each foot and of both, in
    percent of body weight; magnitudes of the internal hip, knee and ankle forces, in body weights."""
    names = {"angles": ANGLES.values(), "ground": GROUND_IN_G, "forces": FORCES.values()}
    return {
        figure: Row("", tuple(_over_motion(*pair, motion) for pair in zip(scales, names[figure], strict=True)))
        for figure, scales in MOTION.items()
    }


def _over_motion(scale: YAxis, name: str, motion: MotionCurves) -> Panel:
    row = motion.variable_names.index(name)
    values = dict(zip(motion.side_names, motion.values[:, row], strict=True))
    curves = tuple(
        Curve(motion.percent, values[side], *style) for side, style in STYLES.items() if np.isfinite(values[side]).any()
    )
    offs = zip(motion.side_names, motion.foot_off, strict=True)
    foot_offs = tuple((f"{side} foot-off", float(x)) for side, x in offs if np.isfinite(x))
    return Panel(scale, curves, verticals=foot_offs, missing=MISSING)


def beside_kinematics(both: PredictedComparison) -> tuple[Row, ...]:
    """Predicted over measured angles of the gait cycle, a row for each plane."""
    return tuple(_beside(both, heading, names) for heading, names in zip(PLANES, KINEMATICS, strict=True))


def beside_kinetics(both: PredictedComparison) -> tuple[Row, ...]:
    """Predicted over measured internal moments, a row for each plane, joint powers and ground reaction."""
    headings = [*(f"Internal moment, {plane.lower()}" for plane in PLANES), "Joint power", "Ground reaction"]
    return tuple(
        _beside(both, heading, names) for heading, names in zip(headings, (*MOMENTS, POWERS, GROUND), strict=True)
    )


def _beside(both: PredictedComparison, heading: str, names: tuple[str, ...]) -> Row:
    return Row(heading, tuple(_beside_panel(both, name) for name in names))


def _beside_panel(both: PredictedComparison, name: str) -> Panel:
    """The mean of each side's measured cycles, and above it the prediction: one line where both sides' are the same."""
    row = both.variable_names.index(name)
    curves, foot_offs = [], []
    for k, side in enumerate(both.side_names):
        if np.isfinite(both.measured[k, row]).any():
            curves.append(Curve(both.percent, both.measured[k, row], side, f"Measured, {side}"))
            foot_offs.append((f"{side} foot-off", float(both.measured_foot_off[k])))
    if np.array_equal(both.predicted[:, row], both.predicted[::-1, row], equal_nan=True):
        curves.append(Curve(both.percent, both.predicted[0, row], "predicted", "Predicted"))
        foot_offs.append(("predicted foot-off", float(both.predicted_foot_off[0])))
    else:
        for k, side in enumerate(both.side_names):
            curves.append(Curve(both.percent, both.predicted[k, row], f"predicted {side} dashed", f"Predicted, {side}"))
    return Panel(SCALES[name], tuple(curves), verticals=tuple(foot_offs), missing=MISSING)
