"""Mean and standard deviation over gait cycles, symmetry, and scores against a norm at the same dimensionless speed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis.contributions import CONTRIBUTIONS
from pipeline.analysis.mixed_steps import estimated_counts, mixed_notes
from pipeline.analysis.norm import Norm, dimensionless_speed
from pipeline.analysis.profile import norm_sample_score, overall_score, side_score, variable_score
from pipeline.analysis.resampling import PERCENT
from pipeline.analysis.variables import CYCLE_VARIABLES, PARAMETERS, PROFILE
from pipeline.conventions import SIDES
from pipeline.counts import counted
from pipeline.trial import NORM_ZEROS, Calibration, CycleCurves, GaitCycles, GaitSummary, Note

SHOWN = 4
"""Number of curves that a note names."""

GAIT_PROFILE_SCORE = "Gait Profile Score"
"""Subject of the notes that explain its absence."""


@dataclass(frozen=True)
class Average:
    """Mean and sample standard deviation of several values or curves, and their number; NaN if there are too few.

    Attributes:
        left_out: number of incomplete items that are left out.
    """

    mean: np.ndarray
    sd: np.ndarray
    count: int
    left_out: int = 0


def average(values: Sequence[np.ndarray] | Sequence[float], shape: tuple[int, ...] = ()) -> Average:
    """Average of the complete items or, if there are none, of those with any value; missing where one of them is.

    The mean thus has no step where one curve ends, and one incomplete curve does not remove the mean of the others.
    """
    items = np.asarray(values, dtype=float).reshape(-1, *shape)
    useful = items[averaged(items)]
    known = np.isfinite(items).any(axis=tuple(range(1, items.ndim)))
    unknown = np.full(shape, np.nan)
    return Average(
        mean=np.mean(useful, axis=0) if len(useful) else unknown,
        sd=np.std(useful, axis=0, ddof=1) if len(useful) > 1 else unknown,
        count=len(useful),
        left_out=int(known.sum()) - len(useful),
    )


def averaged(items: np.ndarray) -> np.ndarray:
    """Which (N,) of the items (N, ...) an average takes: the complete ones, or otherwise those with any value."""
    known, values = np.isfinite(items), tuple(range(1, items.ndim))
    whole = known.all(axis=values)
    return whole if whole.any() else known.any(axis=values)


def symmetry_index(left: float, right: float) -> float:
    """Left minus right over their mean, percent (Robinson et al. 1987); NaN if one is missing or their mean is zero."""
    middle = 0.5 * (left + right)
    return 100.0 * (left - right) / middle if middle else math.nan


def mean_leg_length(calibration: Calibration) -> float:
    """Mean of both legs, m; NaN if one is unknown."""
    values = calibration.values
    return float(np.mean([values.get(f"leg_length_{side}", math.nan) for side in SIDES]))


def summarise(
    cycles: GaitCycles,
    leg_length: float,
    norm: Norm | None,
    contributions: Mapping[str, np.ndarray] | None = None,
    age: float | None = None,
) -> GaitSummary:
    """Average cycles by side and compare them with a norm at the same dimensionless speed.

    Args:
        cycles: of a walk, or of all walks of a subject.
        leg_length: m; NaN if unknown.
        norm: None for no norm.
        contributions: from `pipeline.analysis.contributions`, for a single walk.
        age: years; None if unknown.
    """
    by_side = {side: [c for c in cycles.cycles if c.cycle.side == side] for side in SIDES}
    curves = {
        side: {name: average([v.averaged(c) for c in own], PERCENT.shape) for name, v in CYCLE_VARIABLES.items()}
        for side, own in by_side.items()
    }
    parameters = {
        side: {name: average([c.parameters[name] for c in own]) for name in PARAMETERS} for side, own in by_side.items()
    }
    walking_speed, cadence = (
        float(average([c.parameters[name] for c in cycles.cycles]).mean) for name in ("speed", "cadence")
    )
    speed = dimensionless_speed(walking_speed, leg_length)
    norm_speed, notes = _norm_speed(norm, speed)
    norm_mean, norm_sd = _bands(norm, norm_speed)
    mean = {side: {name: a.mean for name, a in own.items()} for side, own in curves.items()}
    notes += _age_notes(norm, age)
    if norm and norm.other_zeros:
        notes += (_take_zeros(norm, norm_mean, mean),)
    scores = {
        side: {name: variable_score(own[name], norm_mean[name]) for name in PROFILE} for side, own in mean.items()
    }
    of_norm = {name: norm_sample_score(norm_sd[name]) for name in PROFILE}
    unscored = dict.fromkeys(CYCLE_VARIABLES, math.nan)
    return GaitSummary(
        name=cycles.name,
        subject=cycles.subject,
        percent=PERCENT,
        variable_units={name: variable.units for name, variable in CYCLE_VARIABLES.items()},
        parameter_units={name: parameter.units for name, parameter in PARAMETERS.items()},
        mean=mean,
        sd={side: {name: a.sd for name, a in own.items()} for side, own in curves.items()},
        count={side: {name: a.count for name, a in own.items()} for side, own in curves.items()},
        parameter_mean={side: {name: float(a.mean) for name, a in own.items()} for side, own in parameters.items()},
        parameter_sd={side: {name: float(a.sd) for name, a in own.items()} for side, own in parameters.items()},
        symmetry={
            name: symmetry_index(*(float(parameters[side][name].mean) for side in SIDES)) if each.sided else math.nan
            for name, each in PARAMETERS.items()
        },
        walking_speed=walking_speed,
        cadence=cadence,
        leg_length=leg_length,
        speed=speed,
        stance_percent=PERCENT,
        contributions={
            name: {
                side: dict(zip(CONTRIBUTIONS, of_side, strict=True)) for side, of_side in zip(SIDES, parts, strict=True)
            }
            for name, parts in (contributions or {}).items()
        },
        norm=norm.name if norm else "",
        norm_source=norm.source if norm else "",
        norm_sample=norm.sample if norm else "",
        norm_speed=norm_speed,
        norm_mean=norm_mean,
        norm_sd=norm_sd,
        profile={side: unscored | own for side, own in scores.items()},
        gps={side: side_score(own) for side, own in scores.items()},
        gps_overall=overall_score(*scores.values()),
        norm_profile=unscored | of_norm,
        norm_gps=side_score(of_norm),
        notes=(*notes, *_incomplete_notes(curves), *_score_notes(scores), *mixed_notes(cycles.cycles)),
        estimated_count=estimated_counts(cycles.cycles),
    )


def _incomplete_notes(curves: Mapping[str, Mapping[str, Average]]) -> Iterator[Note]:
    """Notes on cycles that are not in the averages of some curves, because part of the curve is missing."""
    for side, own in curves.items():
        for count in sorted({average.left_out for average in own.values()} - {0}):
            names = [name.replace("_", " ") for name, average in own.items() if average.left_out == count]
            cycles = "1 cycle is" if count == 1 else f"{count} cycles are"
            more = f" and {len(names) - SHOWN} others" if len(names) > SHOWN else ""
            text = f"{cycles} not in the averages of {', '.join(names[:SHOWN])}{more}, since part of each is missing"
            yield Note("left out", f"averages, {side} side", text)


def _score_notes(scores: Mapping[str, Mapping[str, float]]) -> list[Note]:
    """Notes on missing angles because of which a side with a profile has no Gait Profile Score."""
    notes = []
    for side, own in scores.items():
        missing = [name.replace("_", " ") for name in PROFILE if not math.isfinite(own[name])]
        if 0 < len(missing) < len(PROFILE):
            text = f"needs all nine angles over the whole cycle; incomplete or not averaged: {', '.join(missing)}"
            notes.append(Note("left out", f"{GAIT_PROFILE_SCORE}, {side}", text))
    return notes


def _norm_speed(norm: Norm | None, speed: float) -> tuple[float, tuple[Note, ...]]:
    """Speed at which the norm is evaluated, with a note if it is not the walk's own."""
    if norm is None:
        return math.nan, ()
    if not math.isfinite(speed):
        text = f"evaluated at its comfortable speed {norm.free:g}: the walk's speed or leg length is not known"
        return norm.free, (Note("assumed", f"norm {norm.name}", text),)
    if norm.covers(speed):
        return speed, ()
    nearest = float(np.clip(speed, norm.speeds[0], norm.speeds[-1]))
    text = f"evaluated at its nearest speed {nearest:.3f}: the walk's {speed:.3f} is outside its range"
    return nearest, (Note("assumed", f"norm {norm.name}", text),)


