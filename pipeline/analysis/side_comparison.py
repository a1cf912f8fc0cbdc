"""One side of a subject compared with the other over the walks of a session and condition.

Both sides come from the same walks. The confidence interval of their difference therefore comes from leaving out one
walk at a time (`pipeline.analysis.jackknife`), and statistical parametric mapping uses the walks' pairs of curves. A
walk whose plates measured one side alone counts for that side.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis.group_comparison import (
    NAMES,
    SCALARS,
    Group,
    few_walks,
    known_curves,
    known_scalars,
    mean_curves,
    spread,
    unit_of,
)
from pipeline.analysis.jackknife import half_width_of_same
from pipeline.analysis.mixed_steps import mixed_notes
from pipeline.analysis.resampling import PERCENT
from pipeline.analysis.statistical_mapping import MappingError, over_common_percents, paired
from pipeline.analysis.variables import CYCLE_VARIABLES, SIDES_TESTED
from pipeline.conventions import SIDES
from pipeline.trial import GroupComparison, ScalarChange, StatisticalMap


def compare_sides(name: str, first: Group, second: Group, mapped: bool) -> GroupComparison:
    """Compare two sides of the same walks.

    Args:
        name: of the comparison.
        first, second: the walks, the same in both, with the side of each.
        mapped: whether curves are also compared by statistical parametric mapping, which needs spm1d.
    """
    group, one, other = first, SIDES.index(first.side), SIDES.index(second.side)
    known = known_curves(group)
    both = group.estimate(mean_curves, known)
    curves = both.row(one), both.row(other)
    return GroupComparison(
        name=name,
        subject=group.cycles[0].subject,
        first=first.label,
        second=second.label,
        side_names=("",),
        variable_names=tuple(CYCLE_VARIABLES),
        percent=PERCENT,
        variable_units=tuple(variable.units for variable in CYCLE_VARIABLES.values()),
        difference=(curves[1].value - curves[0].value)[None],
        half_width=half_width_of_same(*curves)[None],
        scalars=tuple(change for kind in SCALARS for change in _changes(kind, group, one, other)),
        notes=(
            *few_walks("walks", len(group.cycles)),
            *mixed_notes([curves for walk in group.cycles for curves in walk.cycles]),
        ),
        maps=dict(_maps(group, one, other)) if mapped else {},
    )


def _changes(kind: str, group: Group, one: int, other: int) -> Iterator[ScalarChange]:
    """Change of every scalar of a kind that both sides have."""
    read = SCALARS[kind]
    singles = np.array([read(of) for of in group.singles])
    known = known_scalars(kind, group, singles)
    both = group.estimate(read, known)
    found = both.row(one), both.row(other)
    wide = half_width_of_same(*found)
    for row, name in enumerate(NAMES[kind]):
        first, second = (float(each.value[row]) for each in found)
        if np.isfinite(second - first):
            spreads = spread(singles[:, one, row]), spread(singles[:, other, row])
            change = second - first, float(wide[row])
            yield ScalarChange(kind, name, "", unit_of(kind, name), first, second, *spreads, *change)


def _maps(group: Group, one: int, other: int) -> Iterator[tuple[str, StatisticalMap]]:
    """Means of the second side in each walk against those of the first, for the sagittal curves."""
    for name in SIDES_TESTED:
        sides = SIDES[one], SIDES[other]
        curves = np.array([[of.summary.mean[side][name] for side in sides] for of in group.singles])
        curves = curves[np.isfinite(curves).any(axis=2).all(axis=1)]
        try:
            yield name, over_common_percents(paired, curves[:, 1], curves[:, 0])
        except MappingError:
            continue
