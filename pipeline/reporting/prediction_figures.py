"""Curve figures of a predicted walk: over its step, and over the gait cycle beside a measured one."""

from __future__ import annotations

import numpy as np

from pipeline.comparison.cycles import JOINTS
from pipeline.comparison.predicted import SideCurves
from pipeline.conventions import GRAVITY_G, SIDES, X, Y, Z
from pipeline.reporting.curves import Row
from pipeline.reporting.drawing import OF_FOUR, OF_THREE, Curve, Panel, Scale, Size, draw_panel
from pipeline.reporting.scales import GROUND, KINEMATICS, MOMENTS, PLANES, POWERS, SCALES
from pipeline.trial import PredictedComparison, PredictedWalk

STEP_GROUND = (
    (Z, Scale("Lateral", "% BW", "Right", "Left", -15, 15)),
    (Y, Scale("Vertical", "% BW", "Up", "", 0, 125)),
    (X, Scale("Fore-aft", "% BW", "Forward", "Backward", -25, 25)),
)
"""Components of the ground reaction over a step, in G."""

FORCES = {joint: Scale(f"{joint.capitalize()} force", "BW", "", "", 0, 1.4) for joint in JOINTS}
"""Magnitudes of the internal joint forces."""

MISSING = "not predicted"


ANGLES = {joint: SCALES[name] for joint, name in zip(("pelvis", *JOINTS), KINEMATICS[0], strict=True)}
"""Panels of the sagittal angles."""


def step_angles(walk: PredictedWalk, curves: dict[str, SideCurves]) -> Row:
    """Sagittal hip, knee and ankle angles of both sides over the motion."""

    def panel(joint: str) -> Panel:
        return _over_step(
            ANGLES[joint], walk, {side: np.degrees(own.angles[joint][:, 0]) for side, own in curves.items()}
        )

    return Row("", tuple(panel(joint) for joint in JOINTS))


def step_ground(walk: PredictedWalk) -> Row:
    """Lateral, vertical and fore-aft ground reaction of each foot over the step, in percent of body weight."""
    weight = walk.task.mass * -GRAVITY_G[Y]

    def panel(axis: int, scale: Scale) -> Panel:
        feet = {side: 100.0 * walk.ground[side].force_G[:, axis] / weight for side in SIDES}
        return _over_step(scale, walk, {"total": np.sum(list(feet.values()), axis=0), **feet})

    return Row("", tuple(panel(axis, scale) for axis, scale in STEP_GROUND))


def step_forces(walk: PredictedWalk, curves: dict[str, SideCurves]) -> Row:
    """Magnitudes of the internal hip, knee and ankle forces of both sides over the step, in body weights."""
    return Row(
        "",
        tuple(
            _over_step(scale, walk, {side: own.force[joint] for side, own in curves.items()})
            for joint, scale in FORCES.items()
        ),
    )


def _over_step(scale: Scale, walk: PredictedWalk, values: dict[str, np.ndarray]) -> Panel:
    percent = 100.0 * walk.time / walk.time[-1]
    curves = [Curve(percent, y, style) for style, y in values.items()]
    # The left foot leaves the ground at the end of double support, in a stride the right one a step later.
    share = 100.0 / walk.task.steps
    offs = [(side, share * (walk.task.double_support + k)) for k, side in enumerate(SIDES[: walk.task.steps])]
    return draw_panel(scale, curves, uprights=offs, missing=MISSING, size=OF_THREE)


def beside_kinematics(both: PredictedComparison) -> tuple[Row, ...]:
    """Predicted over measured angles of the gait cycle, a row for each plane."""
    return tuple(_beside(both, heading, names, OF_FOUR) for heading, names in zip(PLANES, KINEMATICS, strict=True))


def beside_kinetics(both: PredictedComparison) -> tuple[Row, ...]:
    """Predicted over measured internal moments, a row for each plane, joint powers and ground reaction."""
    headings = [*(f"Internal moment, {plane.lower()}" for plane in PLANES), "Joint power", "Ground reaction"]
    return tuple(
        _beside(both, heading, names, OF_THREE)
        for heading, names in zip(headings, (*MOMENTS, POWERS, GROUND), strict=True)
    )


def _beside(both: PredictedComparison, heading: str, names: tuple[str, ...], size: Size) -> Row:
    return Row(heading, tuple(_beside_panel(both, name, size) for name in names))


def _beside_panel(both: PredictedComparison, name: str, size: Size) -> Panel:
    """The mean of each side's measured cycles, and above it the prediction: one line where both sides' are the same."""
    row = both.variable_names.index(name)
    curves, uprights = [], []
    for k, side in enumerate(both.side_names):
        if np.isfinite(both.measured[k, row]).any():
            curves.append(Curve(both.percent, both.measured[k, row], side, f"Measured, {side}"))
            uprights.append((side, float(both.measured_foot_off[k])))
    if np.array_equal(both.predicted[:, row], both.predicted[::-1, row], equal_nan=True):
        curves.append(Curve(both.percent, both.predicted[0, row], "predicted", "Predicted"))
        uprights.append(("predicted", float(both.predicted_foot_off[0])))
    else:
        for k, side in enumerate(both.side_names):
            curves.append(Curve(both.percent, both.predicted[k, row], f"predicted {side}", f"Predicted, {side}"))
    return draw_panel(SCALES[name], curves, uprights=uprights, missing=MISSING, size=size)
