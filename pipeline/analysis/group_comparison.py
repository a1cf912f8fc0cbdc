"""Comparison of two groups of walks of one subject, such as two visits, or of the two sides in the same walks.

A group's values are those of `pipeline.analysis.summarise` over all its cycles together. Cycles of one walk are not
independent, so confidence intervals come from the walks: each is left out once (`pipeline.analysis.jackknife`). Of two
sides, this gives the interval of their difference, and statistical parametric mapping uses the walks' pairs of curves;
a walk whose plates measured one side alone counts for that side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pipeline.analysis.features import FEATURES, cycle_features
from pipeline.analysis.jackknife import Estimate, half_width, half_width_of_same, jackknife
from pipeline.analysis.mixed_steps import estimated_counts, mixed_notes
from pipeline.analysis.norm import Norm
from pipeline.analysis.one_person import TWO_VISITS, person_notes
from pipeline.analysis.repeated_strides import repeated_notes
from pipeline.analysis.resampling import PERCENT, mean_where_known
from pipeline.analysis.statistical_mapping import MappingError, over_common_percents, paired, two_sample
from pipeline.analysis.summary import average, averaged, pooled, summarise
from pipeline.analysis.variables import CYCLE_VARIABLES, PARAMETERS, PROFILE, SIDES_TESTED
from pipeline.conventions import SIDES
from pipeline.trial import GaitCycles, GaitSummary, GroupComparison, Note, ScalarChange, StatisticalMap, WalkGroup

FEW_WALKS = 5
"""Number of walks in a group below which its intervals are wide and poorly supported; chosen, not derived."""

GPS_CHANGE = 1.6
"""Degrees, the minimal clinically important difference of the Gait Profile Score of children with cerebral palsy (Baker
et al. 2012, Gait and Posture 35(4), 612-615)."""


@dataclass(frozen=True)
class Averages:
    """Averages over some walks together.

    Attributes:
        summary: of all their cycles.
        features: (side, feature) mean of `FEATURES` over the cycles of each side; NaN if no cycle has it.
    """

    summary: GaitSummary
    features: np.ndarray


def by_side(values: Mapping[str, Mapping[str, Any]], names: Iterable[str]) -> np.ndarray:
    """Values by side and name as an array (side, name, ...) in the order of the sides and names."""
    return np.array([[values[side][name] for name in names] for side in SIDES])


def mean_curves(of: Averages) -> np.ndarray:
    """(side, variable, percent) means in the order of `CYCLE_VARIABLES`."""
    return by_side(of.summary.mean, CYCLE_VARIABLES)


Read = Callable[[Averages], np.ndarray]

SCALARS: dict[str, Read] = {
    "parameter": lambda of: by_side(of.summary.parameter_mean, PARAMETERS),
    "profile": lambda of: by_side(of.summary.profile, PROFILE),
    "score": lambda of: np.array([*(of.summary.gps[side] for side in SIDES), of.summary.gps_overall])[:, None],
    "feature": lambda of: of.features,
}
"""How scalars of each kind are read from averages: (side, name); the last row of scores is for both sides together."""

NAMES: dict[str, tuple[str, ...]] = {
    "parameter": tuple(PARAMETERS),
    "profile": PROFILE,
    "score": ("gps",),
    "feature": tuple(f"{statistic} {name} in {phase}" for statistic, name, phase in FEATURES),
}
"""Names of the scalars of each kind; features as in the configuration."""

FEATURE_UNITS = {
    name: CYCLE_VARIABLES[curve].units for name, (_, curve, _) in zip(NAMES["feature"], FEATURES, strict=True)
}


@dataclass(frozen=True)
class Group:
    """The walks of one session and condition, with the data needed to summarise them.

    Attributes:
        cycles: of each walk.
        leg_length: m, for the summary.
        norm: None for no norm.
        side: the side that is compared with the other; empty if each side is compared with the same side.
        mass: kg; NaN if unknown.
    """

    session: str
    condition: str
    cycles: tuple[GaitCycles, ...]
    leg_length: float
    norm: Norm | None
    side: str = ""
    mass: float = np.nan

    def of(self, walks: Sequence[GaitCycles]) -> Averages:
        """Averages over some of the walks."""
        summary = summarise(pooled(walks[0].subject, walks), self.leg_length, self.norm)
        of_sides = [np.concatenate([self._features[walk.name][side] for walk in walks]) for side in SIDES]
        return Averages(summary, np.array([mean_where_known(features)[0] for features in of_sides]))

    @cached_property
    def _features(self) -> dict[str, dict[str, np.ndarray]]:
        """Features (cycle, feature) of the cycles by walk and side."""
        none = np.empty((0, len(FEATURES)))
        return {
            walk.name: {
                side: np.vstack([none, *(cycle_features(c) for c in walk.cycles if c.cycle.side == side)])
                for side in SIDES
            }
            for walk in self.cycles
        }

    @cached_property
    def singles(self) -> tuple[Averages, ...]:
        """Averages of each walk by itself."""
        return tuple(self.of([walk]) for walk in self.cycles)

    @cached_property
    def without(self) -> dict[tuple[str, ...], Averages]:
        """Averages of all walks together, and without each of them, by the names of the remaining walks."""
        names = [walk.name for walk in self.cycles]
        left = [self.cycles, *([*self.cycles[:k], *self.cycles[k + 1 :]] for k in range(len(names)) if len(names) > 1)]
        return {tuple(walk.name for walk in walks): self.of(walks) for walks in left}

    @property
    def whole(self) -> Averages:
        """Averages of all walks together."""
        return self.without[tuple(walk.name for walk in self.cycles)]

    def estimate(self, read: Read, known: np.ndarray) -> Estimate:
        """A value read from the averages of all walks, with its standard error; ``known`` as for `jackknife`."""
        return jackknife(self.cycles, lambda walks: read(self.without[tuple(walk.name for walk in walks)]), known)

    @property
    def label(self) -> WalkGroup:
        """Description of the group in results."""
        cycles = [c for walk in self.cycles for c in walk.cycles]
        count = {side: sum(c.cycle.side == side for c in cycles) for side in SIDES}
        names = tuple(walk.name for walk in self.cycles)
        return WalkGroup(self.session, self.condition, names, count, self.side, estimated_counts(cycles))


def compare_groups(name: str, first: Group, second: Group, mapped: bool) -> GroupComparison:
    """Compare a second group of walks with a first one of the same subject.

    Args:
        name: of the comparison.
        first, second: the groups; each has at least one walk.
        mapped: whether curves are also compared by statistical parametric mapping, which needs spm1d.
    """
    one, other = (group.estimate(mean_curves, known_curves(group)) for group in (first, second))
    return _comparison(
        name,
        first,
        second,
        side_names=SIDES,
        difference=other.value - one.value,
        half_width=half_width(one, other),
        scalars=tuple(change for kind in SCALARS for change in _changes_of_groups(kind, first, second)),
        notes=tuple(_notes(first, second)),
        maps=dict(_maps_of_groups(first, second)) if mapped else {},
    )


def compare_sides(name: str, first: Group, second: Group, mapped: bool) -> GroupComparison:
    """Compare two sides of the same walks; arguments as for `compare_groups`, the walks of both with their side."""
    group, one, other = first, SIDES.index(first.side), SIDES.index(second.side)
    both = group.estimate(mean_curves, known_curves(group))
    curves = both.row(one), both.row(other)
    return _comparison(
        name,
        first,
        second,
        side_names=("",),
        difference=(curves[1].value - curves[0].value)[None],
        half_width=half_width_of_same(*curves)[None],
        scalars=tuple(change for kind in SCALARS for change in _changes_of_sides(kind, group, one, other)),
        notes=(
            *few_walks("walks", len(group.cycles)),
            *mixed_notes([curves for walk in group.cycles for curves in walk.cycles]),
        ),
        maps=dict(_maps_of_sides(group, one, other)) if mapped else {},
    )


def _comparison(name: str, first: Group, second: Group, **found: Any) -> GroupComparison:
    """The comparison of the curves `CYCLE_VARIABLES` of two groups with what was found, the other fields."""
    return GroupComparison(
        name=name,
        subject=first.cycles[0].subject,
        first=first.label,
        second=second.label,
        variable_names=tuple(CYCLE_VARIABLES),
        percent=PERCENT,
        variable_units=tuple(variable.units for variable in CYCLE_VARIABLES.values()),
        **found,
    )


def known_curves(group: Group) -> np.ndarray:
    """(N, side, variable, percent): whether each walk is in the mean of each curve."""
    means = np.array([mean_curves(of) for of in group.singles])
    taken = np.zeros(means.shape, dtype=bool)
    for side in range(means.shape[1]):
        for row in range(means.shape[2]):
            taken[:, side, row] = averaged(means[:, side, row])[:, None]
    return taken


def known_scalars(kind: str, group: Group, singles: np.ndarray) -> np.ndarray:
    """(N, side, name): whether each walk is in the scalars of a kind, which are (N, side, name) for single walks.

    A walk without one of the nine angles has no score, but its other angles are in that of all walks together.
    """
    if kind != "score":
        return np.isfinite(singles)
    profiles = np.array([SCALARS["profile"](of) for of in group.singles])
    angles = np.isfinite(profiles).any(axis=2, keepdims=True)
    return np.concatenate([angles, angles.any(axis=1, keepdims=True)], axis=1)


def _changes_of_groups(kind: str, first: Group, second: Group) -> Iterator[ScalarChange]:
    """Change of every scalar of a kind that both groups have."""
    read = SCALARS[kind]
    singles = [np.array([read(of) for of in group.singles]) for group in (first, second)]
    one, other = (
        group.estimate(read, known_scalars(kind, group, own))
        for group, own in zip((first, second), singles, strict=True)
    )
    sides = (*SIDES, "")[: one.value.shape[0]]
    return _changes(kind, sides, (one.value, other.value), half_width(one, other), singles)


def _changes_of_sides(kind: str, group: Group, one: int, other: int) -> Iterator[ScalarChange]:
    """Change of every scalar of a kind that both sides have."""
    read = SCALARS[kind]
    singles = np.array([read(of) for of in group.singles])
    both = group.estimate(read, known_scalars(kind, group, singles))
    found = both.row(one), both.row(other)
    values, wide = [of.value[None] for of in found], half_width_of_same(*found)[None]
    return _changes(kind, ("",), values, wide, [singles[:, [side]] for side in (one, other)])


def _changes(
    kind: str,
    sides: Sequence[str],
    values: Sequence[np.ndarray],
    wide: np.ndarray,
    singles: Sequence[np.ndarray],
) -> Iterator[ScalarChange]:
    """Changes from the first to the second of two (side, name), with their half widths, and those of single walks."""
    for side, of_side in enumerate(sides):
        for row, name in enumerate(NAMES[kind]):
            first, second = (float(value[side, row]) for value in values)
            if np.isfinite(second - first):
                first_sd, second_sd = (spread(of_walks[:, side, row]) for of_walks in singles)
                change = first_sd, second_sd, second - first, float(wide[side, row])
                yield ScalarChange(kind, name, of_side, unit_of(kind, name), first, second, *change)


def unit_of(kind: str, name: str) -> str:
    """Unit of a scalar; scores and the variables of the profile are in degrees."""
    if kind == "parameter":
        return PARAMETERS[name].units
    return FEATURE_UNITS[name] if kind == "feature" else "deg"


def spread(values: np.ndarray) -> float:
    """Standard deviation of the known values; NaN for fewer than two."""
    return float(average(values.tolist()).sd)


def _maps_of_groups(first: Group, second: Group) -> Iterator[tuple[str, StatisticalMap]]:
    """Means of the second group's walks against those of the first, in the sagittal curves of each side."""
    for side in SIDES:
        for name in SIDES_TESTED:
            both = ([of.summary.mean[side][name] for of in group.singles] for group in (first, second))
            one, other = (curves[np.isfinite(curves).any(axis=1)] for curves in map(np.array, both))
            with suppress(MappingError):
                yield f"{side} {name}", over_common_percents(two_sample, other, one)


