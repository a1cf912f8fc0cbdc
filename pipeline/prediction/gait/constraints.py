"""The constraints of walking: the nine types of thesis section 5.2, and what walking needs beside them.

Each function describes one type at the nodes of a schedule. Forces are in body weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY_G, SIDES, X, Y
from pipeline.optimisation.node_values import NodeValues
from pipeline.optimisation.parts.motion import coordinates
from pipeline.optimisation.parts.torques import torques
from pipeline.optimisation.problem import NodeConstraint
from pipeline.prediction.gait.body import BALL_LATERAL, BALL_MEDIAL, CONTACT_POINTS, HEEL, TOE, Walker
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.schedule import Schedule
from pipeline.prediction.gait.task import GaitTask

GRAVITY = -GRAVITY_G[Y]
MID_SWING_KNEE, MID_SWING_BAND = np.radians(60.0), np.radians(5.0)
"""Thesis equation 5.9."""

FRICTION_SIDES = 8
LEAST_LOAD = 0.1
"""Vertical ground reaction stays above this share of body weight: the ground only pushes."""


@dataclass(frozen=True)
class Boxes:
    """How exactly planned contacts are held; declared with every prediction.

    Attributes:
        position: half width around the planned place, m; at most 3 mm.
        velocity: largest speed component of a touching point, m/s.
    """

    position: float = 0.0015
    velocity: float = 0.03


@dataclass(frozen=True)
class Setting:
    """Everything the constraints may look at.

    Attributes:
        u: (K,) places of the nodes, in steps.
        inside: (K,) nodes that are not the mirrored repetition of the first.
    """

    walker: Walker
    task: GaitTask
    schedule: Schedule
    u: np.ndarray
    inside: np.ndarray
    boxes: Boxes

    def swings(self) -> list[tuple[str, np.ndarray]]:
        """Each swinging side with the places of the nodes in its step (K,), NaN in the other step."""
        if self.task.n_steps == 1:
            return [("left", self.u)]
        first = self.u < 1.0
        return [("left", np.where(first, self.u, np.nan)), ("right", np.where(first, np.nan, self.u - 1.0))]


def joint_limits(at: Setting) -> list[NodeConstraint]:
    """(1) Equation 5.2."""
    skeleton, joints = at.walker.skeleton, at.walker.internal
    joints = joints[np.isfinite(skeleton.q_lower[joints]) | np.isfinite(skeleton.q_upper[joints])]
    low, high = skeleton.q_lower[joints], skeleton.q_upper[joints]
    labels = tuple(skeleton.joint_names[j] for j in joints)
    return [NodeConstraint("joint limits", coordinates(joints), low, high, 1e-4, "rad", at.inside, labels)]


def torque_limits(at: Setting) -> list[NodeConstraint]:
    """(2) Equation 5.3, as shares of the limits."""
    skeleton, joints = at.walker.skeleton, at.walker.internal
    joints = joints[np.isfinite(skeleton.tau_limit[joints])]
    labels = tuple(skeleton.joint_names[j] for j in joints)
    share = torques(joints, skeleton.tau_limit[joints])
    return [NodeConstraint("torque limits", share, -1.0, 1.0, 1e-4, "of the limit", at.inside, labels)]


def ground_contact(at: Setting) -> list[NodeConstraint]:
    """(3) Equation 5.4 and (9) equation 5.10: touching points stay at their planned places and rest; others clear."""
    out = []
    for side in SIDES:
        for point in CONTACT_POINTS:
            name = f"{side}_{point}"
            held = _held(at.schedule, side, point) & at.inside[:, None]
            free = ~at.schedule.touching[side, point] & at.inside
            place, box, speed = at.schedule.planned[side, point], at.boxes.position, at.boxes.velocity
            label = name.replace("_", " ")
            if held.any():
                out += [
                    NodeConstraint(
                        f"{label} at its place", _position(name), place - box, place + box, 1e-4, "m", held, scale=10.0
                    ),
                    NodeConstraint(f"{label} at rest", _velocity(name), -speed, speed, 1e-3, "m/s", held),
                ]
            if free.any():
                height = _rows(_position(name), [Y])
                out.append(NodeConstraint(f"{label} above ground", height, 0.0, np.inf, 1e-4, "m", free, scale=10.0))
    return out


def _held(schedule: Schedule, side: str, point: str) -> np.ndarray:
    """(K, 3) components of a touching point that are held: as many as a rigid foot and its toes have freedoms.

    Holding all of them says the same several times over, which costs time and fights over boxes when phases change.
    """
    touching = {name: schedule.touching[side, name] for name in CONTACT_POINTS}
    rear = touching[HEEL]
    ball = touching[BALL_MEDIAL]
    every = np.ones(len(rear), dtype=bool)
    components = {
        HEEL: (every, every, every),
        BALL_MEDIAL: (~rear, every, every),
        BALL_LATERAL: (~rear, every, ~every),
        TOE: (~ball, every, ~rear),
    }[point]
    return np.stack(components, axis=1) & touching[point][:, None]


def dynamic_balance(at: Setting) -> list[NodeConstraint]:
    """(4) Equation 5.5: the zero-moment point within the soles' areas that touch, as rows linear in the wrench."""
    weight = at.walker.mass * GRAVITY
    planes = at.schedule.planes
    a_x, a_z = planes[:, :, 0], planes[:, :, 1]
    b = np.where(np.isfinite(planes[:, :, 2]), planes[:, :, 2], 0.0)
    # zmp x = n_z / f_y and z = -n_x / f_y, so a . zmp <= b times f_y is linear in (n, f).
    rows = np.zeros((*b.shape, 6))
    rows[:, :, 2], rows[:, :, 0], rows[:, :, 4] = a_x, -a_z, -b

    def quantity(motion: WalkingMotion) -> NodeValues:
        return motion.ground_wrench.transformed(rows / weight)

    applies = np.isfinite(planes[:, :, 2]) & at.inside[:, None]
    return [
        NodeConstraint(
            "zero-moment point in the support", quantity, -np.inf, 0.0, 1e-4, "m body weight", applies, scale=10.0
        )
    ]


