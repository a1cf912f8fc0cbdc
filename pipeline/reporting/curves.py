"""The curve figures of a page: kinematics, kinetics, ground reaction, and what makes up a moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pipeline.comparison.cycles import PERCENT, clinical_moments, resample
from pipeline.comparison.summary import side_curves
from pipeline.conventions import SIDES
from pipeline.newton_euler import in_axes
from pipeline.reporting.drawing import OF_FOUR, OF_THREE, Area, Curve, Panel, Size, draw_panel
from pipeline.reporting.scales import CONTRIBUTIONS, GROUND, KINEMATICS, MOMENTS, PLANES, POWERS, SCALES
from pipeline.trial import CycleCurves, GaitCycles, GaitSummary, InverseDynamics, Kinematics


@dataclass(frozen=True)
class Row:
    """Panels side by side under one heading."""

    heading: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class SideCurves:
    """What a panel shows of one side, curves (101,) in reported units.

    Attributes:
        mean: the strong line.
        singles: thin lines behind it.
        foot_off: mean percent of the cycle; NaN for no line.
        sd: half the height of an area about the mean; None for none.
    """

    mean: np.ndarray
    singles: list[np.ndarray] = field(default_factory=list)
    foot_off: float = float("nan")
    sd: np.ndarray | None = None


@dataclass(frozen=True)
class NormBand:
    """Mean and standard deviation (101,) of the norm; NaN where it has none."""

    mean: np.ndarray
    sd: np.ndarray


Sides = Callable[[str], Mapping[str, SideCurves]]
"""Gives the curves of each side that has some, by the name of a variable."""

Norms = Callable[[str], NormBand]


def kinematics_rows(sides: Sides, norm: Norms, missing: str) -> tuple[Row, ...]:
    """Angles: a row for each plane, columns pelvis, hip, knee, ankle and foot."""
    return tuple(
        Row(heading, tuple(_panel(name, sides, norm, missing, OF_FOUR) for name in names))
        for heading, names in zip(PLANES, KINEMATICS, strict=True)
    )


def kinetics_rows(sides: Sides, norm: Norms, missing: str) -> tuple[Row, ...]:
    """Internal moments, a row for each plane, and powers; columns hip, knee, ankle."""
    headings = [*(f"Internal moment, {plane.lower()}" for plane in PLANES), "Joint power, all planes together"]
    return tuple(
        Row(heading, tuple(_panel(name, sides, norm, missing, OF_THREE) for name in names))
        for heading, names in zip(headings, (*MOMENTS, POWERS), strict=True)
    )


def ground_row(sides: Sides, norm: Norms, missing: str) -> Row:
    """Ground reaction: fore-aft, vertical, medio-lateral, in percent of body weight."""
    return Row("", tuple(_panel(name, sides, norm, missing, OF_THREE) for name in GROUND))


def trial_sides(cycles: GaitCycles, summary: GaitSummary) -> Sides:
    """Every cycle of a walk as a line, the mean of a side's cycles stronger, and the mean foot off of those shown."""

    def read(variable: str) -> Mapping[str, SideCurves]:
        row = summary.variable_names.index(variable)
        found = {}
        for k, side in enumerate(SIDES):
            singles = side_curves(cycles.cycles, side, variable)
            if not singles:
                continue
            offs = [foot_off(c) for c, _ in singles]
            lines = [values for _, values in singles] if len(singles) > 1 else []
            found[side] = SideCurves(summary.mean[k, row], lines, float(np.mean(offs)))
        return found

    return read


def subject_sides(walks: Sequence[tuple[GaitCycles, GaitSummary]], summary: GaitSummary) -> Sides:
    """The mean of each walk as a line, the mean of all cycles stronger with its spread, and the mean foot off."""

    def read(variable: str) -> Mapping[str, SideCurves]:
        row = summary.variable_names.index(variable)
        found = {}
        for k, side in enumerate(SIDES):
            cycles = [c for own, _ in walks for c, _ in side_curves(own.cycles, side, variable)]
            if not cycles:
                continue
            means = [own.mean[k, row] for _, own in walks if np.isfinite(own.mean[k, row]).any()]
            found[side] = SideCurves(
                summary.mean[k, row],
                means if len(means) > 1 else [],
                float(np.mean([foot_off(c) for c in cycles])),
                summary.sd[k, row] if len(cycles) > 1 else None,
            )
        return found

    return read


def norm_of(summary: GaitSummary) -> Norms:
    """The norm beside which a walk was set."""

    def read(variable: str) -> NormBand:
        row = summary.variable_names.index(variable)
        return NormBand(summary.norm_mean[row], summary.norm_sd[row])

    return read


def foot_off(curves: CycleCurves) -> float:
    """Percent of the cycle at which the foot leaves the ground."""
    cycle = curves.cycle
    return 100.0 * (cycle.foot_off - cycle.strike) / (cycle.next_strike - cycle.strike)


def _panel(variable: str, sides: Sides, norm: Norms, missing: str, size: Size) -> Panel:
    """Norm behind, then spreads, thin lines and means of both sides."""
    shown, band = sides(variable), norm(variable)
    areas = [Area(PERCENT, band.mean - band.sd, band.mean + band.sd, "norm", "Norm ± 1 SD")]
    areas += [
        Area(PERCENT, own.mean - own.sd, own.mean + own.sd, f"spread {side}", f"{side.capitalize()} ± 1 SD")
        for side, own in shown.items()
        if own.sd is not None
    ]
    curves = [Curve(PERCENT, line, f"{side} single") for side, own in shown.items() for line in own.singles]
    curves += [Curve(PERCENT, own.mean, side, side.capitalize()) for side, own in shown.items()]
    return draw_panel(
        SCALES[variable],
        curves,
        areas=[area for area in areas if np.isfinite(area.low).any()],
        uprights=[(side, own.foot_off) for side, own in shown.items()],
        missing=f"not measured: {missing}",
        size=size,
    )


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
            curves = [Curve(PERCENT, values, style, _PARTS[style]) for style, values in parts.items()]
            panels.append(draw_panel(scale, curves, missing=f"not measured: {missing[side]}", size=OF_FOUR))
    return Row("", tuple(panels))


_PARTS = {"total": "Moment", "ground": "Ground", "gravity": "Gravity", "inertia": "Inertia"}
"""Labels of the parts of a moment, by style of line."""


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
