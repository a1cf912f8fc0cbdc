"""The curve figures of a page: kinematics, kinetics, ground reaction, and contributions to the moments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pipeline.analysis import (
    CYCLE_VARIABLES,
    ESTIMATED,
    MOMENTS,
    PERCENT,
    POINT_VARIABLES,
    VARIABLES,
    Variable,
    foot_off,
    rows,
    side_curves,
)
from pipeline.analysis.norm import Band as NormBand
from pipeline.conventions import SIDES
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, YAxis
from pipeline.trial import CurveUncertainty, GaitCycles, GaitSummary

Rows = Mapping[str, tuple[Variable, ...]]
"""Curves of the registry by the headings of their rows of panels."""

_GROUPS = {
    quantity: [v for v in CYCLE_VARIABLES.values() if v.quantity == quantity]
    for quantity in ("angles", "moments", "powers", "ground")
}

_JOINT_ROWS = {"ankle": "Ankle and foot", "foot": "Ankle and foot"}


def _joint(variable: Variable) -> str:
    """Heading of the row of panels of a curve's joint."""
    joint = variable.cycle.joint if variable.cycle else ""
    return _JOINT_ROWS.get(joint, joint.capitalize())


KINEMATICS: Rows = rows(_GROUPS["angles"], _joint)
"""Usual layout of gait laboratories: rows pelvis, hip, knee, ankle and foot; columns sagittal, coronal, transverse."""

KINETICS: Rows = rows(
    [*_GROUPS["moments"], *_GROUPS["powers"]], lambda v: f"{v.name.partition('_')[0].capitalize()}, moments and power"
)
"""Rows hip, knee, ankle; columns internal moment in the three planes, power."""

MAX_SINGLES = 30
"""Maximum number of thin lines (single cycles) of a side in a panel; more would be unreadable and make pages huge."""

GROUND: Rows = rows(_GROUPS["ground"], lambda _: "Ground reaction")

POINTS: Rows = rows(POINT_VARIABLES.values(), lambda v: v.points.row if v.points else "")
"""Curves of points of the body, by the rows named in their entries."""


@dataclass(frozen=True)
class SideCurves:
    """Curves (101,) of one side in a panel, in reported units.

    Attributes:
        mean: drawn as a thick line.
        singles: drawn as thin lines behind it.
        foot_off: mean percent of the cycle; NaN for no line.
        sd: standard deviation, drawn as an area about the mean; None for none.
        uncertainty: lower and upper end (2, 101) of the mean's 95 % uncertainty band; None for none.
    """

    mean: np.ndarray
    singles: list[np.ndarray] = field(default_factory=list)
    foot_off: float = float("nan")
    sd: np.ndarray | None = None
    uncertainty: np.ndarray | None = None


Sides = Callable[[str], Mapping[str, SideCurves]]
"""Returns the curves of each side that has some, by the name of a variable."""

Norms = Callable[[str], NormBand]
"""Returns the norm (101,) by the name of a variable; NaN if it does not have the curve."""


def variable_rows(figure: Rows, sides: Sides, norm: Norms, missing: str, mixed: bool = False) -> tuple[Row, ...]:
    """Rows of a figure with the panels of its curves.

    If averages are ``mixed``, including steps with estimated loads, the headings say so; the titles of narrow panels
    have no room.
    """
    rows = panel_rows(figure, lambda variable: variable_panel(variable, sides, norm, missing))
    return tuple(replace(row, heading=f"{row.heading} ({ESTIMATED})") for row in rows) if mixed else rows


def ground_row(sides: Sides, norm: Norms, missing: str, mixed: bool = False) -> Row:
    """Ground reaction: fore-aft, vertical, medio-lateral, in percent of body weight; a heading only if ``mixed``."""
    (row,) = variable_rows(GROUND, sides, norm, missing)
    return replace(row, heading=ESTIMATED.capitalize() if mixed else "")


def trial_sides(cycles: GaitCycles, summary: GaitSummary, uncertainty: CurveUncertainty | None = None) -> Sides:
    """Curves of a walk: thin lines for cycles, a thick line for the mean of a side, and the mean foot off.

    They include the uncertainty of the mean, if it was computed.
    """

    def read(variable: str) -> Mapping[str, SideCurves]:
        known = uncertainty if uncertainty and variable in uncertainty.variable_names else None
        found = {}
        for k, side in enumerate(SIDES):
            singles = side_curves(cycles.cycles, side, variable)
            if not singles:
                continue
            offs = [foot_off(c) for c, _ in singles]
            mean = summary.mean[side][variable]
            alone = len(singles) == 1 and bool(np.isfinite(mean).any())  # otherwise not averaged: shown itself
            chosen = evenly_chosen([] if alone else [values for _, values in singles])
            ends = None
            if known:
                row = known.variable_names.index(variable)
                ends = mean + np.stack([-known.band_below[k, row], known.band_above[k, row]])
            found[side] = SideCurves(mean, chosen, float(np.mean(offs)), uncertainty=ends)
        return found

    return read


