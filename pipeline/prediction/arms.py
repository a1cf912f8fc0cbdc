"""Optimal rest-to-rest motions of serial arms: minimum time, minimum effort, or a weighted sum (thesis chapter 4).

A free total time and the inner knots are design variables in addition to the control points: minimum-time torques
switch from bound to bound, and a spline follows them best with a knot at every switch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pipeline.dynamics import mass_matrix, rnea, rnea_sensitivities
from pipeline.optimisation import (
    SQP,
    Duration,
    Evaluation,
    LinearConstraint,
    LinearRelations,
    NodeConstraint,
    NodeValues,
    Objective,
    Problem,
    Solver,
    SolverResult,
    Spline,
    SquaredIntegral,
    States,
    Transcription,
    coordinates,
    require_success,
    torques,
)
from pipeline.skeleton import Skeleton

DEGREE = 3
"""Of the splines."""

MIN_INTERVAL = 0.1
"""Minimum distance between free knots, as a share of the uniform one."""

NODES_PER_INTERVAL = 6
"""Enough to keep torques between nodes within 1e-3 of their limits."""

REFINEMENT = 20
"""Intervals between nodes in the grid on which the solution is checked."""

DURATION_FACTOR = 1.5
"""Initial guess of a free duration after the end has changed, over the time that was left."""

NO_COST = 1e-24
"""Objective of the initial guess at or below which it counts as zero: torques are then zero to rounding."""

MIN_SHARE = 1e-3
"""Lower bound of a free duration, over its initial guess."""

MIN_TIME_LEFT = 0.1
"""Least time that is left when the end changes, as a share of the motion's."""

AT_REST = 25
"""Number of postures in which the load by gravity is tried."""

ROUNDING = 1e-9
"""Torques and forces below this share of the internal loads are zero."""


@dataclass(frozen=True)
class ManipulatorMotion:
    """An optimal motion.

    Attributes:
        total_time: s.
        objective: the weighted sum of time and effort.
        time: (K,) s.
        q, qd, qdd: (K, n) rad or m, and their rates.
        tau: (K, n) Nm or N.
        force_G, moment_G: (K, n, 3) internal joint loads, N and Nm.
        max_violation_dense: largest excess of a torque or force over its limit, as a share of it, on a grid 20 times
            as fine.
        max_range_dense: largest excess of a coordinate over its range on that grid, rad or m.
        result: the solver's result.
    """

    total_time: float
    objective: float
    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    force_G: np.ndarray
    moment_G: np.ndarray
    max_violation_dense: float
    max_range_dense: float
    result: SolverResult


