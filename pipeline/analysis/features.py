"""Features of curves by phase of the gait cycle: extreme values with their times, ranges and means.

The phases are those of Perry and Burnfield 2010 (Gait analysis: normal and pathological function, chapter 2), as far as
events of both feet bound them: loading response ends with the opposite foot off, and pre-swing begins with the opposite
initial contact. Mid stance and terminal stance are halves of single support, and the three parts of swing are thirds,
since no contact separates them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis.mixed_steps import ESTIMATED, kind_of_cycle
from pipeline.analysis.summary import average
from pipeline.analysis.variables import CYCLE_VARIABLES, VARIABLES, Variable
from pipeline.config import PHASES, STATISTICS
from pipeline.conventions import SIDES
from pipeline.trial import Cycle, CycleCurves, GaitCycles, GaitSummary

Phase = tuple[float, float]
"""Begin and end, percent of the gait cycle."""


@dataclass(frozen=True)
class Features:
    """Features of a curve in a phase, in the curve's reported units.

    Attributes:
        start, end: of the phase, percent of the gait cycle.
        minimum, maximum: extreme values at whole percents.
        minimum_percent, maximum_percent: their places in the gait cycle.
        range: maximum minus minimum.
        mean: over the phase, by the trapezoidal rule.
    """

    start: float
    end: float
    minimum: float
    minimum_percent: float
    maximum: float
    maximum_percent: float
    range: float
    mean: float


@dataclass(frozen=True)
class PhaseFeatures:
    """Features of one curve of one side.

    Attributes:
        kind: cycle, mean or sd (over the cycles of the walk that are averaged), norm or norm sd.
        cycle: number of the cycle from 1; None for a value over all cycles.
    """

    side: str
    kind: str
    cycle: int | None
    variable: Variable
    phase: str
    features: Features


def phases(cycle: Cycle) -> dict[str, Phase]:
    """The phases of a gait cycle, in percent of it; phases with unknown events are left out.

    In a run, stance has no parts, since the other foot is in the air from initial contact to foot off.

    >>> phases(Cycle("left", 0.0, 0.6, 1.0, 0.1, 0.5, "", 0))["pre_swing"]
    (50.0, 60.0)
    """
    length = cycle.next_initial_contact - cycle.initial_contact
    off, other_off, other_contact = (
        100.0 * (time - cycle.initial_contact) / length
        for time in (cycle.foot_off, cycle.opposite_foot_off, cycle.opposite_initial_contact)
    )
    if other_off > other_contact:  # a run: at initial contact the other foot is in the air
        other_off = math.nan
    middle, third = 0.5 * (other_off + other_contact), (100.0 - off) / 3.0
    found = {
        "cycle": (0.0, 100.0),
        "stance": (0.0, off),
        "swing": (off, 100.0),
        "loading_response": (0.0, other_off),
        "single_support": (other_off, other_contact),
        "mid_stance": (other_off, middle),
        "terminal_stance": (middle, other_contact),
        "pre_swing": (other_contact, off),
        "initial_swing": (off, off + third),
        "mid_swing": (off + third, off + 2.0 * third),
        "terminal_swing": (off + 2.0 * third, 100.0),
    }
    return {name: (start, end) for name, (start, end) in found.items() if 0.0 <= start < end <= 100.0}


def features_in(values: np.ndarray, percent: np.ndarray, phase: Phase) -> Features | None:
    """Features of a curve in a phase; None if the curve is not known throughout.

    Args:
        values: (N,) over the gait cycle.
        percent: (N,) from 0 to 100.
        phase: begin and end; values there are interpolated.
    """
    inside = (percent > phase[0]) & (percent < phase[1])
    at = np.concatenate([phase[:1], percent[inside], phase[1:]])
    known = np.interp(at, percent, values)
    if not np.isfinite(known).all():
        return None
    low, high = int(known.argmin()), int(known.argmax())
    mean = float(np.trapezoid(known, at)) / (phase[1] - phase[0])
    lowest, highest = float(known[low]), float(known[high])
    return Features(*phase, lowest, float(at[low]), highest, float(at[high]), highest - lowest, mean)


def walk_features(cycles: GaitCycles, summary: GaitSummary | None = None) -> Iterator[PhaseFeatures]:
    """Features of each cycle of a walk, their mean and standard deviation by side, and those of the norm.

    The norm's features are those of its mean curve, in the phases of the side's mean events. Its standard deviations
    are those of the norm's sample where these features occur; norms do not publish those of a sample of features.
    """
    for side in dict.fromkeys(curves.cycle.side for curves in cycles.cycles):
        numbered = [(number, own) for number, own in enumerate(cycles.cycles, start=1) if own.cycle.side == side]
        for variable in CYCLE_VARIABLES.values():
            averaged: dict[str, list[Features]] = {}
            mixed = variable.is_kinetic and any(curves.estimated for _, curves in numbered)
            for number, curves in numbered:
                for phase, found in _of_cycle(variable, curves):
                    yield PhaseFeatures(side, kind_of_cycle(variable, curves), number, variable, phase, found)
                    if not variable.is_set_aside(curves):
                        averaged.setdefault(phase, []).append(found)
            for phase, several in averaged.items():
                yield from _averaged(side, variable, phase, several, f", {ESTIMATED}" if mixed else "")
        if summary is not None:
            yield from _of_norm(side, summary, _mean_phases([curves.cycle for _, curves in numbered]))


@dataclass(frozen=True)
class ReportedFeature:
    """A feature that a report shows, in the curve's reported units.

    Attributes:
        values: (side,) mean over the cycles of each side in the order of `SIDES`; NaN if unknown.
        sds: (side,) sample standard deviation over them; NaN for fewer than two cycles.
        norm: feature of the norm's mean curve, in the phases of the sides' mean events, mean of both sides; NaN without
            a norm.
    """

    variable: Variable
    statistic: str
    phase: str
    values: np.ndarray
    sds: np.ndarray
    norm: float


def reported_features(
    cycles: GaitCycles, summary: GaitSummary, chosen: Sequence[tuple[str, str, str]]
) -> list[ReportedFeature]:
    """Chosen features of a group of walks.

    Args:
        cycles: of all walks together, as from `pooled`.
        summary: of these cycles.
        chosen: statistic, curve and phase of each, such as ("maximum", "knee_flexion", "swing").
    """
    of_sides = [[curves for curves in cycles.cycles if curves.cycle.side == side] for side in SIDES]
    means = [_mean_phases([curves.cycle for curves in own]) if own else {} for own in of_sides]
    found = []
    for statistic, name, phase in chosen:
        variable = CYCLE_VARIABLES[name]
        values, sds, norms = np.full(len(SIDES), np.nan), np.full(len(SIDES), np.nan), []
        for k, own in enumerate(of_sides):
            known = [
                float(getattr(one, statistic))
                for curves in own
                if (ends := phases(curves.cycle).get(phase))
                and (one := features_in(variable.averaged(curves), curves.percent, ends))
            ]
            values[k], sds[k] = average(known).mean, average(known).sd
            mean = summary.norm_mean[name]
            of_norm = features_in(mean, summary.percent, means[k][phase]) if phase in means[k] else None
            norms += [float(getattr(of_norm, statistic))] if of_norm else []
        norm = float(np.mean(norms)) if norms else float("nan")
        found.append(ReportedFeature(variable, statistic, phase, values, sds, norm))
    return found


FEATURES = tuple((each, name, phase) for name in CYCLE_VARIABLES for phase in PHASES for each in STATISTICS)
"""Statistic, curve and phase of every feature."""


def cycle_features(curves: CycleCurves) -> np.ndarray:
    """All `FEATURES` of a cycle (feature,), in the curves' reported units; NaN if unknown or set aside."""
    ends, unknown = phases(curves.cycle), [float("nan")] * len(STATISTICS)
    values: list[float] = []
    for variable in CYCLE_VARIABLES.values():
        curve = variable.averaged(curves)
        for phase in PHASES:
            found = features_in(curve, curves.percent, ends[phase]) if phase in ends else None
            values += [getattr(found, each) for each in STATISTICS] if found else unknown
    return np.array(values)