def stance_sides(cycles: GaitCycles) -> Sides:
    """Curves over stance of the steps outside complete cycles, with a thick line for the mean if there are several."""

    def read(variable: str) -> Mapping[str, SideCurves]:
        found = {}
        for side in SIDES:
            own = [CYCLE_VARIABLES[variable].of(s) for s in cycles.stances if s.stance.side == side]
            lines = [values for values in own if np.isfinite(values).any()]
            if lines:
                found[side] = SideCurves(np.mean(lines, axis=0), lines if len(lines) > 1 else [])
        return found

    return read


def no_norm(variable: str) -> NormBand:
    """No norm, for curves over stance."""
    unknown = np.full(PERCENT.shape, np.nan)
    return NormBand(unknown, unknown)


def evenly_chosen(lines: list[np.ndarray]) -> list[np.ndarray]:
    """At most `MAX_SINGLES` of the lines, evenly spaced."""
    if len(lines) <= MAX_SINGLES:
        return lines
    return [lines[k] for k in np.linspace(0, len(lines) - 1, MAX_SINGLES).round().astype(int)]


def subject_sides(walks: Sequence[tuple[GaitCycles, GaitSummary]], summary: GaitSummary) -> Sides:
    """Curves of several walks: thin lines for means of at most `MAX_SINGLES` walks, spaced evenly, a thick line for all
    cycles, spread and mean foot off."""

    def read(variable: str) -> Mapping[str, SideCurves]:
        found = {}
        for side in SIDES:
            cycles = [c for own, _ in walks for c, _ in side_curves(own.cycles, side, variable)]
            if not cycles:
                continue
            of_walks = [own.mean[side][variable] for _, own in walks]
            means = [mean for mean in of_walks if np.isfinite(mean).any()]
            found[side] = SideCurves(
                summary.mean[side][variable],
                evenly_chosen(means) if len(means) > 1 else [],
                float(np.mean([foot_off(c) for c in cycles])),
                summary.sd[side][variable] if len(cycles) > 1 else None,
            )
        return found

    return read


def norm_of(summary: GaitSummary) -> Norms:
    """The norm with which a walk was compared."""

    def read(variable: str) -> NormBand:
        return NormBand(summary.norm_mean[variable], summary.norm_sd[variable])

    return read


def predicted_lines(
    x: np.ndarray, of_sides: Mapping[str, np.ndarray], *, together: bool, words: str = "predicted"
) -> list[Curve]:
    """Curves of a prediction, drawn over measured ones: one for both sides, or one for each.

    Args:
        x: (N,) of all curves.
        of_sides: values (N,) by side.
        together: whether to draw one line for both sides.
        words: label of the prediction.
    """
    label = words.capitalize()
    if together:
        return [Curve(x, next(iter(of_sides.values())), "predicted", label)]
    return [Curve(x, values, f"predicted {side} dashed", f"{label}, {side}") for side, values in of_sides.items()]


def panel_rows(figure: Rows, panel: Callable[[Variable], Panel]) -> tuple[Row, ...]:
    """The rows of a figure, with the panel of each variable."""
    return tuple(Row(heading, tuple(map(panel, variables))) for heading, variables in figure.items())


def variable_panel(variable: Variable, sides: Sides, norm: Norms, missing: str) -> Panel:
    """A panel with, from back to front, the norm, spreads and uncertainties, thin lines, and means of both sides."""
    shown, normal = sides(variable.name), norm(variable.name)
    bands = [Band(PERCENT, normal.mean - normal.sd, normal.mean + normal.sd, "norm", "Norm ± 1 SD")]
    for side, own in shown.items():
        name = side.capitalize()
        if own.sd is not None:
            bands.append(Band(PERCENT, own.mean - own.sd, own.mean + own.sd, f"spread {side}", f"{name} ± 1 SD"))
        if own.uncertainty is not None:
            low, high = own.uncertainty
            bands.append(Band(PERCENT, low, high, f"uncertain {side}", f"{name}, 95 %"))
    curves = [Curve(PERCENT, line, f"{side} single") for side, own in shown.items() for line in own.singles]
    curves += [Curve(PERCENT, own.mean, side, side.capitalize()) for side, own in shown.items()]
    return Panel(
        YAxis.of(variable),
        tuple(curves),
        tuple(band for band in bands if np.isfinite(band.low).any()),
        tuple((f"{side} foot-off", own.foot_off) for side, own in shown.items()),
        missing=f"not measured: {missing}",
    )


def contribution_row(summary: GaitSummary, missing: Mapping[str, str]) -> Row:
    """Contributions of ground, gravity and inertia to sagittal ankle and knee moments over one stance of each side."""
    panels = []
    for name, parts in summary.contributions.items():
        for side, drawn in parts.items():
            lines = tuple(
                Curve(summary.stance_percent, drawn[part], part, label)
                for part, label in _PARTS.items()
                if np.isfinite(drawn[part]).any()
            )
            axis = YAxis.of(VARIABLES[name], f"{MOMENTS[name].capitalize()}, {side}")
            panels.append(Panel(axis, lines, missing=f"not measured: {missing[side]}"))
    return Row("", tuple(panels))


_PARTS = {"inertia": "Inertia", "gravity": "Gravity", "ground": "Ground", "total": "Moment"}
"""Labels of the parts of a moment, in the order in which they are drawn."""
