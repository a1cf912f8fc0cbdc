"""Capacity of muscles over an hour of a repeated walk, by the three-compartment model of fatigue."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.analysis.muscle_groups import group_activation
from pipeline.analysis.resampling import PERCENT, mean_where_known, resample
from pipeline.conventions import SIDES
from pipeline.muscles import rates_of, repeated_fatigue
from pipeline.trial import Cycle, MuscleFatigue, MuscleLoads

FATIGUE_MUSCLES = {"soleus": "ankle", "vastus_lateralis": "knee", "gluteus_medius": "hip", "erector_spinae": "trunk"}
"""The muscle that represents each joint; there are rates for ankle, knee and trunk, and general ones for the hip."""

MINUTES = np.linspace(0.0, 60.0, 61)

_PARTS = 4
"""Integration steps in a minute."""

_REST = 0.02
"""Activation below which a muscle rests, as it does between its bursts of EMG."""

_STEP = 2.0**-12
"""Resolution of a stored capacity, far below the error of any estimate; more digits would take space."""

_KNOWN = 0.9
"""Fraction of the cycle that must be known."""


AS_WALKED, WITH_LOAD, WITH_WEAK_MUSCLES = FATIGUE_CASES = ("as walked", "with load", "with weak muscles")


def fatigue_of(cases: Mapping[str, tuple[str, MuscleLoads]], cycles: tuple[Cycle, ...]) -> MuscleFatigue | None:
    """Fatigue over an hour of a walk and of its cases; None without a gait cycle.

    The load is the muscle's activation, averaged over the cycles of its side: the share of its maximum that the walk
    demands at each percent of the cycle.

    Args:
        cases: by name in `FATIGUE_CASES`, a description of the case and its muscle forces; all have the same frames.
        cycles: of the walk.
    """
    if not cycles:
        return None
    shape = len(cases), len(SIDES), len(FATIGUE_MUSCLES)
    capacity, peak, endurance = np.full((*shape, len(MINUTES)), np.nan), np.full(shape, np.nan), np.full(shape, np.nan)
    for m, muscle in enumerate(FATIGUE_MUSCLES):
        found = {
            (c, s): load
            for c, (_, loads) in enumerate(cases.values())
            for s, side in enumerate(SIDES)
            if (load := _mean_activation(loads, cycles, side, muscle)) is not None
        }
        together = capacity_over_time(muscle, np.stack(list(found.values()), axis=1)) if found else np.zeros((0, 0))
        for ((c, s), load), values in zip(found.items(), together.T, strict=True):
            capacity[c, s, m], peak[c, s, m] = values, load.max()
            endurance[c, s, m] = endurance_time(values, peak[c, s, m])
    words = tuple(words for words, _ in cases.values())
    stored = (np.round(capacity / _STEP) * _STEP).astype(np.float32)
    return MuscleFatigue(tuple(cases), words, SIDES, tuple(FATIGUE_MUSCLES), MINUTES, stored, peak, endurance)


def capacity_over_time(muscle: str, load: np.ndarray) -> np.ndarray:
    """Maximum force over that of the rested muscle, (61, ...) at `MINUTES`.

    Args:
        muscle: a key of `FATIGUE_MUSCLES`.
        load: (p, ...) activation over the gait cycle.
    """
    rates = rates_of(FATIGUE_MUSCLES[muscle])
    fine = 60.0 * np.linspace(MINUTES[0], MINUTES[-1], _PARTS * (len(MINUTES) - 1) + 1)
    return 1.0 - repeated_fatigue(rates, fine, np.where(load < _REST, 0.0, load))[::_PARTS]


def endurance_time(capacity: np.ndarray, peak: float) -> float:
    """Minutes after which a falling capacity (61,) is below the peak load; the whole hour if it never is."""
    below = np.flatnonzero(capacity < peak)
    if not len(below):
        return float(MINUTES[-1])
    k = int(below[0])
    if k == 0:
        return float(MINUTES[0])
    return float(np.interp(peak, capacity[[k, k - 1]], MINUTES[[k, k - 1]]))


def _mean_activation(loads: MuscleLoads, cycles: tuple[Cycle, ...], side: str, muscle: str) -> np.ndarray | None:
    """Mean (101,) over a side's cycles, linear where unknown; None if too little of the cycle is known."""
    values = group_activation(loads, side, muscle)
    own = [
        resample(values, loads.time, cycle.initial_contact, cycle.next_initial_contact)
        for cycle in cycles
        if cycle.side == side
    ]
    curves = np.array(own).reshape(len(own), len(PERCENT))
    mean, _ = mean_where_known(curves)
    known = np.isfinite(mean)
    return np.interp(PERCENT, PERCENT[known], mean[known]) if known.mean() >= _KNOWN else None
