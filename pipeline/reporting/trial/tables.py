"""The tables of a trial's page, as rows of formatted text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import PARAMETERS, PROFILE, VARIABLES, subject_values
from pipeline.conventions import SIDES
from pipeline.reporting.numbers import number, with_sd
from pipeline.trial import Calibration, CurveUncertainty, CutoffPeaks, CycleCurves, GaitSummary, Kinematics
from pipeline.uncertainty import shares


@dataclass(frozen=True)
class ParameterRow:
    """One spatiotemporal parameter: a cell for each side in the order of `SIDES`, and the symmetry index."""

    name: str
    cells: tuple[str, ...]
    symmetry: str
    units: str
    definition: str


def parameter_rows(summary: GaitSummary) -> list[ParameterRow]:
    """Spatiotemporal parameters of both sides."""
    mean, sd = summary.parameter_mean, summary.parameter_sd
    return [
        ParameterRow(
            parameter.label,
            tuple(with_sd(mean[side][name], sd[side][name], parameter.decimals) for side in SIDES),
            number(summary.symmetry[name], 1),
            parameter.display_units,
            parameter.definition,
        )
        for name, parameter in PARAMETERS.items()
    ]


FAR = 2.0
"""Multiple of the RMS of the norm's sample beyond which an angle is marked as far from the norm."""


@dataclass(frozen=True)
class ProfileBar:
    """One angle of the Movement Analysis Profile, in degrees as text and in percent of the longest bar.

    Attributes:
        cells, shares: value and length of the bar of each side.
        far: sides beyond `FAR`.
        sample, sample_share: value and position of the RMS of the norm's sample.
    """

    name: str
    cells: tuple[str, ...]
    shares: tuple[float, ...]
    far: tuple[str, ...]
    sample: str
    sample_share: float


def profile_bars(summary: GaitSummary) -> list[ProfileBar]:
    """The nine angles of the profile and, last, the score; empty if nothing is known."""
    of_sides = [[*(summary.profile[side][name] for name in PROFILE), summary.gps[side]] for side in SIDES]
    values = np.array(of_sides).T
    if not np.isfinite(values).any():
        return []
    names = [*(VARIABLES[name].title for name in PROFILE), "Gait Profile Score"]
    sample = np.array([*(summary.norm_profile[name] for name in PROFILE), summary.norm_gps])
    longest = float(np.nanmax(np.column_stack([values, sample])))

    def share(value: float) -> float:
        return round(100.0 * float(value) / longest, 1) if np.isfinite(value) else 0.0

    return [
        ProfileBar(
            name,
            tuple(number(value, 1) for value in row),
            tuple(map(share, row)),
            tuple(side for side, value in zip(SIDES, row, strict=True) if value > FAR * own),
            number(own, 1),
            share(own),
        )
        for name, row, own in zip(names, values, sample, strict=True)
    ]


def event_rows(kinematics: Kinematics) -> list[tuple[str, ...]]:
    """Time, side, kind and source of every event."""
    return [(number(e.time, 3), e.side, e.kind, e.source) for e in kinematics.events]


def stance_rows(kinematics: Kinematics) -> list[tuple[str, ...]]:
    """Plate, side, start, end, distance of the centre of pressure from the foot (mm), and the reason if excluded."""
    return [
        (
            " and ".join(map(str, s.plates)),
            s.side or "unknown",
            number(s.onset, 3),
            number(s.end, 3),
            number(1000.0 * s.distance, 0),
            s.rejected,
        )
        for s in kinematics.stances
    ]


def cycle_rows(cycles: Sequence[CycleCurves]) -> list[tuple[str, ...]]:
    """Side, initial contact, foot off, next initial contact, and plate of the kinetics of every cycle."""
    return [
        (
            c.cycle.side,
            number(c.cycle.initial_contact, 3),
            number(c.cycle.foot_off, 3),
            number(c.cycle.next_initial_contact, 3),
            c.cycle.on or "none",
        )
        for c in cycles
    ]


def subject_rows(calibration: Calibration) -> list[tuple[str, ...]]:
    """Name, value, unit and source of the subject's values: kg, m as mm (height in m), rad as degrees."""
    rows: list[tuple[str, ...]] = []
    units = {"kg": (1.0, 1, "kg"), "deg": (1.0, 1, "°"), "m": (1000.0, 1, "mm")}
    for name, (value, unit) in subject_values(calibration).items():
        factor, decimals, shown = (1.0, 2, "m") if name == "height" else units[unit]
        label = name.replace("_", " ").replace("asis", "ASIS")
        source = calibration.sources.get(name, "not recorded")
        rows.append((label, number(factor * value, decimals), shown, source))
    return rows


def segment_rows(calibration: Calibration) -> list[tuple[str, ...]]:
    """Name, mass, length, centre of mass (mm) and principal moments of inertia (kg cm^2) of every segment."""
    return [
        (
            name.replace("_", " "),
            number(segment.mass, 2),
            number(1000.0 * segment.length, 0),
            *(number(1000.0 * value, 0) for value in segment.com_S),
            *(number(1e4 * value, 1) for value in np.diag(segment.inertia_S)),
        )
        for name, segment in calibration.segments.items()
    ]


@dataclass(frozen=True)
class NumberTable:
    """A table as text, with numbers in all columns but the first."""

    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]


def cutoff_table(peaks: CutoffPeaks | None) -> NumberTable | None:
    """Peak moments of each joint at each cut-off; None if no side has a clean step."""
    if peaks is None or not peaks.moments:
        return None
    heads = tuple(f"{value:g} Hz{' (used)' if value == peaks.used else ''}" for value in peaks.cutoffs)
    rows = [(name.replace("_", " "), *(number(value, 2) for value in row)) for name, row in peaks.moments.items()]
    return NumberTable(("Joint", *heads), rows)


def uncertainty_table(uncertainty: CurveUncertainty | None) -> NumberTable | None:
    """Half the 95 % band of each variable (root mean square over sides and cycle) and each source's share of variance.

    None if there is no uncertainty.
    """
    of_variables = shares(uncertainty) if uncertainty else {}
    if not uncertainty or not of_variables:
        return None
    rows = []
    for name, parts in of_variables.items():
        variable, row = VARIABLES[name], uncertainty.variable_names.index(name)
        halves = 0.5 * (uncertainty.band_below + uncertainty.band_above)[:, row]
        half = float(np.sqrt(np.mean(halves[np.isfinite(halves)] ** 2)))
        shown = f"± {number(half, variable.decimals)} {variable.display_units}"
        rows.append((variable.label, shown, *(number(100.0 * part, 0) for part in parts)))
    heads = ("Curve", "95 % band", *(f"{source[0].upper()}{source[1:]}, %" for source in uncertainty.source_names))
    return NumberTable(heads, rows)
