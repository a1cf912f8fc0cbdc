"""Results of each group of walks in a report that compares groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pipeline.analysis import PERCENT, VARIABLES, average
from pipeline.conventions import SIDES
from pipeline.trial import GaitCycles, GaitSummary, MuscleActivity, WholeBody

TRUNK = ("trunk_flexion", "trunk_bending", "trunk_rotation")
"""Curves of the thorax relative to the pelvis, from the skeleton fitted to the markers."""


@dataclass(frozen=True)
class ReportedGroup:
    """The walks of one session and condition.

    Attributes:
        name: session and condition as text.
        facts: labels and texts: date of the session, and age on that date.
        comments: of the walks that have one.
        cycles, summary: of all plausible walks together; None if there are none.
        walks: number of these walks.
        emg: envelopes of these walks; None without EMG.
        trunk: mean (side, percent) of each curve of `TRUNK`, degrees; empty if the thorax has too few markers.
        mass: body mass, kg; NaN if not known.
        missing: why there are no values; empty if there are.
    """

    name: str
    facts: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()
    cycles: GaitCycles | None = None
    summary: GaitSummary | None = None
    walks: int = 0
    emg: MuscleActivity | None = None
    trunk: Mapping[str, np.ndarray] = field(default_factory=dict)
    mass: float = np.nan
    missing: str = ""


def trunk_curves(walks: Sequence[tuple[GaitCycles, WholeBody]]) -> dict[str, np.ndarray]:
    """Mean (side, percent) of each curve of the trunk over all cycles of each side, degrees.

    Walks with too few markers on the thorax for its orientation are left out. If none remain, the result is empty.
    """
    seen = [(cycles, body) for cycles, body in walks if _observed(body)]
    found = {}
    for name in TRUNK if seen else ():
        of_sides = [
            average(
                [
                    curve
                    for cycles, body in seen
                    for curve in VARIABLES[name].over_cycles(
                        body, body.kinematic, [one.cycle for one in cycles.cycles if one.cycle.side == side]
                    )
                ],
                PERCENT.shape,
            ).mean
            for side in SIDES
        ]
        found[name] = np.array(of_sides)
    return found


def _observed(body: WholeBody) -> bool:
    reading = VARIABLES[TRUNK[0]].skeleton
    assert reading
    return reading.observability(body, SIDES[0])[0] == "observed"
