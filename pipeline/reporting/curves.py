"""The curve figures of a trial: kinematics, kinetics, ground reaction, and what makes up a moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.comparison.cycles import JOINTS, PERCENT, clinical_moments, resample
from pipeline.conventions import SIDES
from pipeline.newton_euler import in_axes
from pipeline.reporting.drawing import OF_FOUR, OF_THREE, Curve, Panel, Scale, Size, draw_panel, mean_curve
from pipeline.reporting.scales import ANGLES, CONTRIBUTIONS, GROUND, MOMENTS, PLANES, POWERS
from pipeline.trial import CycleCurves, GaitCycles, InverseDynamics, Kinematics


@dataclass(frozen=True)
class Row:
    """Panels side by side under one heading."""

    heading: str
    panels: tuple[Panel, ...]


def kinematics_rows(cycles: GaitCycles, missing: str) -> tuple[Row, ...]:
    """Angles: a row for each plane, columns pelvis, hip, knee, ankle."""
    return tuple(
        Row(
            heading,
            tuple(
                _both_sides(scales[plane], cycles, _component("angles", joint, plane, 180.0 / np.pi), missing)
                for joint, scales in ANGLES.items()
            ),
        )
        for plane, heading in enumerate(PLANES)
    )


def kinetics_rows(cycles: GaitCycles, missing: str) -> tuple[Row, ...]:
    """Internal moments, a row for each plane, and powers; columns hip, knee, ankle."""
    moments = [
        Row(
            f"Internal moment, {heading.lower()}",
            tuple(
                _both_sides(MOMENTS[joint][plane], cycles, _component("moments", joint, plane), missing, OF_THREE)
                for joint in JOINTS
            ),
        )
        for plane, heading in enumerate(PLANES)
    ]
    powers = tuple(
        _both_sides(POWERS[joint], cycles, _component("powers", joint), missing, OF_THREE) for joint in JOINTS
    )
    return (*moments, Row("Joint power, all planes together", powers))


def ground_row(cycles: GaitCycles, missing: str) -> Row:
    """Ground reaction: fore-aft, vertical, medio-lateral, in percent of body weight."""

    def direction(index: int) -> Callable[[CycleCurves], np.ndarray]:
        return lambda curves: 100.0 * curves.ground[:, index]

    panels = (_both_sides(scale, cycles, direction(index), missing, OF_THREE) for index, scale in enumerate(GROUND))
    return Row("", tuple(panels))


def contribution_row(
    kinematics: Kinematics, loads: InverseDynamics, cycles: GaitCycles, missing: Mapping[str, str]
) -> Row:
    """What ground, gravity and inertia contribute to the sagittal ankle and knee moments in stance.

    One clean stance of each side, the first: ``moment_axes`` of the cycles and per body mass, as in the kinetics.
    """
    panels = []
    for joint in ("ankle", "knee"):
        for side in SIDES:
            parts = _contributions(side, joint, kinematics, loads, cycles)
            scale = CONTRIBUTIONS[joint, side]
            curves = [Curve(PERCENT, values, style) for style, values in parts.items()]
            panels.append(draw_panel(scale, curves, missing=f"not measured: {missing[side]}", size=OF_FOUR))
    return Row("", tuple(panels))


def _contributions(
    side: str, joint: str, kinematics: Kinematics, loads: InverseDynamics, cycles: GaitCycles
) -> dict[str, np.ndarray]:
    """Sagittal parts (101,) Nm/kg over the first clean stance by style of line; empty if there is none."""
    cycle = next((c.cycle for c in cycles.cycles if c.cycle.side == side and c.cycle.plate), None)
    name = f"{side}_{joint}"
    if cycle is None or name not in loads.joints:
        return {}
    pose, load = kinematics.joints[name], loads.joints[name]

    def sagittal(moment_G: np.ndarray) -> np.ndarray:
        moment = in_axes(moment_G, cycles.moment_axes, pose.R_GP, pose.R_GD)
        over_stance = resample(clinical_moments(name, moment)[:, 0], loads.time, cycle.strike, cycle.foot_off)
        return over_stance / loads.mass

    parts = load.contributions
    return {
        "inertia": sagittal(parts["inertia"] + parts["velocity"]),
        "gravity": sagittal(parts["gravity"]),
        "ground": sagittal(parts["ground"]),
        "total": sagittal(load.moment_G),
    }


def _component(
    field: str, joint: str, plane: int | None = None, factor: float = 1.0
) -> Callable[[CycleCurves], np.ndarray]:
    """Reads one curve (101,) of a cycle; missing where the cycle lacks the joint."""

    def read(curves: CycleCurves) -> np.ndarray:
        values = getattr(curves, field).get(joint)
        if values is None:
            return np.full(len(curves.percent), np.nan)
        return factor * (values if plane is None else values[:, plane])

    return read


def _both_sides(
    scale: Scale,
    cycles: GaitCycles,
    read: Callable[[CycleCurves], np.ndarray],
    missing: str,
    size: Size = OF_FOUR,
) -> Panel:
    """Every cycle as a line, the mean of a side's cycles stronger, and the mean toe-off of the cycles shown."""
    curves: list[Curve] = []
    uprights: list[tuple[str, float]] = []
    for side in SIDES:
        shown = [(c, read(c)) for c in cycles.cycles if c.cycle.side == side]
        shown = [(c, values) for c, values in shown if np.isfinite(values).any()]
        if not shown:
            continue
        uprights.append((side, float(np.mean([toe_off(c) for c, _ in shown]))))
        if len(shown) > 1:
            curves += [Curve(c.percent, values, f"{side} single") for c, values in shown]
        curves.append(Curve(PERCENT, mean_curve([values for _, values in shown]), side))
    return draw_panel(scale, curves, uprights=uprights, missing=f"not measured: {missing}", size=size)


def toe_off(curves: CycleCurves) -> float:
    """Percent of the cycle at which the foot leaves the ground."""
    cycle = curves.cycle
    return 100.0 * (cycle.foot_off - cycle.strike) / (cycle.next_strike - cycle.strike)
