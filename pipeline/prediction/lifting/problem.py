"""The optimal control problem of a symmetric lift: splines at rest at both ends, both feet flat, minimum effort.

Shared with walking: the body with its contact points, the ground reaction by the two-step algorithm, the limits of
joints and torques, contact, balance, friction, and effort (thesis equations 5.1 to 5.5). Specific to lifting: the
contact schedule, the symmetry of the sides, the box's start and end, and its clearance from the body.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

from pipeline.conventions import SIDES, X, Y, Z
from pipeline.optimisation import (
    LinearRelations,
    NodeConstraint,
    Problem,
    Quantity,
    Spline,
    SquaredIntegral,
    Transcription,
    coordinates,
    difference,
    torques,
)
from pipeline.prediction.gait.constraints import (
    Contacts,
    ContactTolerances,
    dynamic_balance,
    ground_contact,
    joint_limits,
    position_of,
    torque_limits,
    unilateral_contact,
)
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.presets import NEUTRAL_POSE_WEIGHT
from pipeline.prediction.gait.schedule import Schedule, on_ground
from pipeline.prediction.gait.walker import CONTACT_POINTS, BodyPoint, Walker, body_point, make_walker
from pipeline.prediction.lifting.task import LiftTask
from pipeline.skeleton import Skeleton, link_poses, merge_frozen, segment_pose

INTERVALS, NODES = 8, 25
"""Intervals of the cubic splines, and nodes at which constraints are imposed."""

GRIP_TOLERANCE = 1e-3
"""m, of the hands' positions."""

TRUNK_DEPTH = 0.10
"""m, from the hip joints to the front of the pelvis."""

POSTURE = 0.02
"""Weight of the squared joint angles, 1/rad^2: it determines joints that effort hardly affects, neck and forearms."""


@dataclass(frozen=True)
class LiftProblem:
    """A lift as a nonlinear program.

    Attributes:
        skeleton: as given, with half the load's mass in each hand.
        walker: model of its active joints, with the points ``right_grip``, ``left_grip``, ``right_knee`` and
            ``left_knee``.
        task: the requested lift.
        first: problem of the motion nearest to standing, under the same constraints.
        problem: problem of the motion of minimum effort.
    """

    skeleton: Skeleton
    walker: Walker
    task: LiftTask
    first: Problem
    problem: Problem

    @classmethod
    def make(cls, skeleton: Skeleton, task: LiftTask) -> LiftProblem:
        """Assemble both problems.

        Raises:
            PredictionError: the task is impossible, or the skeleton cannot stand.
        """
        task.check(_reach(skeleton))
        loaded = with_load_in_hands(skeleton, task.load)
        walker = _with_grips(make_walker(merge_frozen(loaded)), loaded)
        form = _transcription(walker, task)
        near = [SquaredIntegral("distance from standing", _from_standing(walker), NEUTRAL_POSE_WEIGHT)]
        first = _assemble(walker, task, form, near)
        return cls(loaded, walker, task, first, _assemble(walker, task, form, _effort(walker)))

    @cached_property
    def guess(self) -> np.ndarray:
        """(n_variables,) from a half squat to standing with the hands in front."""
        names, spline = self.walker.skeleton.joint_names, self.problem.transcription.spline
        share = np.linspace(1.0, 0.0, spline.n_points)[:, None]
        low, high = _standing(self.walker), _standing(self.walker)
        low[names.index("pelvis_ty")] -= 0.25
        bent = {"hip_flexion": 1.2, "knee_flexion": 1.2, "ankle_flexion": 0.25, "shoulder_flexion": 0.9}
        raised = {"shoulder_flexion": 0.4, "elbow_flexion": 1.0}
        for pose, angles in ((low, bent), (high, raised)):
            for side in SIDES:
                for joint, angle in angles.items():
                    pose[names.index(f"{side}_{joint}")] = angle
        return self.problem.transcription.pack(share * low + (1.0 - share) * high)


def with_load_in_hands(skeleton: Skeleton, load: float) -> Skeleton:
    """The skeleton with half a load, kg, as a point mass at each hand's centre of mass, and unchanged torque limits."""
    mass = np.array(skeleton.mass)
    for side in SIDES:
        mass[skeleton.segment(f"{side}_hand").joint] += load / 2.0
    return replace(skeleton, mass=mass)


def standing_schedule(walker: Walker, task: LiftTask, nodes: int) -> Schedule:
    """Both feet flat, each carrying half of the load at its own side of the zero-moment point."""
    always = np.ones(nodes, dtype=bool)
    in_contact, planned, offset = {}, {}, {}
    rows = []
    for side in SIDES:
        for point in CONTACT_POINTS:
            in_contact[side, point] = always
            planned[side, point] = np.tile(on_ground(walker.contacts[point], side, 0.0, task), (nodes, 1))
        corners = on_ground(walker.sole["full"], side, 0.0, task)[:, [X, Z]]
        foot_centre = np.array([0.0, 0.0, corners[:, 1].mean()])
        offset[side] = np.tile(foot_centre, (nodes, 1))
        own = ConvexHull(corners).equations * [1.0, 1.0, -1.0]
        own[:, 2] -= own[:, 1] * foot_centre[Z]
        rows.append(own)
    half = np.full(nodes, 0.5)
    still = np.zeros((nodes, 3))
    return Schedule(
        in_contact,
        in_contact,
        planned,
        dict.fromkeys(planned, still),
        dict.fromkeys(SIDES, half),
        offset,
        dict.fromkeys(SIDES, still),
        dict.fromkeys(SIDES, ~always),
        np.tile(np.concatenate(rows), (nodes, 1, 1)),
    )


