"""Rows of a walk's estimates: loads of each step from motion, muscle forces and fatigue."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis import (
    ESTIMATED,
    STEP_ERRORS,
    estimated_steps,
    from_estimated_loads,
    muscle_curves,
    sides_from_estimated_loads,
)
from pipeline.results.tables.frames import Row, curve, over_time, scalar
from pipeline.trial import GaitCycles, GroundFromMotion, MuscleFatigue, MuscleLoads

STEP = "estimated step"
"""Kind of the rows of loads estimated from motion."""

FROM_MEASURED, FROM_ESTIMATED = "estimated", f"estimated, {ESTIMATED}"
"""Kinds of muscle and joint contact forces, by the loads from which they are estimated."""

CURVE_KINDS = {
    FROM_MEASURED: "one gait cycle of muscle and joint contact forces, estimated from the joint moments",
    FROM_ESTIMATED: "the same where the moments of part of the cycle come from loads estimated from motion",
    STEP: "loads of one step estimated from the motion of the whole body, with a plate or without, numbered from 1 "
    "within the trial, over 0 to 100 % from initial contact to foot off; not in any mean",
    f"{STEP} sd": "standard deviation of that estimate's error; the 95 % band is 1.96 times this to either side",
}
SCALAR_KINDS = {STEP: "of one step whose loads are estimated, numbered from 1 within the trial"}
PARAMETERS = {
    f"error_{name}": (unit, f"root mean square over the step of estimated minus measured {meaning}")
    for name, (unit, meaning) in STEP_ERRORS.items()
}
"""Unit and meaning of the parameters that only these rows have."""


def estimated_curves(found: GroundFromMotion) -> Iterator[Row]:
    """Loads of each step estimated from motion, and the standard deviation of their error."""
    for number, loads in enumerate(estimated_steps(found), start=1):
        for name, unit, values in loads.curves():
            yield curve(STEP, name, values, unit, loads.step.side, number)
            if name in loads.error_sd:
                yield curve(f"{STEP} sd", name, loads.error_sd[name], unit, loads.step.side, number)


def estimated_scalars(found: GroundFromMotion) -> Iterator[Row]:
    """Times of each such step and, if a plate measured it too, the plate and the error of the estimate without it."""
    for number, step in enumerate(found.steps, start=1):
        yield scalar(STEP, "initial_contact", step.start, "s", step.side, number)
        yield scalar(STEP, "foot_off", step.stop, "s", step.side, number)
        if step.plate:
            yield scalar(STEP, "plate", step.plate, "1", step.side, number)
        for name, (unit, _) in STEP_ERRORS.items():
            yield scalar(STEP, f"error_{name}", getattr(step, name), unit, step.side, number)


def muscle_rows(cycles: GaitCycles, loads: MuscleLoads) -> Iterator[Row]:
    """Muscle and joint contact forces of each cycle."""
    for number, curves in enumerate(cycles.cycles, start=1):
        kind = FROM_ESTIMATED if from_estimated_loads(loads, curves.cycle) else FROM_MEASURED
        for name, (values, unit) in muscle_curves(loads, curves.cycle).items():
            yield curve(kind, name, values, unit, curves.cycle.side, number)


def fatigue_times(cycles: GaitCycles, loads: MuscleLoads) -> Iterator[Row]:
    """Capacity over the hour, every five minutes."""
    if fatigue := loads.fatigue:
        few = fatigue.minutes % 5 == 0
        for at, kind, side, muscle in _by_muscle(cycles, loads, fatigue):
            name, time = f"{side}_{muscle}_capacity", 60.0 * fatigue.minutes[few]
            yield from over_time(kind, name, time, fatigue.capacity[at][few], "1")


def fatigue_scalars(cycles: GaitCycles, loads: MuscleLoads) -> Iterator[Row]:
    """Capacity after the hour, peak load and its endurance time."""
    if fatigue := loads.fatigue:
        for at, kind, side, muscle in _by_muscle(cycles, loads, fatigue):
            yield scalar(kind, f"{muscle}_capacity", fatigue.capacity[at][-1], "1", side)
            yield scalar(kind, f"{muscle}_peak_load", fatigue.peak_load[at], "1", side)
            yield scalar(kind, f"{muscle}_held", fatigue.held[at], "min", side)


def _by_muscle(
    cycles: GaitCycles, loads: MuscleLoads, fatigue: MuscleFatigue
) -> Iterator[tuple[tuple[int, ...], str, str, str]]:
    """Index, kind, side and muscle of each entry."""
    mixed = sides_from_estimated_loads(loads, [curves.cycle for curves in cycles.cycles])
    for at in np.ndindex(fatigue.held.shape):
        case, side, muscle = fatigue.cases[at[0]], fatigue.side_names[at[1]], fatigue.muscles[at[2]]
        yield at, f"fatigue {case}{f', {ESTIMATED}' * (side in mixed)}", side, muscle
