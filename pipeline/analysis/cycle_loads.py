"""Which cycles of a walk have measured loads, which have estimated ones, and why the others have none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.trial import CycleCurves, Stance

MEASURED, ESTIMATED_LOADS, NO_LOADS = LOADS = ("measured", "estimated", "none")
"""Loads of a cycle."""


@dataclass(frozen=True)
class CycleLoads:
    """The loads of one gait cycle.

    Attributes:
        number: of the cycle within the walk, from 1.
        loads: one of `LOADS`.
        reason: why there are none; else empty.
    """

    number: int
    side: str
    loads: str
    reason: str = ""


def loads_of_cycles(cycles: Sequence[CycleCurves], stances: Sequence[Stance], plates: int) -> Iterator[CycleLoads]:
    """The loads of each cycle of a walk.

    Args:
        cycles: of the walk.
        stances: contacts with plates.
        plates: number of force plates in the recording.
    """
    for number, curves in enumerate(cycles, start=1):
        side = curves.cycle.side
        if curves.estimated:
            yield CycleLoads(number, side, ESTIMATED_LOADS)
        elif reason := curves.set_aside or _why_none(curves, stances, plates):
            yield CycleLoads(number, side, NO_LOADS, reason)
        else:
            yield CycleLoads(number, side, MEASURED)


def _why_none(curves: CycleCurves, stances: Sequence[Stance], plates: int) -> str:
    """Why a cycle has no loads; empty if it has."""
    cycle = curves.cycle
    if any(np.isfinite(moment).any() for moment in curves.moments.values()):
        return ""
    if cycle.plate:
        return "no joint moment is known"
    if not plates:
        return "the recording has no force plate"
    ends = cycle.initial_contact, cycle.foot_off
    own = [s for s in stances if s.side in (cycle.side, "") and s.onset < ends[1] and s.end > ends[0]]
    if not own:
        return "the step is on no plate"
    excluded = [f"{s.on}: {s.rejected}" for s in own if s.rejected]
    return "; ".join(excluded) or "the clean step on a plate is not the stance of this cycle"
