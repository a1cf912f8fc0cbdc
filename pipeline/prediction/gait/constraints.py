"""Constraints of a predicted walk: the nine types of thesis section 5.2, unilateral contact, and friction.

Each function returns the constraints of one type at the nodes of a contact schedule. Forces are in body weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.conventions import GRAVITY, SIDES, X, Y
from pipeline.math3d import skew
from pipeline.optimisation import NodeConstraint, NodeValues, Quantity, coordinates
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.schedule import Schedule
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walker import (
    BALL_LATERAL,
    BALL_MEDIAL,
    CONTACT_POINTS,
    HEEL,
    TOE,
    Walker,
    largest_flexion,
)
from pipeline.prediction.gait.weights import Weights

SWING_KNEE, SWING_KNEE_RANGE = np.radians(60.0), np.radians(5.0)
"""rad; flexion of the swinging knee at mid-swing, and its tolerance either way (thesis equation 5.9)."""

FRICTION_SIDES = 8
MIN_VERTICAL_FORCE = 0.1
"""Body weights; lower bound of the vertical ground reaction, which can only push. It is 0 in running, where the force
starts and ends at zero."""

FLIGHT_RESIDUAL = 0.005
"""Body weights, and leg lengths times body weight: largest ground reaction in flight, with the moment about a point on
the ground below the body. It allows for the whole-body momentum between nodes, since coordinates are cubic splines."""


@dataclass(frozen=True)
class ContactTolerances:
    """Bounds on contact points while they are on the ground.

    Attributes:
        position: largest distance from the planned position along each axis, m; at most 3 mm.
        velocity: largest component of the velocity, m/s.
        speed_share: the same over the walking speed, so that slow steps, which take longer, do not slip further.
        unloaded: time, s, at the beginning and end of a foot's contact during which velocities are free, since the foot
            bears hardly any load.
    """

    position: float = 0.0015
    velocity: float = 0.03
    speed_share: float = np.inf
    unloaded: float = 0.0

    def at_speed(self, speed: float) -> ContactTolerances:
        """The tolerances for a walk at a speed in m/s."""
        return replace(self, velocity=min(self.velocity, self.speed_share * speed))


@dataclass(frozen=True)
class Contacts:
    """What constraints on limits, contact and balance need, whatever the task.

    Attributes:
        u: (K,) time of the nodes, in steps of a walk.
        inside: (K,) nodes at which constraints are imposed: all except a last one that mirrors the first.
        tolerances: of contact points.
        friction: coefficient between foot and ground.
        force_limits: by side, largest vertical force of a foot, body weights.
    """

    walker: Walker
    schedule: Schedule
    u: np.ndarray
    inside: np.ndarray
    tolerances: ContactTolerances
    friction: float
    force_limits: Mapping[str, float]


@dataclass(frozen=True)
class Setting(Contacts):
    """Arguments of the functions that make constraints and objectives of a walk."""

    task: GaitTask
    weights: Weights

    def swings(self) -> list[tuple[str, np.ndarray]]:
        """Each swinging side with the node times (K,) within its step, NaN in the other step."""
        if self.task.n_steps == 1:
            return [("left", self.u)]
        first = self.u < 1.0
        return [("left", np.where(first, self.u, np.nan)), ("right", np.where(first, np.nan, self.u - 1.0))]


def joint_limits(at: Contacts) -> list[NodeConstraint]:
    """(1) Equation 5.2: joint angles within their limits."""
    skeleton, joints = at.walker.skeleton, at.walker.internal
    joints = joints[~at.walker.locked[joints]]
    joints = joints[np.isfinite(skeleton.q_lower[joints]) | np.isfinite(skeleton.q_upper[joints])]
    low, high = skeleton.q_lower[joints], skeleton.q_upper[joints]
    labels = tuple(skeleton.joint_names[j] for j in joints)
    return [NodeConstraint("joint limits", coordinates(joints), low, high, 1e-4, "rad", at.inside, labels)]


def torque_limits(at: Contacts) -> list[NodeConstraint]:
    """(2) Equation 5.3: muscle torques relative to their limits."""
    skeleton, joints = at.walker.skeleton, at.walker.actuated
    labels = tuple(skeleton.joint_names[j] for j in joints)
    relative = muscle_torques(joints, skeleton.tau_limit[joints])
    return [NodeConstraint("torque limits", relative, -1.0, 1.0, 1e-4, "of the limit", at.inside, labels)]


def ground_contact(at: Contacts) -> list[NodeConstraint]:
    """(3) Equation 5.4 and (9) equation 5.10: contact points, in contact or above ground.

    Points in contact are at planned positions. Where they bear load they have planned velocities: zero, except for a
    heel whose pad yields. Other points stay above ground.
    """
    out = []
    for side in SIDES:
        for point in CONTACT_POINTS:
            name = f"{side}_{point}"
            fixed = _fixed_components(at.schedule, side, point) & at.inside[:, None]
            at_rest = fixed & at.schedule.at_rest[side, point][:, None]
            free = ~at.schedule.in_contact[side, point] & at.inside
            planned, half = at.schedule.planned[side, point], at.tolerances.position
            velocity, speed = at.schedule.velocity[side, point], at.tolerances.velocity
            label = name.replace("_", " ")
            if fixed.any():
                low, high = planned - half, planned + half
                slow, fast = velocity - speed, velocity + speed
                out += [
                    NodeConstraint(f"{label} position", position_of(name), low, high, 1e-4, "m", fixed, scale=10.0),
                    NodeConstraint(f"{label} velocity", _velocity(name), slow, fast, 1e-3, "m/s", at_rest),
                ]
            if free.any():
                height = position_of(name, [Y])
                out.append(NodeConstraint(f"{label} above ground", height, 0.0, np.inf, 1e-4, "m", free, scale=10.0))
    return out


def _fixed_components(schedule: Schedule, side: str, point: str) -> np.ndarray:
    """(K, 3) constrained components of a point in contact.

    Over all points there are as many as a rigid foot and its toes have degrees of freedom. Constraining all components
    of all points would be redundant, and would conflict at changes of contact.
    """
    contact = {name: schedule.in_contact[side, name] for name in CONTACT_POINTS}
    rear = contact[HEEL]
    ball = contact[BALL_MEDIAL]
    every = np.ones(len(rear), dtype=bool)
    components = {
        HEEL: (every, every, every),
        BALL_MEDIAL: (~rear, every, every),
        BALL_LATERAL: (~rear, every, ~every),
        TOE: (~ball, every, ~ball),
    }[point]
    return np.stack(components, axis=1) & contact[point][:, None]


def dynamic_balance(at: Contacts) -> list[NodeConstraint]:
    """(4) Equation 5.5: the zero-moment point within the support polygon, as rows that are linear in the wrench."""
    weight = at.walker.mass * GRAVITY
    a_x, a_z, b = np.moveaxis(at.schedule.half_planes, 2, 0)
    exists = np.isfinite(b)
    b = np.where(exists, b, 0.0)
    # zmp_x = n_z / f_y and zmp_z = -n_x / f_y: a . zmp <= b multiplied by f_y is linear in (n, f).
    rows = np.zeros((*b.shape, 6))
    rows[:, :, 2], rows[:, :, 0], rows[:, :, 4] = a_x, -a_z, -b
    name, applies = "zero-moment point in support polygon", exists & at.inside[:, None]
    return [NodeConstraint(name, of_ground(rows / weight), -np.inf, 0.0, 1e-4, "m body weight", applies, scale=10.0)]


def unilateral_contact(at: Contacts) -> list[NodeConstraint]:
    """Unilateral contact of both feet together, and Coulomb friction of each, by an octagon inscribed in its cone."""
    weight, friction = at.walker.mass * GRAVITY, at.friction * np.cos(np.pi / FRICTION_SIDES)
    angle = 2.0 * np.pi * np.arange(FRICTION_SIDES) / FRICTION_SIDES
    rows = np.zeros((FRICTION_SIDES, 6))
    rows[:, 3], rows[:, 4], rows[:, 5] = np.cos(angle), -friction, np.sin(angle)
    each = np.broadcast_to(rows / weight, (len(at.u), *rows.shape))
    push = np.zeros((len(at.u), 1, 6))
    push[:, 0, 4] = 1.0 / weight
    flight, unit = at.schedule.flight, "body weight"
    low = 0.0 if flight.any() else MIN_VERTICAL_FORCE
    out = [NodeConstraint("vertical ground reaction", of_ground(push), low, np.inf, 1e-4, unit, at.inside & ~flight)]
    for side in SIDES:
        applies, tangential = at.inside & (at.schedule.share[side] > 0.0), of_foot(side, each)
        out.append(NodeConstraint(f"{side} foot friction cone", tangential, -np.inf, 0.0, 1e-4, unit, applies))
        if np.isfinite(limit := at.force_limits[side]):
            name, load = f"{side} vertical force limit", of_foot(side, push)
            out.append(NodeConstraint(name, load, -np.inf, limit, 1e-4, unit, applies))
    return out


def no_ground_reaction_in_flight(at: Setting) -> list[NodeConstraint]:
    """Forces and moments of the ground vanish in flight: the centre of mass falls freely, and momentum is conserved.

    Moments are about a point on the ground that advances with the body, so that the bound is the same in every step.
    """
    weight = at.walker.mass * GRAVITY
    below = np.zeros((len(at.u), 3))
    below[:, X] = at.task.step_length * (at.u - 0.5)
    each = np.tile(np.eye(6), (len(at.u), 1, 1))
    each[:, :3, 3:] = -skew(below)
    each /= weight * np.repeat([at.walker.leg_length, 1.0], 3)[:, None]
    name, half, applies = "no ground reaction in flight", FLIGHT_RESIDUAL, at.schedule.flight & at.inside
    labels = tuple(f"{kind} {axis}" for kind in ("moment", "force") for axis in "xyz")
    return [NodeConstraint(name, of_ground(each), -half, half, 1e-4, "body weight", applies, labels)]


def arm_leg_coupling(at: Setting, end: str = "wrist") -> list[NodeConstraint]:
    """(5) Equation 5.6, along the progression: each arm swings in phase with the contralateral leg.

    The arm is the vector from the shoulder to the point `end`.
    """
    out = []
    for side, other in (SIDES, SIDES[::-1]):

        def quantity(motion: WalkingMotion, side: str = side, other: str = other) -> NodeValues:
            arm = motion.position(f"{side}_{end}") - motion.position(f"{side}_shoulder")
            leg = motion.position(f"{other}_ankle") - motion.position(f"{other}_hip")
            return arm.rows([X]).dot(leg.rows([X]))

        name = f"{side} arm with {other} leg"
        out.append(NodeConstraint(name, quantity, 0.0, np.inf, 1e-4, "m^2", at.inside))
    return out


def self_avoidance(at: Setting) -> list[NodeConstraint]:
    """(6) Equation 5.7: squared distances of the wrists from the hips."""
    minimum = at.walker.clearance
    out = []
    for side in SIDES:

        def quantity(motion: WalkingMotion, side: str = side) -> NodeValues:
            gap = motion.position(f"{side}_wrist") - motion.position(f"{side}_hip")
            return gap.dot(gap)

        name = f"{side} wrist to hip, squared"
        out.append(NodeConstraint(name, quantity, minimum**2, np.inf, 1e-4, "m^2", at.inside))
    return out


def mid_swing_knee(at: Setting) -> list[NodeConstraint]:
    """(8) Equation 5.9: swing knee flexion within 60 +- 5 degrees at the node nearest to mid-swing.

    If a joint limit prevents this, the range keeps its width and ends at the limit.
    """
    time, flexion = at.task.swing_time(0.5), at.walker.flexion
    out = []
    for side, u in at.swings():
        knee = at.walker.knees[side]
        target = min(SWING_KNEE, float(largest_flexion(at.walker, knee)) - SWING_KNEE_RANGE)
        low, high = sorted((flexion * (target - SWING_KNEE_RANGE), flexion * (target + SWING_KNEE_RANGE)))
        applies = np.arange(len(u)) == np.nanargmin(np.abs(u - time))
        name = f"{side} knee flexion in swing"
        out.append(NodeConstraint(name, coordinates([knee]), low, high, 1e-4, "rad", applies))
    return out


THESIS = (
    joint_limits,
    torque_limits,
    ground_contact,
    dynamic_balance,
    unilateral_contact,
    arm_leg_coupling,
    self_avoidance,
    mid_swing_knee,
)
"""All types of section 5.2 except (7), symmetry, which is linear and is eliminated with the control points."""


def muscle_torques(joints: np.ndarray, limits: np.ndarray) -> Quantity:
    """Torques of some joints' muscles over their limits (r,), excluding those of passive springs."""
    return lambda motion: motion.muscle_tau.rows(joints).scaled(1.0 / limits)


def of_ground(matrix: np.ndarray) -> Quantity:
    """(K, r) a matrix (r, 6), or one for each node, times the ground's wrench on the body."""
    return lambda motion: motion.ground_reaction.transformed(matrix)


def of_foot(side: str, matrix: np.ndarray) -> Quantity:
    """As `of_ground`, of the ground's wrench on one foot."""
    return lambda motion: motion.foot_wrenches[side].transformed(matrix)


def position_of(name: str, select: list[int] | slice = slice(None)) -> Quantity:
    """(K, r) some components of a point's position, m, in G; by default all three."""
    return lambda motion: motion.position(name).rows(select)


def _velocity(name: str) -> Quantity:
    return lambda motion: motion.velocity(name)