@dataclass(frozen=True)
class ArmProblem:
    """A rest-to-rest motion to be found: the arm, its start and end, and the objective.

    Attributes:
        skeleton: joints in series, with torque limits and coordinate ranges.
        begin, end: (n,) coordinates, rad or m.
        time_weight, effort_weight: weights of the total time, 1/s, and of the integral of squared torques and forces.
        gravity: (3,) m/s^2.
        duration: s; None if it is free.
        n_intervals: between knots of each spline.
        free_knots: whether the knots are design variables; the initial guess is then the solution with fixed knots.
        begin_rate: (n,) initial rates, rad/s or m/s; None for rest.
        likely_duration: initial guess of a free duration, s; None for the power of ten nearest to the time in which
            the torque limits move each joint's inertia to the end.
    """

    skeleton: Skeleton
    begin: np.ndarray
    end: np.ndarray
    time_weight: float
    effort_weight: float
    gravity: np.ndarray
    duration: float | None = None
    n_intervals: int = 16
    free_knots: bool = True
    begin_rate: np.ndarray | None = None
    likely_duration: float | None = None

    @property
    def is_loaded_at_rest(self) -> bool:
        """Whether gravity loads a joint's actuator anywhere on the straight way from begin to end."""
        q = self.begin + np.linspace(0.0, 1.0, AT_REST)[:, None] * (self.end - self.begin)
        still = np.zeros_like(q)
        loads = rnea(self.skeleton, q, still, still, gravity=self.gravity)
        return bool(np.abs(loads.tau).max() > ROUNDING * max(np.abs(loads.force_G).max(), np.abs(loads.moment_G).max()))

    def replanned(self, motion: ManipulatorMotion, at: float, end: np.ndarray, n_intervals: int = 4) -> ArmProblem:
        """The problem of moving from the present position and rates to a new end.

        Args:
            motion: solution of this problem, under way.
            at: time from its start at which the end changes, s.
            end: (n,) rad or m.
            n_intervals: few, with fixed knots, so that the motion is planned within a tenth of a second.
        """
        q, qd = (np.array([np.interp(at, motion.time, column) for column in of.T]) for of in (motion.q, motion.qd))
        left = max(motion.total_time - at, MIN_TIME_LEFT * motion.total_time)
        return replace(
            self,
            begin=q,
            begin_rate=qd,
            end=np.asarray(end, dtype=float),
            duration=left if self.duration else None,
            likely_duration=DURATION_FACTOR * left,
            n_intervals=n_intervals,
            free_knots=False,
        )

    def solve(self, solver: Solver | None = None) -> ManipulatorMotion:
        """Find the optimal motion.

        Args:
            solver: the default SQP if none is given.

        Raises:
            SolverError: no solution was found; the message names the violated constraints.
        """
        method: Solver = solver or SQP(
            "bfgs", penalties=(2.0, 20.0), tolerance=1e-6, optimality=np.inf, max_iterations=500, damping=1e-4
        )
        problem = self.problem(free_knots=False)
        guess = problem.transcription.pack(self._guess(problem.transcription))
        scale = _scale_of(Evaluation(problem, guess).objective)
        scaled = replace(self, time_weight=scale * self.time_weight, effort_weight=scale * self.effort_weight)
        problem = scaled.problem(free_knots=False)
        result = _checked(method, problem, guess, scale)
        if self.free_knots:
            fixed = problem.transcription
            problem = scaled.problem(free_knots=True)
            x = np.concatenate([result.x, fixed.spline.breaks[1:-1]])
            result = _checked(method, problem, x, scale)
        return self._motion(problem, result)

    def _likely_duration(self) -> float:
        """Initial guess of a free duration: of the order of 2 sqrt(I move / limit), the least time of one joint."""
        if self.likely_duration is not None:
            return self.likely_duration
        inertial = mass_matrix(self.skeleton, self.begin[None])[0] @ (self.end - self.begin)
        longest = 2.0 * float(np.sqrt((np.abs(inertial) / self.skeleton.tau_limit).max()))
        return float(10.0 ** np.round(np.log10(longest))) if longest > 0.0 else 1.0

    def _guess(self, form: Transcription) -> np.ndarray:
        """Control points (M, n) on a line from begin to end; the second is set to give the initial rates."""
        points = self.begin + np.linspace(0.0, 1.0, form.spline.n_points)[:, None] * (self.end - self.begin)
        if self.begin_rate is not None:
            first = (form.spline.breaks[1] - form.spline.breaks[0]) * form.duration / form.spline.degree
            points[1] = self.begin + first * self.begin_rate
        return points

    def problem(self, *, free_knots: bool) -> Problem:
        """The nonlinear program, with fixed or free knots."""
        joints = np.arange(len(self.skeleton))
        spline = Spline.uniform(DEGREE, self.n_intervals)
        relations = LinearRelations(spline, len(joints))
        for joint in joints.tolist():
            relations.rest(joint, self.begin[joint], self.end[joint])
            if self.begin_rate is not None:
                relations.release((1, joint))
        nodes = np.linspace(0.0, 1.0, NODES_PER_INTERVAL * self.n_intervals + 1)
        free = self.duration is None
        form = Transcription(
            spline,
            relations.build(),
            nodes,
            self.duration or self._likely_duration(),
            free_duration=free,
            free_breaks=free_knots,
        )
        objectives: list[Objective] = []
        if free:
            objectives.append(Duration(self.time_weight))
        if self.effort_weight > 0.0:
            objectives.append(SquaredIntegral("effort", torques(joints), self.effort_weight))
        limits = torques(joints, self.skeleton.tau_limit)
        constraints: list[NodeConstraint | LinearConstraint] = [
            NodeConstraint("torque limits", limits, -1.0, 1.0, tolerance=1e-5, unit="of the limit")
        ]
        low, high = self.skeleton.q_lower, self.skeleton.q_upper
        bounded = np.flatnonzero(np.isfinite(low) | np.isfinite(high))
        if len(bounded):
            constraints.append(
                NodeConstraint("ranges", coordinates(bounded), low[bounded], high[bounded], 1e-4, "rad, m")
            )
        if self.begin_rate is not None:
            rates, first = coordinates(joints, "qd"), np.arange(len(nodes)) == 0
            constraints.append(
                NodeConstraint("rates at the begin", rates, self.begin_rate, self.begin_rate, 1e-5, "rad/s, m/s", first)
            )
        if free_knots:
            constraints.append(_minimum_intervals(form))
        lower = np.full(form.n_variables, -np.inf)
        if form.duration_column is not None:
            lower[form.duration_column] = MIN_SHARE * form.duration
        return Problem(form, objectives, constraints, lambda states: _Arm(self, states), lower=lower)

    def _motion(self, problem: Problem, result: SolverResult) -> ManipulatorMotion:
        skeleton, dense = self.skeleton, problem.transcription.refined(REFINEMENT).states(result.x)
        loads = rnea(skeleton, dense.q, dense.qd, dense.qdd, gravity=self.gravity)
        excess = np.abs(loads.tau) / skeleton.tau_limit - 1.0
        outside = np.maximum(skeleton.q_lower - dense.q, dense.q - skeleton.q_upper)
        return ManipulatorMotion(
            dense.duration,
            result.objective,
            dense.time,
            dense.q,
            dense.qd,
            dense.qdd,
            loads.tau,
            loads.force_G,
            loads.moment_G,
            float(max(excess.max(), 0.0)),
            float(max(outside.max(), 0.0)),
            result,
        )


