"""Bounds and penalties on net joint forces, such as for a painful or replaced joint.

The net force is what the segment above exerts on the one below. It excludes the muscle forces that press the joint's
surfaces together; it changes as the contact force does where the muscles' moments stay similar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipeline.conventions import GRAVITY
from pipeline.optimisation import NodeConstraint, NodeValues, Quantity, SquaredIntegral
from pipeline.prediction.gait.constraints import Setting
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.presets import Preset
from pipeline.prediction.gait.walker import JointForce, Walker


def with_joint_forces(walker: Walker, forces: Sequence[JointForce]) -> Walker:
    """The walker with these bounds and penalties. Raises PredictionError for a joint that it does not have."""
    for one in forces:
        walker.joint_of(one.joint)
    return replace(walker, joint_forces=tuple(forces))


def with_joint_force_terms(preset: Preset) -> Preset:
    """The preset with the terms for a walker's bounds and penalties on joint forces."""
    if joint_force_limits in preset.constraints:
        return preset
    constraints, objectives = (*preset.constraints, joint_force_limits), (*preset.objectives, joint_force_penalties)
    return replace(preset, constraints=constraints, objectives=objectives)


def joint_force_limits(at: Setting) -> list[NodeConstraint]:
    """Upper limits on the squared net forces of the walker's joints, over body weight squared."""
    return [
        NodeConstraint(
            f"net force of the {one.joint.replace('_', ' ')}, squared",
            _squared(one.joint, at),
            -np.inf,
            one.limit**2,
            1e-3,
            "body weight^2",
            at.inside,
        )
        for one in at.walker.joint_forces
        if np.isfinite(one.limit)
    ]


def joint_force_penalties(at: Setting) -> list[SquaredIntegral]:
    """Squared net forces over body weight squared, weighted relative to effort by the walker's weights."""
    return [
        SquaredIntegral(f"net force of the {one.joint.replace('_', ' ')}", _relative(one.joint, at), one.weight)
        for one in at.walker.joint_forces
        if one.weight > 0.0
    ]


def _relative(joint: str, at: Setting) -> Quantity:
    weight = at.walker.mass * GRAVITY
    return lambda motion: motion.joint_force(joint).scaled(1.0 / weight)


def _squared(joint: str, at: Setting) -> Quantity:
    force = _relative(joint, at)

    def squared(motion: WalkingMotion) -> NodeValues:
        relative = force(motion)
        return relative.dot(relative)

    return squared