def _of_cycle(variable: Variable, curves: CycleCurves) -> Iterator[tuple[str, Features]]:
    values = variable.of(curves)
    for phase, ends in phases(curves.cycle).items():
        found = features_in(values, curves.percent, ends)
        if found:
            yield phase, found


def _averaged(
    side: str, variable: Variable, phase: str, several: Sequence[Features], suffix: str
) -> Iterator[PhaseFeatures]:
    rows = np.array([[*vars(found).values()] for found in several])
    yield PhaseFeatures(side, f"mean{suffix}", None, variable, phase, Features(*rows.mean(axis=0).tolist()))
    if len(rows) > 1:
        yield PhaseFeatures(side, f"sd{suffix}", None, variable, phase, Features(*rows.std(axis=0, ddof=1).tolist()))


def _mean_phases(cycles: Sequence[Cycle]) -> Mapping[str, Phase]:
    of_cycles = [phases(cycle) for cycle in cycles]
    return {
        name: (float(np.mean([own[name][0] for own in of_cycles])), float(np.mean([own[name][1] for own in of_cycles])))
        for name in of_cycles[0]
        if all(name in own for own in of_cycles)
    }


def _of_norm(side: str, summary: GaitSummary, in_phases: Mapping[str, Phase]) -> Iterator[PhaseFeatures]:
    for name, mean in summary.norm_mean.items():
        sd = summary.norm_sd[name]
        for phase, ends in in_phases.items():
            found = features_in(mean, summary.percent, ends)
            if found is None:
                continue
            yield PhaseFeatures(side, "norm", None, VARIABLES[name], phase, found)
            at = np.interp([found.minimum_percent, found.maximum_percent], summary.percent, sd)
            spread = features_in(sd, summary.percent, ends)
            if spread and np.isfinite(at).all():
                low, high = map(float, at)
                values = Features(*ends, low, found.minimum_percent, high, found.maximum_percent, np.nan, spread.mean)
                yield PhaseFeatures(side, "norm sd", None, VARIABLES[name], phase, values)
