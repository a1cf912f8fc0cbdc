"""Spatiotemporal parameters of gait cycles, and their means over a walk's cycles and sides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.conventions import SIDES, X, Z
from pipeline.sides import other_side
from pipeline.signals import Foot, backward_speed, belt_speeds, finite_mean, finite_median
from pipeline.trial import Cycle, CycleCurves, Event, Kinematics

FOOT_FLAT = 15.0, 30.0
"""Percents of the cycle between which the whole sole is on the ground: after the other foot has left it, before the
heel rises (Perry and Burnfield 2010)."""

FOOT_FLAT_OF_RUN = 0.25, 0.5
"""Fractions of stance between which it is in running, whose stance is shorter than half of the cycle."""


def timing_parameters(cycle: Cycle) -> dict[str, float]:
    """Parameters that follow from the instants of a cycle, measured or predicted; NaN if unknown."""
    stride_time = cycle.next_initial_contact - cycle.initial_contact
    stance = 100.0 * (cycle.foot_off - cycle.initial_contact) / stride_time
    if cycle.opposite_foot_off > cycle.opposite_initial_contact:  # the other foot was in the air at initial contact
        both = max(0.0, cycle.foot_off - cycle.opposite_initial_contact)
    else:
        first = cycle.opposite_foot_off - cycle.initial_contact
        both = np.maximum(0.0, first) + np.maximum(0.0, cycle.foot_off - cycle.opposite_initial_contact)
    return {
        "cadence": 120.0 / stride_time,
        "stride_time": stride_time,
        "step_time": cycle.next_initial_contact - cycle.opposite_initial_contact,
        "stance": stance,
        "swing": 100.0 - stance,
        "double_support": float(100.0 * both / stride_time),
    }


def foot_flat(stance: float) -> tuple[float, float]:
    """First and last percent of the cycle with the whole sole on the ground; stance is in percent of the cycle.

    >>> foot_flat(62.0), foot_flat(40.0)
    ((15.0, 30.0), (10.0, 20.0))
    """
    return FOOT_FLAT if stance >= 50.0 else (FOOT_FLAT_OF_RUN[0] * stance, FOOT_FLAT_OF_RUN[1] * stance)


def walk_ratio(stride_length: float, cadence: float) -> float:
    """Half the stride length, m, over the cadence, steps/min, in mm/(steps/min) (Sekiya and Nagasaki 1998).

    >>> walk_ratio(1.4, 112.0)
    6.25
    """
    return 500.0 * stride_length / cadence


def flight_time(events: Sequence[Event]) -> float:
    """Median time, s, in which both feet are in the air after a foot off: positive in running, 0 in walking.

    Args:
        events: of both feet, in order of time.
    """
    on_ground: dict[str, bool] = {}
    times, since = [], None
    for event in events:
        other = on_ground.get(other_side(event.side))
        if event.kind == "initial contact" and since is not None:
            times.append(event.time - since)
            since = None
        elif event.kind == "foot off" and other is not None:
            since = None if other else event.time
            times += [0.0] if other else []
        on_ground[event.side] = event.kind == "initial contact"
    return float(np.median(times)) if times else 0.0


def belts_of(kinematics: Kinematics) -> dict[str, float]:
    """Speed, m/s, of the belt under each foot, from all cycles of its side; zero for both without a treadmill."""
    return belts_and_own(kinematics)[0]


def belts_and_own(kinematics: Kinematics) -> tuple[dict[str, float], list[float]]:
    """The belts' speeds, and in the order of the cycles that of the belt in each of them."""
    flat = [flat_speed(cycle, kinematics) for cycle in kinematics.cycles]
    by_side: dict[str, list[float]] = {side: [] for side in SIDES}
    for cycle, speed in zip(kinematics.cycles, flat, strict=True):
        by_side[cycle.side].append(speed)
    belts = belt_speeds(by_side)
    known = np.isfinite(flat) & any(belts.values())
    return belts, np.where(known, flat, [belts[cycle.side] for cycle in kinematics.cycles]).tolist()