def _age_notes(norm: Norm | None, age: float | None) -> tuple[Note, ...]:
    """A note that the norm is, or may be, of people of other ages."""
    if norm is None or norm.ages is None or (age is not None and norm.is_of_age(age)):
        return ()
    if age is None:
        text = f"of {norm.sample}; the subject's age is not given: give birth_date or age_years in subjects.tsv"
    else:
        old = counted(math.floor(age), "year")
        text = f"of {norm.sample}, but the subject is {old} old: bands and scores are those of other ages"
    return (Note("assumed", f"norm {norm.name}", text),)


def _take_zeros(norm: Norm, norm_mean: dict[str, np.ndarray], mean: Mapping[str, Mapping[str, np.ndarray]]) -> Note:
    """Shift norm curves with another zero, in place, to the walk's mean over cycle and sides; a note says so."""
    taken = []
    for name in norm.other_zeros:
        offsets = np.array([np.mean(of_side[name] - norm_mean[name]) for of_side in mean.values()])
        if np.isfinite(offsets).any():
            offset = float(np.mean(offsets[np.isfinite(offsets)]))
            norm_mean[name] = norm_mean[name] + offset
            taken.append(f"{name.replace('_', ' ')} by {offset:+.1f}°".replace("-", "\N{MINUS SIGN}"))
    text = (
        f"moved in {', '.join(taken) or 'no angle'} to the walk's mean, since the norm's marker protocol has other "
        "zeros; only the shape of these angles is compared, and their mean does not affect scores"
    )
    return Note("assumed", NORM_ZEROS, text)


def _bands(norm: Norm | None, speed: float) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Mean and standard deviation of the norm by variable; NaN for a variable that it lacks."""
    unknown = np.full(PERCENT.shape, np.nan)
    bands = {name: norm.band(name, speed, PERCENT) if norm else None for name in CYCLE_VARIABLES}
    return (
        {name: band.mean if band else unknown for name, band in bands.items()},
        {name: band.sd if band else unknown for name, band in bands.items()},
    )


def pooled(subject: str, walks: Sequence[GaitCycles]) -> GaitCycles:
    """All cycles of a subject's walks as those of one walk; the walks' moments must refer to the same axes."""
    (moment_axes,) = {walk.moment_axes for walk in walks}
    return GaitCycles(subject, subject, moment_axes, tuple(c for walk in walks for c in walk.cycles), ())


def side_curves(cycles: Sequence[CycleCurves], side: str, variable: str) -> list[tuple[CycleCurves, np.ndarray]]:
    """The cycles of one side that have any value of a variable, in order of time, each with its curve (101,)."""
    curves = [(c, CYCLE_VARIABLES[variable].of(c)) for c in cycles if c.cycle.side == side]
    return [(c, values) for c, values in curves if np.isfinite(values).any()]
