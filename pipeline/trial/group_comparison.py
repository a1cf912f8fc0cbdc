"""Comparison of two groups of walks of one subject, or of the two sides of one group: differences with confidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Axis, Note, Quantity, of_curves
from pipeline.trial.statistical_mapping import StatisticalMap

ROUNDING = 1e-9
"""Relative difference below which values are the same: stance of as many frames in all walks has no spread, but the
rounding of its times."""


@dataclass(frozen=True)
class WalkGroup:
    """The walks of one session and condition.

    Attributes:
        walks: names of the walks compared, without failed and refused ones.
        cycles: number of gait cycles by side.
        side: the side that is compared with the other one; empty if each side is compared with the same side.
        estimated: number of these cycles by side whose loads are estimated from motion.
    """

    session: str
    condition: str
    walks: tuple[str, ...]
    cycles: dict[str, int]
    side: str = ""
    estimated: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ScalarChange:
    """A scalar of both groups: a spatiotemporal parameter, a column of the Movement Analysis Profile, a score, or a
    feature of a curve.

    Attributes:
        kind: "parameter", "profile", "score" or "feature".
        name: for a feature as in the configuration, such as "maximum knee_flexion in swing".
        side: empty for both sides together, and if the sides are compared with each other.
        first_sd, second_sd: standard deviation between the walks of a group; missing for fewer than two.
        change: second minus first.
        half_width: half the 95 % confidence interval of the change; missing if a group has fewer than two walks.
    """

    kind: str
    name: str
    side: str
    unit: str
    first: Annotated[float, Quantity("first group", "see unit")]
    second: Annotated[float, Quantity("second group", "see unit")]
    first_sd: Annotated[float, Quantity("standard deviation between walks, first group", "see unit")]
    second_sd: Annotated[float, Quantity("standard deviation between walks, second group", "see unit")]
    change: Annotated[float, Quantity("second minus first", "see unit")]
    half_width: Annotated[float, Quantity("half the 95 % confidence interval of the change", "see unit")]

    @property
    def clear(self) -> bool:
        """Whether the interval of the change does not include zero, by more than rounding."""
        return abs(self.change) - self.half_width > ROUNDING * max(abs(self.first), abs(self.second))


@dataclass(frozen=True)
class GroupComparison:
    """A second group of walks against a first one of the same subject, or one side of the same walks against the other.

    Attributes:
        name: of the comparison.
        side_names: the sides, each compared with the same side; one empty name if they are compared with each other.
        variable_units: of the variables; ``pipeline.analysis.variables`` defines each.
        difference: second minus first, of the means over all cycles of a side.
        half_width: half of its pointwise 95 % confidence interval; missing if a group has fewer than two walks.
        scalars: every parameter, profile column, score and feature that both groups have.
        maps: walks of the second group against those of the first, by side and variable as in "left knee_flexion"; by
            variable alone if the sides are compared with each other.
    """

    name: str
    subject: str
    first: WalkGroup
    second: WalkGroup
    side_names: Annotated[tuple[str, ...], Axis("side", "side")]
    variable_names: Annotated[tuple[str, ...], Axis("variable", "curve over the gait cycle")]
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    variable_units: tuple[str, ...]
    difference: Annotated[np.ndarray, of_curves("second minus first")]
    half_width: Annotated[np.ndarray, of_curves("half the 95 % confidence interval")]
    scalars: tuple[ScalarChange, ...]
    notes: tuple[Note, ...]
    maps: dict[str, StatisticalMap] = field(default_factory=dict)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """For each name of ``side_names``: side of the first and of the second group."""
        return tuple((name or self.first.side, name or self.second.side) for name in self.side_names)

    def maps_of(self, side: str) -> dict[str, StatisticalMap]:
        """The maps of one of ``side_names`` by variable."""
        keys = {name: f"{side} {name}".strip() for name in self.variable_names}
        return {name: self.maps[key] for name, key in keys.items() if key in self.maps}