def flat_speed(cycle: Cycle, kinematics: Kinematics) -> float:
    """Speed, m/s, at which the cycle's foot moves back while it is flat; NaN if it is not seen."""
    stride_time = cycle.next_initial_contact - cycle.initial_contact
    stance = 100.0 * (cycle.foot_off - cycle.initial_contact) / stride_time
    start, end = (cycle.initial_contact + 0.01 * percent * stride_time for percent in foot_flat(stance))
    unseen = np.full((len(kinematics.time), 3), np.nan)
    heel, toe = (kinematics.points.get(f"{cycle.side}_{part}", unseen) for part in ("heel", "toe"))
    return backward_speed(Foot(heel, toe), kinematics.time, start, end)


def walk_parameters(
    cycle: Cycle, kinematics: Kinematics, belt: float = 0.0, other_belt: float = 0.0
) -> dict[str, float]:
    """Spatiotemporal parameters of a measured cycle by name; NaN if unknown.

    The step width is the distance of the other heel's contact from the line between both contacts of this foot's heel
    (Huxham et al. 2006, Gait Posture 23, 159-163). Along G's Z, a walk 3 degrees off the progression would have steps
    30 mm wider on one side and 30 mm narrower on the other.

    Args:
        cycle: of the walk.
        kinematics: the walk.
        belt: m/s, speed of the belt under the foot, which adds to that of the foot.
        other_belt: m/s, of the belt that carries the other foot back from its contact until the foot's next one.
    """
    other = other_side(cycle.side)
    own_heel, other_heel = kinematics.points[f"{cycle.side}_heel"], kinematics.points[f"{other}_heel"]

    def at(point: np.ndarray, instant: float) -> np.ndarray:
        return np.array([np.interp(instant, kinematics.time, point[:, axis]) for axis in range(3)])

    start, end = at(own_heel, cycle.initial_contact), at(own_heel, cycle.next_initial_contact)
    other_contact = at(other_heel, cycle.opposite_initial_contact)
    stride_time = cycle.next_initial_contact - cycle.initial_contact
    step_time = cycle.next_initial_contact - cycle.opposite_initial_contact
    stride, step = end - start, end - other_contact
    stride[X] += belt * stride_time
    step[X] += other_belt * step_time
    timing, stride_length = timing_parameters(cycle), float(stride[X])
    return timing | {
        "speed": stride_length / stride_time,
        "stride_length": stride_length,
        "walk_ratio": walk_ratio(stride_length, timing["cadence"]),
        "step_length": float(step[X]),
        "step_width": float(abs(stride[X] * step[Z] - stride[Z] * step[X]) / np.hypot(stride[X], stride[Z])),
    }


def parameter_of(cycles: Sequence[CycleCurves], name: str) -> float:
    """Mean over the sides of each side's mean over the cycles that have a value; NaN if none has.

    Both sides have the same weight, however many cycles each has, so the mean is comparable to a symmetric walk.
    """
    of_sides = []
    for side in SIDES:
        own = [c for c in cycles if c.cycle.side == side]
        values = np.array([toe_out(c) if name == "toe_out" else c.parameters[name] for c in own])
        of_sides.append(finite_mean(values))
    return float(finite_mean(np.array(of_sides)))


def is_run(cycles: Sequence[CycleCurves]) -> bool:
    """Whether the feet stand for less than half of the cycle on average, so that neither stands in between.

    Each side counts once: in a limp, the stance of one foot may be shorter than half of the cycle.
    """
    stance: dict[str, list[float]] = {}
    for c in (one.cycle for one in cycles):
        share = (c.foot_off - c.initial_contact) / (c.next_initial_contact - c.initial_contact)
        stance.setdefault(c.side, []).append(share)
    of_sides = [float(finite_median(np.array(own))) for own in stance.values()]
    return bool(finite_mean(np.array(of_sides)) < 0.5)


def toe_out(curves: CycleCurves) -> float:
    """Mean angle of the foot to the progression while it is flat on the ground, outwards positive, degrees."""
    if "foot" not in curves.angles:
        return float("nan")
    first, last = (round(percent) for percent in foot_flat(curves.parameters["stance"]))
    return float(-np.degrees(np.mean(curves.angles["foot"][first : last + 1, 2])))
