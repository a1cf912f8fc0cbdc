"""Gait cycles of a measured walk: its curves over percent of each cycle, with the spatiotemporal parameters."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.clinical import clinical_moments, foot_angles, own_side_ground, own_side_pelvis
from pipeline.analysis.resampling import PERCENT, resample
from pipeline.analysis.walk_parameters import walk_parameters
from pipeline.conventions import GRAVITY_G, SIDES, Y
from pipeline.trial import Cycle, CycleCurves, GaitCycles, InverseDynamics, Kinematics, Note

WHOLE = 0.95
"""Part of a curve that must be known for it to be whole: a frame may be missing at an end."""

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


def foot_off(curves: CycleCurves) -> float:
    """Percent of the cycle at which the foot leaves the ground."""
    cycle = curves.cycle
    return 100.0 * (cycle.foot_off - cycle.initial_contact) / (cycle.next_initial_contact - cycle.initial_contact)


def _curves(cycle: Cycle, kinematics: Kinematics, loads: InverseDynamics, moment_axes: str) -> CycleCurves:
    side, time = cycle.side, kinematics.time

    def over_cycle(values: np.ndarray) -> np.ndarray:
        return resample(values, time, cycle.initial_contact, cycle.next_initial_contact)

    names = {joint: f"{side}_{joint}" for joint in JOINTS if f"{side}_{joint}" in kinematics.joints}
    angles = {"pelvis": over_cycle(own_side_pelvis(side, kinematics.angles["pelvis"]))}
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
        ground = over_cycle(own_side_ground(side, loads.ground[side].force_G)) / (loads.mass * -GRAVITY_G[Y])
    return CycleCurves(cycle, PERCENT, angles, moments, powers, ground, walk_parameters(cycle, kinematics))
