"""Bounds and penalties on the net forces of joints, as where a joint hurts or is replaced.

The net force is what the segment above exerts on the one below, without the muscles that press the joint's surfaces
together; it moves with them where their moments stay alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipeline.optimisation import NodeConstraint, NodeValues, Quantity, SquaredIntegral
from pipeline.prediction.gait.constraints import GRAVITY, Setting
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.presets import Preset
from pipeline.prediction.gait.walker import JointForce, Walker


def with_joint_forces(walker: Walker, forces: Sequence[JointForce]) -> Walker:
    """The walker with bounds and penalties. Raises PredictionError for a joint that it has not."""
    for one in forces:
        walker.joint_of(one.joint)
    return replace(walker, joint_forces=tuple(forces))


def with_joint_force_terms(preset: Preset) -> Preset:
    """The preset with the terms that a walker's bounds and penalties make."""
    if joint_force_limits in preset.constraints:
        return preset
    constraints, objectives = (*preset.constraints, joint_force_limits), (*preset.objectives, joint_force_penalties)
    return replace(preset, constraints=constraints, objectives=objectives)


def joint_force_limits(at: Setting) -> list[NodeConstraint]:
    """Squared net forces of the walker's joints up to their limits, over body weight squared."""
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
    """Squared net forces over body weight squared, with the walker's weights relative to effort."""
    return [
        SquaredIntegral(f"net force of the {one.joint.replace('_', ' ')}", _relative(one.joint, at), one.weight)
        for one in at.walker.joint_forces
        if one.weight > 0.0
    ]


def _relative(joint: str, at: Setting) -> Quantity:
    weight = at.walker.mass * GRAVITY

    def force(motion: WalkingMotion) -> NodeValues:
        return motion.joint_force(joint).scaled(1.0 / weight)

    return force


def _squared(joint: str, at: Setting) -> Quantity:
    force = _relative(joint, at)

    def squared(motion: WalkingMotion) -> NodeValues:
        relative = force(motion)
        return relative.dot(relative)

    return squared
