"""Gait cycles of a measured walk: its curves over percent of each cycle, with the spatiotemporal parameters; and curves
over percent of stance for its clean steps on plates that belong to no cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pipeline.analysis.clinical import clinical_moments, foot_angles, own_side_ground, own_side_pelvis
from pipeline.analysis.resampling import PERCENT, resample
from pipeline.analysis.variables import POINT_VARIABLES
from pipeline.analysis.walk_parameters import belts_and_own, flight_time, is_run, walk_parameters
from pipeline.conventions import GRAVITY, SIDES
from pipeline.sides import other_side
from pipeline.signals import SHIFTED, belt_travel, finite_median
from pipeline.trial import (
    Cycle,
    CycleCurves,
    Event,
    GaitCycles,
    InverseDynamics,
    Kinematics,
    Note,
    Stance,
    StanceCurves,
)

SHORT_SUPPORT = 5.0
"""Percent of the cycle; double support is longer in walking. In running, events from markers may show some, since the
toe moves back relative to the pelvis until after foot off."""

SPLIT_BELTS = 0.1
"""m/s by which belts differ if they are set to different speeds: rolling of flat feet makes up less than 0.08."""

CONTACT_ERROR = 0.045
"""s by which contacts from markers are early on predicted walks on the forefoot (ankles at most at -10 and -20
degrees); those of the same body on the heel are 0.023 s late."""

WHOLE = 0.95
"""Fraction of a curve that must be known for it to be whole: a frame may be missing at an end."""

JOINTS = ("hip", "knee", "ankle")


def gait_cycles(kinematics: Kinematics, loads: InverseDynamics, moment_axes: str = "distal") -> GaitCycles:
    """Curves and parameters of every cycle of a walk, and curves of every clean step without a cycle.

    Args:
        kinematics: the walk.
        loads: its joint loads.
        moment_axes: "distal", "proximal", "joint" or "global": the axes to which the reported moments refer.
    """
    belts, own_belts = belts_and_own(kinematics)
    cycles = tuple(
        _cycle_curves(cycle, (belt, belts[other_side(cycle.side)]), kinematics, loads, moment_axes)
        for cycle, belt in zip(kinematics.cycles, own_belts, strict=True)
    )
    stances = tuple(
        _stance_curves(s, belts[s.side], kinematics, loads, moment_axes) for s in _without_cycle(kinematics)
    )
    notes = [*_treadmill(belts), *_running(kinematics.events, cycles), *_forefoot(cycles)]
    for side in SIDES:
        own = [c.cycle for c in cycles if c.cycle.side == side]
        alone = sum(s.stance.side == side for s in stances)
        if not own:
            text = "no complete gait cycle: two initial contacts and a foot off are needed"
            notes.append(Note("left out", f"{side} side", text))
        elif not any(cycle.plate for cycle in own) and not alone:
            notes.append(no_kinetics(side))
        if alone:
            text = f"steps on plates that are not in a complete gait cycle: {alone}, with kinetics over stance"
            notes.append(Note("info", f"{side} side", text))
    name, subject = kinematics.name, kinematics.subject
    return GaitCycles(name, subject, moment_axes, cycles, tuple(notes), stances, kinematics.low_pass)


def no_kinetics(side: str) -> Note:
    """The note on a side none of whose cycles has a plate, and that has no other clean step."""
    return Note("left out", f"{side} side", "no cycle with a clean step on a plate: no kinetics")


def _treadmill(belts: Mapping[str, float]) -> Iterator[Note]:
    if not any(belts.values()):
        return
    left, right = belts["left"], belts["right"]
    moving = f"the foot on the ground moves back at {left:.2f} m/s on the left and {right:.2f} m/s on the right"
    if abs(left - right) < SPLIT_BELTS:
        text = f"{moving}: speed and stride length are relative to the belt"
    else:
        text = (
            f"{moving}, as on two belts of different speeds: speed and stride length of each side are relative to its "
            "own belt, and the speed of the walk is their mean; norms are for equal speeds of both sides"
        )
    yield Note("info", "treadmill", text)


def _running(events: Sequence[Event], cycles: Sequence[CycleCurves]) -> Iterator[Note]:
    flight = flight_time(events)
    if flight > 0.0:
        text = f"no double support, both feet are in the air for {1000 * flight:.0f} ms: norms are for walking"
        yield Note("info", "running", text)
    support = float(finite_median(np.array([c.parameters["double_support"] for c in cycles])))
    if support < SHORT_SUPPORT and any((e.kind, e.source) == ("foot off", "markers") for e in events):
        text = (
            f"double support is {support:.1f} % of the cycle (limit {SHORT_SUPPORT:g} %) with foot offs from the "
            "markers, probably because the subject runs: their rule is for walking and finds foot offs of running too "
            "late, so stance is too long and flight too short; give the foot offs (events in trials.tsv)"
        )
        yield Note("warning", "running", text)


def _forefoot(cycles: Sequence[CycleCurves]) -> Iterator[Note]:
    """A warning on each foot that does not land on its heel in walking, if no other event corrects those of its
    markers."""
    of_markers = [
        c for c in cycles if c.cycle.source.startswith("markers, ") and not c.cycle.source.startswith(SHIFTED)
    ]
    for side in SIDES if not is_run(cycles) else ():
        pitch = [c.angles["foot"][0, 0] for c in of_markers if c.cycle.side == side and "foot" in c.angles]
        middle = float(np.degrees(finite_median(np.array(pitch))))
        if middle < 0.0:
            text = (
                f"the {side} foot's toes are {-middle:.0f} degrees down (median) at initial contacts from the markers, "
                f"whose rule is for landing on the heel: they may be {CONTACT_ERROR:g} s early; give them (events in "
                "trials.tsv)"
            )
            yield Note("warning", "landing", text)


def _without_cycle(kinematics: Kinematics) -> list[Stance]:
    """Clean steps that are the stance of no cycle, since no initial contact was recorded before or after them."""
    clean = [stance for stance in kinematics.stances if not stance.rejected]
    return [stance for stance in clean if not any(is_of_cycle(stance, cycle) for cycle in kinematics.cycles)]


def is_of_cycle(stance: Stance, cycle: Cycle) -> bool:
    """Whether a step on a plate is the stance of a cycle."""
    same = (stance.side, stance.plate) == (cycle.side, cycle.plate)
    return same and stance.onset < cycle.foot_off and cycle.initial_contact < stance.end


def foot_off(curves: CycleCurves) -> float:
    """Percent of the cycle at which the foot leaves the ground."""
    cycle = curves.cycle
    return 100.0 * (cycle.foot_off - cycle.initial_contact) / (cycle.next_initial_contact - cycle.initial_contact)


def _cycle_curves(
    cycle: Cycle, belts: tuple[float, float], kinematics: Kinematics, loads: InverseDynamics, moment_axes: str
) -> CycleCurves:
    over = cycle.initial_contact, cycle.next_initial_contact
    angles = _angles(cycle.side, kinematics, *over)
    if cycle.plate:
        moments, powers, ground = _kinetics(cycle.side, kinematics.time, loads, moment_axes, *over)
    else:
        moments, powers, ground = {}, {}, np.full((len(PERCENT), 3), np.nan)
    of_points = _of_points(cycle.side, belts[0], kinematics, *over)
    parameters = walk_parameters(cycle, kinematics, *belts)
    return CycleCurves(cycle, PERCENT, angles, moments, powers, ground, parameters, of_points=of_points)


def _stance_curves(
    stance: Stance, belt: float, kinematics: Kinematics, loads: InverseDynamics, moment_axes: str
) -> StanceCurves:
    over = stance.onset, stance.end
    angles = _angles(stance.side, kinematics, *over)
    kinetics = _kinetics(stance.side, kinematics.time, loads, moment_axes, *over)
    of_points = _of_points(stance.side, belt, kinematics, *over)
    return StanceCurves(stance, PERCENT, angles, *kinetics, of_points=of_points)


def _angles(side: str, kinematics: Kinematics, start: float, stop: float) -> dict[str, np.ndarray]:
    """Angles (101, 3) between two instants, by joint."""
    time = kinematics.time
    angles = {"pelvis": resample(own_side_pelvis(side, kinematics.angles["pelvis"]), time, start, stop)}
    for joint in JOINTS:
        if f"{side}_{joint}" in kinematics.joints:
            angles[joint] = resample(kinematics.angles[f"{side}_{joint}"], time, start, stop)
    if f"{side}_foot" in kinematics.segments:
        foot = foot_angles(side, kinematics.segments[f"{side}_foot"].R_GS)
        angles["foot"] = resample(foot, time, start, stop)
    return angles


def points_over_time(
    side: str, time: np.ndarray, points: Mapping[str, np.ndarray], belt: float = 0.0
) -> dict[str, np.ndarray]:
    """Curves (T,) of a side that are computed from points, by name, in reported units.

    Curves that need a point missing from the walk are left out.

    Args:
        side: "left" or "right".
        time: (T,) s.
        points: positions (T, 3) in G by name, m.
        belt: m/s, speed of the belt under the side's foot; positions are taken relative to it.
    """
    travel = belt_travel(belt, time)
    points = {name: point + travel for name, point in points.items()}
    found = {name: v.points.of(side, time, points) for name, v in POINT_VARIABLES.items() if v.points}
    return {name: values for name, values in found.items() if values is not None}


def _of_points(side: str, belt: float, kinematics: Kinematics, start: float, stop: float) -> dict[str, np.ndarray]:
    """Curves (101,) computed from points, between two instants, s, over the side's belt, of a speed in m/s."""
    curves = points_over_time(side, kinematics.time, kinematics.points, belt)
    return {name: resample(values, kinematics.time, start, stop) for name, values in curves.items()}


