"""Joint loads of both legs of a walk from segment motion and plate loads, by the block system of each leg."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.conventions import AXIS_NAMES, SIDES
from pipeline.newton_euler.solution import LegLoads, in_axes, joint_force_G, joint_moment_G, joint_power, solve
from pipeline.newton_euler.system import LegSystem, SegmentState, assemble
from pipeline.signals import ground_reaction, swing_frames
from pipeline.trial import InverseDynamics, JointLoad, Kinematics, LegEquations, Note

CHAIN = (("foot", "ankle"), ("shank", "knee"), ("thigh", "hip"))
"""Segments from the foot upwards, each with the joint at its upper end."""


def inverse_dynamics(kinematics: Kinematics) -> InverseDynamics:
    """Joint forces, moments and powers of both legs of a walk, and each leg's block system."""
    ground, joints, equations, notes = {}, {}, {}, []
    for side in SIDES:
        swing = swing_frames(side, kinematics.events, kinematics.time)
        ground[side] = ground_reaction(side, kinematics.stances, kinematics.plates, swing)
        if not any(stance.side == side and not stance.rejected for stance in kinematics.stances):
            seen = np.isfinite(kinematics.segments[f"{side}_foot"].com_G).any()
            text = (
                "no clean step on a plate: loads are known in swing only" if seen else "its foot is not seen: no loads"
            )
            notes.append(Note("left out", f"{side} leg", text))
        system = assemble([_state(kinematics, side, *link) for link in CHAIN], ground[side])
        loads = solve(system)
        equations[side] = _equations(system, loads)
        for index, (segment, joint) in enumerate(CHAIN):
            joints[f"{side}_{joint}"] = joint_load(
                kinematics, f"{side}_{segment}", f"{side}_{joint}", index, loads.total, loads.contributions
            )
    return InverseDynamics(
        name=kinematics.name,
        subject=kinematics.subject,
        mass=kinematics.calibration.values["mass"],
        time=kinematics.time,
        ground=ground,
        joints=joints,
        equations=equations,
        notes=tuple(notes),
    )


def _state(kinematics: Kinematics, side: str, segment: str, joint: str) -> SegmentState:
    motion = kinematics.segments[f"{side}_{segment}"]
    inertia = kinematics.calibration.segments[f"{side}_{segment}"]
    return SegmentState(
        mass=inertia.mass,
        inertia_S=inertia.inertia_S,
        R_GS=motion.R_GS,
        com_G=motion.com_G,
        com_acceleration_G=motion.com_acceleration_G,
        omega_G=motion.omega_G,
        alpha_G=motion.alpha_G,
        proximal_G=kinematics.joints[f"{side}_{joint}"].centre_G,
    )


def joint_load(
    kinematics: Kinematics,
    segment: str,
    joint: str,
    index: int,
    total: np.ndarray,
    contributions: Mapping[str, np.ndarray],
) -> JointLoad:
    """Load of a joint from its leg's unknowns (T, 6n); ``index`` counts its distal segment from the foot upwards."""
    pose = kinematics.joints[joint]
    R_GS = kinematics.segments[segment].R_GS
    moment_G = joint_moment_G(total, index, R_GS)
    return JointLoad(
        force_G=joint_force_G(total, index),
        moment_G=moment_G,
        moment_distal=in_axes(moment_G, "distal", pose.R_GP, pose.R_GD),
        moment_proximal=in_axes(moment_G, "proximal", pose.R_GP, pose.R_GD),
        moment_joint=in_axes(moment_G, "joint", pose.R_GP, pose.R_GD),
        power=joint_power(moment_G, pose.omega_G),
        contributions={name: joint_moment_G(part, index, R_GS) for name, part in contributions.items()},
    )


def _equations(system: LegSystem, loads: LegLoads) -> LegEquations:
    rows = tuple(f"{s} {kind} {axis}" for s, _ in CHAIN for kind in ("force", "moment") for axis in AXIS_NAMES)
    unknowns = tuple(f"{j} {kind} {axis}" for _, j in CHAIN for kind in ("force", "moment") for axis in AXIS_NAMES)
    constant = system.M[0] if len(system.M) else np.zeros(system.M.shape[1:])
    return LegEquations(row_names=rows, unknown_names=unknowns, F=loads.total, **vars(system) | {"M": constant})
