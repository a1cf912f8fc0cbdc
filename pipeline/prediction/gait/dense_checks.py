"""Checks of a walk between the nodes of its constraints: slip, distances, support, torques, work of the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY, SIDES, Y
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.separation import HANDS, LEGS


@dataclass(frozen=True)
class DenseChecks:
    """Checks of a walk between its nodes.

    Attributes:
        slip, lift: largest difference of a contact point's velocity from its planned one, times its foot's vertical
            force in body weights (at most one), m/s, and largest distance of a point in contact from its planned
            height, m.
        leg_distance, hand_distance: smallest distance between axes of the two legs, negative if they pass through one
            another, and between a hand and an axis of the trunk, m.
        support: largest distance of the zero-moment point from the support polygon, times vertical force over body
            weight, m.
        torque: largest torque over its limit.
        ground_work, ground_work_absolute: work of the ground on the feet over a step, J per kg of body and load, net
            and as the integral of the absolute powers of rear feet and toes; zero on rigid ground without slip.
    """

    slip: float
    lift: float
    leg_distance: float
    hand_distance: float
    support: float
    torque: float
    ground_work: float
    ground_work_absolute: float


def dense_checks(motion: WalkingMotion, violations: Mapping[str, float], steps: int) -> DenseChecks:
    """The checks of a walk between its nodes.

    Args:
        motion: on a refined grid.
        violations: largest violation of each constraint on it.
        steps: number of steps.
    """
    slip, lift = _contact_errors(motion)
    net, absolute = _ground_work(motion, steps)
    joints = motion.walker.actuated
    torques = np.abs(motion.muscle_tau.value[:, joints]) / motion.walker.skeleton.tau_limit[joints]
    support = violations["zero-moment point in support polygon"]
    return DenseChecks(
        slip, lift, LEGS.smallest(motion), HANDS.smallest(motion), support, float(torques.max()), net, absolute
    )


def _contact_errors(motion: WalkingMotion) -> tuple[float, float]:
    """Contact errors: slip, m/s, and lift, m.

    Slip is the largest difference of a contact point's velocity from its planned one, times its foot's share of body
    weight: friction takes up power in proportion to both, and none from a foot without load. Lift is the largest
    distance of a point in contact from its planned height.
    """
    slip, lift, plan = 0.0, 0.0, motion.schedule
    weight = motion.walker.mass * GRAVITY
    load = {side: np.clip(motion.foot_wrenches[side].value[:, 4] / weight, 0.0, 1.0) for side in SIDES}
    for (side, point), contact in plan.in_contact.items():
        speed = np.linalg.norm(motion.velocity(f"{side}_{point}").value - plan.velocity[side, point], axis=1)
        height = np.abs((motion.position(f"{side}_{point}").value - plan.planned[side, point])[:, Y])
        slip = max(slip, (load[side] * speed)[plan.at_rest[side, point]].max(initial=0.0))
        lift = max(lift, height[contact].max(initial=0.0))
    return float(slip), float(lift)


def _ground_work(motion: WalkingMotion, steps: int) -> tuple[float, float]:
    """Net and absolute work of the ground on the feet, J/kg per step."""
    powers = np.concatenate([motion.ground_powers(side) for side in SIDES], axis=1) / (motion.walker.mass * steps)
    net, absolute = (float(np.trapezoid(power.sum(axis=1), motion.states.time)) for power in (powers, np.abs(powers)))
    return net, absolute