def _maps_of_sides(group: Group, one: int, other: int) -> Iterator[tuple[str, StatisticalMap]]:
    """Means of the second side in each walk against those of the first, for the sagittal curves."""
    for name in SIDES_TESTED:
        sides = SIDES[one], SIDES[other]
        curves = np.array([[of.summary.mean[side][name] for side in sides] for of in group.singles])
        curves = curves[np.isfinite(curves).any(axis=2).all(axis=1)]
        with suppress(MappingError):
            yield name, over_common_percents(paired, curves[:, 1], curves[:, 0])


def few_walks(subject: str, count: int) -> Iterator[Note]:
    """A warning if a group has few walks; ``subject`` names the group."""
    if count == 1:
        text = "only one walk, so the variation between walks is unknown: no confidence intervals; record more"
        yield Note("warning", subject, text)
    elif count < FEW_WALKS:
        text = f"only {count} walks: its confidence intervals rest on few walks; record {FEW_WALKS} or more"
        yield Note("warning", subject, text)


def _notes(first: Group, second: Group) -> Iterator[Note]:
    yield from few_walks("first group", len(first.cycles))
    yield from few_walks("second group", len(second.cycles))
    groups = {", ".join(filter(None, (f"session {own.session}", own.condition))): own for own in (first, second)}
    yield from comparability(
        {name: own.norm.name if own.norm else "" for name, own in groups.items()},
        {name: own.mass for name, own in groups.items()},
        {name: own.leg_length for name, own in groups.items()},
    )
    yield from repeated_notes({f"{name}, {walk.name}": walk for name, own in groups.items() for walk in own.cycles})
    for name, own in groups.items():
        for note in mixed_notes([curves for walk in own.cycles for curves in walk.cycles]):
            yield replace(note, subject=f"{name}, {note.subject}")


def comparability(
    norms: Mapping[str, str], masses: Mapping[str, float], leg_lengths: Mapping[str, float]
) -> Iterator[Note]:
    """Warnings about groups with values that differ for another reason than walking: another norm or another body.

    Args:
        norms: name of the norm by that of the group; empty for none.
        masses: body mass by name of the group, kg; NaN if unknown.
        leg_lengths: leg length by name of the group, m; NaN if unknown.
    """
    if len(set(norms.values())) > 1:
        of_groups = ", ".join(f"{norm or 'none'} for {name}" for name, norm in norms.items())
        yield Note("warning", "norm", f"{of_groups}: changes of scores are also due to the norm")
    yield from person_notes(masses, leg_lengths, cause=TWO_VISITS)