@dataclass(frozen=True)
class _Arm:
    """The motion at the nodes, with its torques computed once."""

    asked: ArmProblem
    states: States

    @cached_property
    def tau(self) -> NodeValues:
        s, skeleton, gravity = self.states, self.asked.skeleton, self.asked.gravity
        tau = rnea(skeleton, s.q, s.qd, s.qdd, gravity=gravity).tau
        if s.gradient is None:
            return NodeValues(tau)
        sens = rnea_sensitivities(skeleton, s.q, s.qd, s.qdd, gravity=gravity)
        return NodeValues(tau, sens.dtau_dq, sens.dtau_dqd, sens.dtau_dqdd)


def _scale_of(cost: float) -> float:
    """Power of ten that brings a cost near 1: penalties and tolerances of the solver suit objectives of this size, and
    the motion must not depend on the unit of the weights."""
    return float(10.0 ** -np.round(np.log10(cost))) if cost > NO_COST else 1.0


def _checked(solver: Solver, problem: Problem, x: np.ndarray, scale: float) -> SolverResult:
    """The solution of a problem with scaled weights, with the objective of the weights themselves."""
    remedy, result = "Use more intervals, or looser limits", solver.solve(problem, x)
    result = replace(result, objective=result.objective / scale)
    return require_success(result, problem, where="manipulator", remedy=remedy)


def _minimum_intervals(form: Transcription) -> LinearConstraint:
    """Constraint that keeps neighbouring knots apart by a minimum distance."""
    n, columns = form.spline.n_intervals, form.break_columns
    matrix = np.zeros((n, form.n_variables))
    rows = np.arange(n - 1)
    matrix[rows, columns.start + rows] = 1.0
    matrix[rows + 1, columns.start + rows] = -1.0
    offset = np.zeros(n)
    offset[-1] = 1.0
    return LinearConstraint("minimum interval", matrix, MIN_INTERVAL / n - offset, np.full(n, np.inf))