def ground_pushes(at: Setting) -> list[NodeConstraint]:
    """Unilateral contact and Coulomb friction of each foot, its cone replaced by an octagon inside."""
    weight, friction = at.walker.mass * GRAVITY, at.task.friction * np.cos(np.pi / FRICTION_SIDES)
    angle = 2.0 * np.pi * np.arange(FRICTION_SIDES) / FRICTION_SIDES
    rows = np.zeros((FRICTION_SIDES, 6))
    rows[:, 3], rows[:, 4], rows[:, 5] = np.cos(angle), -friction, np.sin(angle)
    each = np.broadcast_to(rows / weight, (len(at.u), *rows.shape))
    push = np.zeros((len(at.u), 1, 6))
    push[:, 0, 4] = 1.0 / weight

    def vertical(motion: WalkingMotion) -> NodeValues:
        return motion.ground_wrench.transformed(push)

    out = [NodeConstraint("ground pushes", vertical, LEAST_LOAD, np.inf, 1e-4, "body weight", at.inside)]
    for side in SIDES:
        applies = at.inside & (at.schedule.share[side] > 0.0)

        def tangential(motion: WalkingMotion, side: str = side) -> NodeValues:
            return motion.foot_wrench(side).transformed(each)

        out.append(
            NodeConstraint(f"{side} foot within friction", tangential, -np.inf, 0.0, 1e-4, "body weight", applies)
        )
    return out


def arm_leg_coupling(at: Setting) -> list[NodeConstraint]:
    """(5) Equation 5.6, projected on the progression: each arm swings with the opposite leg."""
    out = []
    for side, other in (SIDES, SIDES[::-1]):

        def quantity(motion: WalkingMotion, side: str = side, other: str = other) -> NodeValues:
            arm = motion.position(f"{side}_wrist") - motion.position(f"{side}_shoulder")
            leg = motion.position(f"{other}_ankle") - motion.position(f"{other}_hip")
            return arm.rows([X]).dot(leg.rows([X]))

        name = f"{side} arm swings with {other} leg"
        out.append(NodeConstraint(name, quantity, 0.0, np.inf, 1e-4, "m^2", at.inside))
    return out


def self_avoidance(at: Setting) -> list[NodeConstraint]:
    """(6) Equation 5.7: wrists keep clear of the hips, as squared distances."""
    least = at.walker.clearance
    out = []
    for side in SIDES:

        def quantity(motion: WalkingMotion, side: str = side) -> NodeValues:
            gap = motion.position(f"{side}_wrist") - motion.position(f"{side}_hip")
            return gap.dot(gap)

        out.append(NodeConstraint(f"{side} wrist clear of hip", quantity, least**2, np.inf, 1e-4, "m^2", at.inside))
    return out


def mid_swing_knee(at: Setting) -> list[NodeConstraint]:
    """(8) Equation 5.9, in the middle of swing."""
    return knee_flexion(at, 0.5)


def knee_flexion(at: Setting, share_of_swing: float) -> list[NodeConstraint]:
    """The swinging knee flexed by 60 degrees, give or take 5, at the node nearest to a moment of its swing.

    A knee that cannot flex that far flexes as far as its limit, within the same band.
    """
    skeleton, moment, flexion = at.walker.skeleton, at.task.swing_moment(share_of_swing), at.walker.flexion
    out = []
    for side, u in at.swings():
        knee = at.walker.knees[side]
        most = (skeleton.q_upper if flexion > 0 else -skeleton.q_lower)[knee]
        target = min(MID_SWING_KNEE, most - MID_SWING_BAND)
        low, high = sorted((flexion * (target - MID_SWING_BAND), flexion * (target + MID_SWING_BAND)))
        applies = np.arange(len(u)) == np.nanargmin(np.abs(u - moment))
        name = f"{side} knee flexion in swing"
        out.append(NodeConstraint(name, coordinates([knee]), low, high, 1e-4, "rad", applies))
    return out


THESIS = (
    joint_limits,
    torque_limits,
    ground_contact,
    dynamic_balance,
    ground_pushes,
    arm_leg_coupling,
    self_avoidance,
    mid_swing_knee,
)
"""All types of section 5.2; (7), symmetry, is linear and holds exactly by the ties of the control points."""


def _position(name: str) -> Callable[[WalkingMotion], NodeValues]:
    return lambda motion: motion.position(name)


def _velocity(name: str) -> Callable[[WalkingMotion], NodeValues]:
    return lambda motion: motion.velocity(name)


def _rows(quantity: Callable[[WalkingMotion], NodeValues], select: list[int]) -> Callable[[WalkingMotion], NodeValues]:
    return lambda motion: quantity(motion).rows(select)
