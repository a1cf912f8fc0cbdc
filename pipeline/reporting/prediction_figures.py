"""Curve figures of a predicted walk: over its step, and over the gait cycle beside a measured one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.comparison.agreement import Agreement, agreement
from pipeline.comparison.cycles import JOINTS, PERCENT
from pipeline.comparison.predicted import SideCurves, sides_of
from pipeline.comparison.summary import average
from pipeline.conventions import GRAVITY_G, SIDES, X, Y, Z
from pipeline.reporting.curves import Row, foot_off
from pipeline.reporting.drawing import OF_THREE, Curve, Panel, Scale, draw_panel
from pipeline.reporting.scales import GROUND, KINEMATICS, MOMENTS, SCALES
from pipeline.trial import CycleCurves, GaitCycles, PredictedWalk

STEP_GROUND = (
    (Z, Scale("Lateral", "% BW", "Right", "Left", -15, 15)),
    (Y, Scale("Vertical", "% BW", "Up", "", 0, 125)),
    (X, Scale("Fore-aft", "% BW", "Forward", "Backward", -25, 25)),
)
"""Components of the ground reaction over a step, in G."""

FORCES = {joint: Scale(f"{joint.capitalize()} force", "BW", "", "", 0, 1.4) for joint in JOINTS}
"""Magnitudes of the internal joint forces."""

MISSING = "not predicted"


@dataclass(frozen=True)
class Compared:
    """A curve that is compared with a measured one.

    Attributes:
        group: heading of its row of the figure.
        read: values (101,) of a cycle in the units of ``scale``.
        stance_only: whether only stance counts: the ground reaction of a swinging foot agrees with anything.
    """

    group: str
    scale: Scale
    read: Callable[[CycleCurves], np.ndarray]
    stance_only: bool = False


def _sagittal(field: str, joint: str, factor: float) -> Callable[[CycleCurves], np.ndarray]:
    def read(curves: CycleCurves) -> np.ndarray:
        values = getattr(curves, field).get(joint)
        return np.full(len(curves.percent), np.nan) if values is None else factor * values[:, 0]

    return read


ANGLES = {joint: SCALES[name] for joint, name in zip(("pelvis", *JOINTS), KINEMATICS[0], strict=True)}
"""Panels of the sagittal angles."""

COMPARED = (
    *(Compared("Sagittal angles", ANGLES[j], _sagittal("angles", j, 180.0 / np.pi)) for j in JOINTS),
    *(
        Compared("Sagittal internal moments", SCALES[name], _sagittal("moments", j, 1.0))
        for j, name in zip(JOINTS, MOMENTS[0], strict=True)
    ),
    *(
        Compared("Pelvis and ground reaction", scale, read, stance)
        for scale, read, stance in (
            (ANGLES["pelvis"], _sagittal("angles", "pelvis", 180.0 / np.pi), False),
            (SCALES[GROUND[0]], lambda curves: 100.0 * curves.ground[:, 0], True),
            (SCALES[GROUND[1]], lambda curves: 100.0 * curves.ground[:, 1], True),
        )
    ),
)
"""What a predicted and a measured walk are compared in."""


def step_angles(walk: PredictedWalk, curves: dict[str, SideCurves]) -> Row:
    """Sagittal hip, knee and ankle angles of both sides over the step."""

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
    # The left foot leaves the ground at the end of double support.
    return draw_panel(
        scale, curves, uprights=[("left", 100.0 * walk.task.double_support)], missing=MISSING, size=OF_THREE
    )


def beside_rows(predicted: CycleCurves, measured: GaitCycles) -> tuple[Row, ...]:
    """Predicted over measured curves of the gait cycle: mean of each side's measured cycles, and the prediction."""
    rows: dict[str, list[Panel]] = {}
    for item in COMPARED:
        curves, uprights = [], [("predicted", foot_off(predicted))]
        for side in sides_of(measured):
            values = _mean(item, measured, side)
            if np.isfinite(values).any():
                curves.append(Curve(PERCENT, values, side))
                uprights.append((side, _mean_foot_off(measured, side)))
        curves.append(Curve(PERCENT, item.read(predicted), "predicted"))
        panel = draw_panel(item.scale, curves, uprights=uprights, missing=MISSING, size=OF_THREE)
        rows.setdefault(item.group, []).append(panel)
    return tuple(Row(heading, tuple(panels)) for heading, panels in rows.items())


@dataclass(frozen=True)
class LikenessRow:
    """How near one predicted curve is to the measured ones, by side."""

    title: str
    units: str
    decimals: int
    sides: dict[str, Agreement]


def likeness_rows(predicted: CycleCurves, measured: GaitCycles) -> tuple[LikenessRow, ...]:
    """Measures of every compared curve, against the mean of each side's measured cycles."""
    rows = []
    for item in COMPARED:
        sides = {}
        for side in sides_of(measured):
            values = _mean(item, measured, side)
            if item.stance_only:
                last = max(foot_off(predicted), _mean_foot_off(measured, side))
                values = np.where(last >= PERCENT, values, np.nan)
            sides[side] = agreement(PERCENT, item.read(predicted), values)
        rows.append(LikenessRow(item.scale.title, item.scale.units, 2 if "Nm" in item.scale.units else 1, sides))
    return tuple(rows)


def _mean(item: Compared, measured: GaitCycles, side: str) -> np.ndarray:
    curves = [item.read(c) for c in measured.cycles if c.cycle.side == side]
    return average(curves, PERCENT.shape).mean


def _mean_foot_off(measured: GaitCycles, side: str) -> float:
    return float(np.mean([foot_off(c) for c in measured.cycles if c.cycle.side == side]))