def _transcription(walker: Walker, task: LiftTask) -> Transcription:
    """Splines at rest at both ends; the left side's coordinates mirror the right side's."""
    spline = Spline.uniform(3, INTERVALS, "clamped")
    n, last = len(walker.skeleton), spline.n_points - 1
    relations = LinearRelations(spline, n)
    for j, (partner, sign) in enumerate(zip(walker.partner.tolist(), walker.sign.tolist(), strict=True)):
        if partner == j and sign < 0:
            relations.pin(j)
        elif walker.skeleton.joint_names[j].startswith("left_"):
            for i in range(spline.n_points):
                relations.relate((i, j), {(i, partner): sign})
        else:
            for i in (1, 2):  # no velocity, no acceleration: the box starts and ends at rest
                relations.relate((i, j), {(0, j): 1.0}).relate((last - i, j), {(last, j): 1.0})
    return Transcription(spline, relations.build(), np.linspace(0.0, 1.0, NODES), task.duration)


def _assemble(walker: Walker, task: LiftTask, form: Transcription, objectives: list[SquaredIntegral]) -> Problem:
    nodes = len(form.nodes)
    schedule = standing_schedule(walker, task, nodes)
    everywhere = np.ones(nodes, dtype=bool)
    unlimited = dict.fromkeys(SIDES, np.inf)
    at = Contacts(walker, schedule, form.nodes, everywhere, ContactTolerances(), task.friction, unlimited)
    common = [
        part
        for describe in (joint_limits, torque_limits, ground_contact, dynamic_balance, unilateral_contact)
        for part in describe(at)
        if not part.name.startswith("left ")  # same as on the right side
    ]
    constraints = [*common, *_box(task, nodes)]
    return Problem(form, objectives, constraints, lambda states: WalkingMotion(walker, schedule, states))


def refined(problem: LiftProblem, factor: int) -> Problem:
    """The same problem on a grid with ``factor`` times as many intervals between nodes."""
    form = problem.problem.transcription.refined(factor)
    return _assemble(problem.walker, problem.task, form, list(problem.problem.objectives))  # type: ignore[arg-type]


def _box(task: LiftTask, nodes: int) -> list[NodeConstraint]:
    """Constraints on the box: start, end, hands apart by its width, and clearance from knees and pelvis."""

    def ahead_of(point: str) -> Quantity:
        return lambda motion: motion.position("right_grip").rows([X]) - motion.position(point).rows([X])

    half, side = task.box_depth / 2.0, task.box_width / 2.0
    first, everywhere = np.arange(nodes) == 0, np.ones(nodes, dtype=bool)
    bounds: tuple[tuple[str, Quantity, Any, Any, np.ndarray], ...] = (
        ("box at its start", position_of("right_grip", [X, Y]), task.start, task.start, first),
        ("box at its end", position_of("right_grip", [X, Y]), task.end, task.end, first[::-1]),
        ("hands at the box's sides", position_of("right_grip", [Z]), side, side, everywhere),
        ("box clear of the knees", ahead_of("right_knee"), half, np.inf, everywhere),
        ("box clear of the pelvis", ahead_of("right_hip"), half + TRUNK_DEPTH, np.inf, everywhere),
    )
    return [
        NodeConstraint(name, quantity, np.array(low), np.array(high), GRIP_TOLERANCE, "m", applies, scale=10.0)
        for name, quantity, low, high, applies in bounds
    ]


def _effort(walker: Walker) -> list[SquaredIntegral]:
    """Equation 5.1, and a small weight on posture."""
    joints = walker.actuated
    effort = SquaredIntegral("effort", torques(joints, walker.skeleton.tau_limit[joints]))
    return [effort, SquaredIntegral("posture", coordinates(walker.internal), POSTURE)]


def _standing(walker: Walker) -> np.ndarray:
    """(n,) upright, with the ankles above their ground points."""
    q = np.zeros(len(walker.skeleton))
    q[walker.skeleton.index("pelvis_ty")] = walker.standing_height
    _, ankle = segment_pose(walker.skeleton, "right_foot", q[None])
    q[walker.progression] -= ankle[0, X]
    return q


def _from_standing(walker: Walker) -> Quantity:
    pose = _standing(walker)
    return difference(lambda time: np.tile(pose, (len(time), 1)), np.arange(len(pose)))


def _with_grips(walker: Walker, skeleton: Skeleton) -> Walker:
    """The walker with two more points on each side: the grip, at the hand's centre of mass, and the knee."""
    neutral = np.zeros((1, len(skeleton)))
    R, r = link_poses(skeleton, neutral)
    points = dict(walker.points)
    for side in SIDES:
        hand, knee = skeleton.segment(f"{side}_hand").joint, walker.skeleton.segment(f"{side}_shank")
        place = r[0, hand] + R[0, hand] @ skeleton.com[hand]
        points[f"{side}_grip"] = body_point(walker.skeleton, f"{side}_hand", place)
        points[f"{side}_knee"] = BodyPoint(knee.joint, knee.pose[:3, 3])
    return replace(walker, points=points)


def _reach(skeleton: Skeleton) -> float:
    """Height of the hands with arms stretched upwards, m."""
    q = np.zeros((1, len(skeleton)))
    shoulder, hand = (segment_pose(skeleton, f"right_{name}", q)[1][0] for name in ("upper_arm", "hand"))
    return make_walker(merge_frozen(skeleton)).standing_height + float(shoulder[Y] + np.linalg.norm(hand - shoulder))
