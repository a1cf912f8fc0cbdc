"""Gait cycles on a common scale: curves over percent of the cycle, and spatiotemporal parameters."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import GRAVITY_G, LATERAL_SIGN, SIDES, X, Y, Z, clinical_signs
from pipeline.trial import Cycle, CycleCurves, GaitCycles, InverseDynamics, Kinematics, Note

WHOLE = 0.95
"""Part of a curve that must be known for it to be whole: a frame may be missing at an end."""

PERCENT = np.linspace(0.0, 100.0, 101)

JOINTS = ("hip", "knee", "ankle")


def gait_cycles(kinematics: Kinematics, loads: InverseDynamics, moment_axes: str = "distal") -> GaitCycles:
    """Curves and parameters of every cycle of a walk.

    Args:
        kinematics: the walk.
        loads: its joint loads.
        moment_axes: "distal", "proximal", "joint" or "global": the axes that the reported moments refer to.
    """
    cycles = tuple(_curves(cycle, kinematics, loads, moment_axes) for cycle in kinematics.cycles)
    notes = []
    for side in SIDES:
        own = [c.cycle for c in cycles if c.cycle.side == side]
        if not own:
            text = "no complete gait cycle: two initial contacts and a foot off are needed"
            notes.append(Note("left out", f"{side} side", text))
        elif not any(cycle.plate for cycle in own):
            notes.append(Note("left out", f"{side} side", "no cycle with a clean step on a plate: no kinetics"))
    return GaitCycles(kinematics.name, kinematics.subject, moment_axes, cycles, tuple(notes))


def resample(values: np.ndarray, time: np.ndarray, start: float, stop: float) -> np.ndarray:
    """Values (T, ...) at the 101 percents of a cycle, linearly between frames; NaN wherever a neighbour is missing."""
    wanted = start + PERCENT / 100.0 * (stop - start)
    position = np.interp(wanted, time, np.arange(len(time)), left=np.nan, right=np.nan)
    inside = np.isfinite(position)
    lower = np.floor(np.where(inside, position, 0)).astype(int)
    upper = np.minimum(lower + 1, len(time) - 1)
    share = (np.where(inside, position, np.nan) - lower).reshape(-1, *[1] * (values.ndim - 1))
    return np.where(share == 0.0, values[lower], (1.0 - share) * values[lower] + share * values[upper])


def foot_off(curves: CycleCurves) -> float:
    """Percent of the cycle at which the foot leaves the ground."""
    cycle = curves.cycle
    return 100.0 * (cycle.foot_off - cycle.initial_contact) / (cycle.next_initial_contact - cycle.initial_contact)


def clinical_moments(joint: str, moment: np.ndarray) -> np.ndarray:
    """Extensor, abductor and external rotator components (T, 3) of a moment (T, 3) about the axes x, y, z."""
    return -moment[:, [Z, X, Y]] * clinical_signs(joint)


def foot_angles(side: str, R_GS: np.ndarray) -> np.ndarray:
    """Pitch (toes up positive), NaN, and progression angle (toes in positive), (T, 3) rad, of a foot's long axis.

    The first two Cardan angles about z and y of the foot in G, as Plug-in Gait's foot progression: the angle between
    the long axis and the plane of progression keeps its meaning when the heel rises; the axis seen from above does not.

    Args:
        side: "left" or "right".
        R_GS: (T, 3, 3) orientation of the foot; its x axis points to the toes, level when the sole is.
    """
    forward = R_GS[:, :, X]
    inward = -LATERAL_SIGN[side] * np.arcsin(np.clip(forward[:, Z], -1.0, 1.0))
    return np.stack([np.arctan2(forward[:, Y], forward[:, X]), np.full(len(forward), np.nan), inward], axis=1)


def _curves(cycle: Cycle, kinematics: Kinematics, loads: InverseDynamics, moment_axes: str) -> CycleCurves:
    side, time = cycle.side, kinematics.time

    def over_cycle(values: np.ndarray) -> np.ndarray:
        return resample(values, time, cycle.initial_contact, cycle.next_initial_contact)

    names = {joint: f"{side}_{joint}" for joint in JOINTS if f"{side}_{joint}" in kinematics.joints}
    # Pelvis: right side up and turned to the left are own side up and own side forward for the right leg.
    pelvis_signs = np.array([1.0, LATERAL_SIGN[side], LATERAL_SIGN[side]])
    angles = {"pelvis": over_cycle(kinematics.angles["pelvis"] * pelvis_signs)}
    angles |= {joint: over_cycle(kinematics.angles[name]) for joint, name in names.items()}
    if f"{side}_foot" in kinematics.segments:
        angles["foot"] = over_cycle(foot_angles(side, kinematics.segments[f"{side}_foot"].R_GS))
    moments, powers = {}, {}
    ground = np.full((len(PERCENT), 3), np.nan)
    if cycle.plate:
        for joint, name in names.items():
            load = loads.joints[name]
            moment = load.moment_G if moment_axes == "global" else getattr(load, f"moment_{moment_axes}")
            moments[joint] = over_cycle(clinical_moments(name, moment)) / loads.mass
            powers[joint] = over_cycle(load.power) / loads.mass
        weight = loads.mass * -GRAVITY_G[Y]
        directions = np.array([1.0, 1.0, -LATERAL_SIGN[side]])
        ground = over_cycle(loads.ground[side].force_G * directions) / weight
    return CycleCurves(cycle, PERCENT, angles, moments, powers, ground, _parameters(cycle, kinematics))


def _parameters(cycle: Cycle, kinematics: Kinematics) -> dict[str, float]:
    """Spatiotemporal parameters; one that cannot be known is NaN."""
    other = SIDES[1 - SIDES.index(cycle.side)]
    own_heel, other_heel = kinematics.points[f"{cycle.side}_heel"], kinematics.points[f"{other}_heel"]

    def at(point: np.ndarray, instant: float) -> np.ndarray:
        if not np.isfinite(instant):
            return np.full(3, np.nan)
        return np.array([np.interp(instant, kinematics.time, point[:, axis]) for axis in range(3)])

    start, end = at(own_heel, cycle.initial_contact), at(own_heel, cycle.next_initial_contact)
    other_contact = at(other_heel, cycle.opposite_initial_contact)
    other_end = at(other_heel, cycle.next_initial_contact)
    stride_time = cycle.next_initial_contact - cycle.initial_contact
    stance = 100.0 * (cycle.foot_off - cycle.initial_contact) / stride_time
    both = (cycle.opposite_foot_off - cycle.initial_contact) + (cycle.foot_off - cycle.opposite_initial_contact)
    return {
        "speed": float((end - start)[X] / stride_time),
        "cadence": 120.0 / stride_time,
        "stride_time": stride_time,
        "stride_length": float((end - start)[X]),
        "step_length": float((end - other_end)[X]),
        "step_time": cycle.next_initial_contact - cycle.opposite_initial_contact,
        "step_width": float(abs((end - other_contact)[Z])),
        "stance": stance,
        "swing": 100.0 - stance,
        "double_support": 100.0 * both / stride_time,
    }
