"""A predicted walk: its task, the solver's report, and the motion with its loads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial.declarations import Axis, ByLegJoint, ByPoint, BySegment, BySide, Note, Quantity, of_curves
from pipeline.trial.findings import Finding
from pipeline.trial.muscles import MuscleLoads
from pipeline.trial.whole_body import SegmentPose

MEASURED_WALK = "measured walk"
"""Step at which a prediction fails if its measured walk failed or has no gait cycle, so that there is no task."""


@dataclass(frozen=True)
class PredictionTask:
    """The task of a predicted walk with defaults filled in, and the body.

    Attributes:
        sex: "m" or "f".
        pelvic_tilt: anterior tilt of the plane of the iliac spines in the static trial. It is added to pelvic tilt and
            hip flexion, because the skeleton's pelvis is upright in its neutral pose.
        form: "step", followed by its mirror image, or "stride".
        walk: the measured walk to compare with, which gives what the table of predictions leaves open; empty for none.
        left_heel_off, right_heel_off: 0 if the heel does not touch the ground.
        slope: G has X uphill and Y normal to the ground.
        step_time_share: of the first step, in which the left foot swings.
        added_mass: curves are over the mass and weight of the body without it, force limits over the weight with it.
    """

    preset: str
    sex: str
    mass: Annotated[float, Quantity("body mass", "kg")]
    height: Annotated[float, Quantity("standing height", "m")]
    pelvic_tilt: Annotated[float, Quantity("anterior tilt of the pelvis in standing", "rad")]
    speed: Annotated[float, Quantity("walking speed", "m/s")]
    step_length: Annotated[float, Quantity("step length", "m")]
    double_support: Annotated[float, Quantity("double support as a share of a step", "1")]
    step_width: Annotated[float, Quantity("step width", "m")]
    toe_out: Annotated[float, Quantity("angle of the feet to the progression, outwards", "rad")]
    friction: Annotated[float, Quantity("coefficient of friction", "1")]
    form: str = "step"
    walk: str = ""
    slope: Annotated[float, Quantity("slope of the ground, uphill", "rad")] = 0.0
    left_force_limit: Annotated[float, Quantity("largest vertical force of the left foot", "body weight")] = np.inf
    right_force_limit: Annotated[float, Quantity("largest vertical force of the right foot", "body weight")] = np.inf
    step_time_share: Annotated[float, Quantity("share of the first step in the stride's time", "1")] = 0.5
    left_heel_off: Annotated[float, Quantity("end of left heel contact, steps after initial contact", "1")] = np.nan
    right_heel_off: Annotated[float, Quantity("end of right heel contact, steps after initial contact", "1")] = np.nan
    leg_length: Annotated[float, Quantity("hip to ground in standing, of the skeleton", "m")] = np.nan
    added_mass: Annotated[float, Quantity("mass added to the body, negative for less", "kg")] = 0.0
    flight: Annotated[float, Quantity("flight as a share of a step, 0 in a walk", "1")] = 0.0

    @property
    def steps(self) -> int:
        """Number of predicted steps."""
        return 2 if self.form == "stride" else 1

    @property
    def step_time(self) -> float:
        """Mean duration of the two steps, s."""
        return self.step_length / self.speed

    @property
    def step_times(self) -> tuple[float, float]:
        """Durations of the left foot's step, which comes first, and of the right foot's, s."""
        first = 2.0 * self.step_time * self.step_time_share
        return first, 2.0 * self.step_time - first

    def foot_off(self, side: str) -> float:
        """Time of a side's foot off within the stride from the right foot's initial contact, s.

        In a walk it ends a double support, in a run it begins a flight.
        """
        first, second = self.step_times
        if self.flight:
            return (1.0 - self.flight) * first if side == "right" else first + (1.0 - self.flight) * second
        return first + self.double_support * second if side == "right" else self.double_support * first


@dataclass(frozen=True)
class Violation:
    """Largest violation of a constraint at the nodes, and on a refined grid.

    Attributes:
        unit: of the three values.
    """

    constraint: str
    unit: str
    tolerance: Annotated[float, Quantity("tolerance of the violation", "see unit")]
    nodes: Annotated[float, Quantity("largest violation at the nodes", "see unit")]
    dense: Annotated[float, Quantity("largest violation on the refined grid", "see unit")]


@dataclass(frozen=True)
class ActiveLimit:
    """A limit that the walk reaches.

    Attributes:
        constraint, component: name of the constraint, and the joint or component if it has several.
        bound: "lower" or "upper".
        value: of the bound, in its unit.
        nodes, of: number of nodes at the bound, and number of nodes to which the bound applies.
    """

    constraint: str
    component: str
    bound: str
    unit: str
    value: Annotated[float, Quantity("bound", "see unit")]
    nodes: int
    of: int


@dataclass(frozen=True)
class WhatIfReport:
    """How body and task of a what-if prediction differ from the subject's own, and the unchanged subject's walk.

    Attributes:
        case: name of the case.
        description: the case's own description.
        changes: what differs, in words.
        changed, unchanged: curves over each side's gait cycle, of the what-if and of the unchanged subject; their tasks
            differ only in what the case changes.
        cost, unchanged_cost: objective over the distance walked.
    """

    case: str
    description: str
    changes: tuple[str, ...]
    side_names: Annotated[tuple[str, ...], Axis("side", "side")]
    variable_names: Annotated[tuple[str, ...], Axis("variable", "curve over the gait cycle")]
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    variable_units: tuple[str, ...]
    changed: Annotated[np.ndarray, of_curves("what-if")]
    unchanged: Annotated[np.ndarray, of_curves("unchanged")]
    cost: Annotated[float, Quantity("objective over distance", "1/m")]
    unchanged_cost: Annotated[float, Quantity("objective over distance of the unchanged walk", "1/m")]


@dataclass(frozen=True)
class SolverReport:
    """Report of an optimisation, without information that varies between runs.

    Attributes:
        ended: status, as the solver reports it.
        start: the prediction that it started from; empty for the neutral pose.
        objectives: weighted terms, whose sum is the objective.
        max_violation: largest violation at the nodes over its tolerance; feasible at 1 or less.
        optimality: largest entry of the Lagrangian's gradient, relative to that of the objective.
        active: number of constraint rows at a bound.
        slip, lift: of any contact point while it should be at rest or is in contact, on the refined grid; slip is times
            its foot's vertical force in body weights, at most one. A heel pad may be compressed.
        leg_distance, hand_distance: between the axes of the two legs, negative if they pass through one another, and
            from a hand to an axis of the trunk, on the refined grid.
        support, torque: distance of the zero-moment point beyond the support polygon, times vertical force over body
            weight, and torques over their limits, on the refined grid.
        ground_work, ground_work_absolute: over a step, on the refined grid; zero on rigid ground without slip, except
            for the work absorbed by the heel pads.
        balance: largest residual of the six global generalised forces.
        active_limits: limits that the walk reaches, except those of contact points on the ground.
    """

    ended: str
    start: str
    iterations: int
    variables: int
    constraints: int
    active: int
    objectives: dict[str, float]
    max_violation: Annotated[float, Quantity("largest violation over its tolerance", "1")]
    optimality: Annotated[float, Quantity("first-order optimality", "1")]
    slip: Annotated[float, Quantity("largest speed of a contact point at rest, times its load, at most 1 BW", "m/s")]
    lift: Annotated[float, Quantity("largest distance of a contact point from the ground", "m")]
    leg_distance: Annotated[float, Quantity("smallest distance between the axes of the two legs", "m")]
    hand_distance: Annotated[float, Quantity("smallest distance of a hand from an axis of the trunk", "m")]
    support: Annotated[float, Quantity("zero-moment point outside the support polygon, times load", "m")]
    torque: Annotated[float, Quantity("largest torque over its limit", "1")]
    ground_work: Annotated[float, Quantity("net work of the ground on the feet", "J/kg")]
    ground_work_absolute: Annotated[float, Quantity("integral of the feet's absolute power from the ground", "J/kg")]
    balance: Annotated[float, Quantity("largest residual of whole-body balance", "N, Nm")]
    violations: tuple[Violation, ...]
    active_limits: tuple[ActiveLimit, ...] = ()


@dataclass(frozen=True)
class PredictedJoint:
    """Load of the proximal on the distal segment at a clinical joint, at the joint's centre."""

    force_G: Annotated[np.ndarray, Quantity("joint force", "N", ("time", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "G")]
    omega_G: Annotated[np.ndarray, Quantity("angular velocity of distal in proximal", "rad/s", ("time", "xyz"), "G")]


@dataclass(frozen=True)
class PredictedWalk:
    """A predicted step, from initial contact of the right foot to that of the left, or a stride.

    Attributes:
        joint_names: the n coordinates of the skeleton's file.
        q, qd, qdd, tau: (T, n) coordinates, rates, accelerations and generalised forces of every joint.
        force_G, moment_G: (T, n, 3) internal load that the parent link exerts on the joint's link, at the joint's
            origin.
        ground: by side, wrench of the ground on the foot at its centre of pressure.
        zmp_G: zero-moment point.
        segments: by name; in the neutral pose x is forward, y up, z to the right.
        points: points of the body by name: soles, wrists, shoulders, hips, ankles.
        joints: hip, knee and ankle of each side.
        skeleton: SHA-256 digest of the skeleton's file.
        what_if: the case that was predicted; None for the subject's own walk.
        findings: what is not seen in people.
        muscles: muscle and joint contact forces estimated from the predicted moments; None if not estimated.
    """

    name: str
    subject: str
    skeleton: str
    task: PredictionTask
    solver: SolverReport
    joint_names: Annotated[tuple[str, ...], Axis("joint", "joint of the skeleton")]
    time: Annotated[np.ndarray, Axis("time", "time from the right foot's initial contact", "s")]
    q: Annotated[np.ndarray, Quantity("coordinates", "rad, m", ("time", "joint"))]
    qd: Annotated[np.ndarray, Quantity("rates of the coordinates", "rad/s, m/s", ("time", "joint"))]
    qdd: Annotated[np.ndarray, Quantity("accelerations of the coordinates", "rad/s^2, m/s^2", ("time", "joint"))]
    tau: Annotated[np.ndarray, Quantity("generalised forces", "Nm, N", ("time", "joint"))]
    force_G: Annotated[np.ndarray, Quantity("internal joint force", "N", ("time", "joint", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("internal joint moment", "Nm", ("time", "joint", "xyz"), "G")]
    ground: BySide[Annotated[Wrench, Quantity("ground reaction on the foot", "N, Nm, m", ("time", "xyz"), "G")]]
    zmp_G: Annotated[np.ndarray, Quantity("zero-moment point", "m", ("time", "xyz"), "G")]
    segments: BySegment[SegmentPose]
    points: ByPoint[Annotated[np.ndarray, Quantity("point of the body", "m", ("time", "xyz"), "G")]]
    joints: ByLegJoint[PredictedJoint]
    notes: tuple[Note, ...]
    what_if: WhatIfReport | None = None
    findings: tuple[Finding, ...] = ()
    muscles: MuscleLoads | None = None