Kinetics = tuple[dict[str, np.ndarray], dict[str, np.ndarray], np.ndarray]
"""Moments (101, 3), Nm/kg, and powers (101,), W/kg, by joint, and ground reaction (101, 3), body weights."""


def _kinetics(
    side: str, time: np.ndarray, loads: InverseDynamics, moment_axes: str, start: float, stop: float
) -> Kinetics:
    axes = "moment_G" if moment_axes == "global" else f"moment_{moment_axes}"
    moments = {name: getattr(load, axes) for name, load in loads.joints.items()}
    powers = {name: load.power for name, load in loads.joints.items()}
    return kinetics_over(side, time, loads.mass, moments, powers, loads.ground[side].force_G, start, stop)


def kinetics_over(
    side: str,
    time: np.ndarray,
    mass: float,
    moments: Mapping[str, np.ndarray],
    powers: Mapping[str, np.ndarray],
    force_G: np.ndarray,
    start: float,
    stop: float,
) -> Kinetics:
    """Loads of a side's leg between two instants, in clinical terms and over body mass or weight.

    Args:
        side: "left" or "right".
        time: (T,) s.
        mass: kg.
        moments, powers: (T, 3) Nm and (T,) W by joint, such as "left_hip"; joints without a value are left out.
        force_G: (T, 3) N, ground reaction.
        start, stop: s.
    """
    over, names = (time, start, stop), {joint: f"{side}_{joint}" for joint in JOINTS}
    return (
        {j: resample(clinical_moments(n, moments[n]), *over) / mass for j, n in names.items() if n in moments},
        {joint: resample(powers[name], *over) / mass for joint, name in names.items() if name in powers},
        resample(own_side_ground(side, force_G), *over) / (mass * GRAVITY),
    )
