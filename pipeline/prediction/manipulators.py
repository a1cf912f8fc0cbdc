"""Optimal motions of two planar manipulators without gravity (thesis chapter 4): minimum time, and time against effort.

Total time and the inner knots are design variables in addition to the control points: minimum-time torques switch from
bound to bound, and a spline follows them best with a knot at every switch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from pipeline.dynamics import rnea, rnea_sensitivities
from pipeline.optimisation import (
    SQP,
    Duration,
    LinearConstraint,
    NodeConstraint,
    NodeValues,
    Problem,
    Solver,
    SolverResult,
    Spline,
    SquaredIntegral,
    States,
    Ties,
    Transcription,
    require_success,
    torques,
)
from pipeline.prediction.errors import PredictionError
from pipeline.skeleton import Skeleton

LENGTH, MASS, INERTIA, LIMIT = 0.4, 0.5, 0.1, 10.0
"""Tables 4.2 and 4.4: m, kg, kg m^2, N or Nm; the same for both links and both examples."""

NO_GRAVITY = (0.0, 0.0, 0.0)
MIN_INTERVAL = 0.1
"""Minimum distance between free knots, as a share of the uniform one."""

NODES_PER_INTERVAL = 6
"""Enough that torques exceed their limits between nodes by 1e-3 at most."""

Reading = Literal["posture", "offset"]
"""Of pi/2 in table 4.3, link 2: the posture of the drawing (theta = q2), or an offset added to the coordinate."""


@dataclass(frozen=True)
class ManipulatorMotion:
    """An optimal motion.

    Attributes:
        total_time: s.
        objective: s for the first manipulator, equation 4.18 for the second.
        time: (K,) s.
        q, qd, qdd: (K, 2) rad or m, and rates.
        tau: (K, 2) Nm or N.
        force_G: (K, 2, 3) internal joint forces, N.
        max_violation_dense: largest excess of a torque or force over its limit, as a share, on a grid refined 20 times.
        result: the solver's report.
    """

    total_time: float
    objective: float
    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    force_G: np.ndarray
    max_violation_dense: float
    result: SolverResult


def two_revolute_skeleton() -> Skeleton:
    """Tables 4.1 and 4.2."""
    half = [-LENGTH / 2, 0.0, 0.0]
    return _two_links("RR", theta=[0, 0], d=[0, 0], a=[LENGTH, LENGTH], alpha=[0, 0], com=[half, half])


def prismatic_revolute_skeleton(reading: Reading = "posture") -> Skeleton:
    """Tables 4.3 and 4.4, with the angle of link 2 read as the posture of the drawing or as an offset."""
    if reading not in ("posture", "offset"):
        raise PredictionError(f"reading is {reading!r}", where="table 4.3", remedy="Use 'posture' or 'offset'")
    return _two_links(
        "PR",
        theta=[np.pi / 2, 0.0 if reading == "posture" else np.pi / 2],
        d=[LENGTH, 0],
        a=[0, LENGTH],
        alpha=[np.pi / 2, 0],
        com=[[0.0, -LENGTH / 2, 0.0], [-LENGTH / 2, 0.0, 0.0]],
    )


def solve_two_revolute(
    n_intervals: int = 24, free_knots: bool = True, degree: int = 3, solver: Solver | None = None
) -> ManipulatorMotion:
    """Minimum-time motion of the arm with two revolute joints (thesis section 4.1).

    Args:
        n_intervals: intervals between knots of each spline.
        free_knots: whether the knots are design variables; the initial guess is then the solution with fixed knots.
        degree: of the splines.
        solver: the default SQP, or another.

    Raises:
        SolverError: no solution was found.
    """
    task = _Task(two_revolute_skeleton(), (0.0, -2.0), (1.0, -1.0), time_weight=1.0, effort_weight=0.0)
    return task.solve(n_intervals, free_knots, degree, solver)


def solve_prismatic_revolute(
    u: float = 0.01,
    reading: Reading = "posture",
    n_intervals: int = 16,
    free_knots: bool = True,
    degree: int = 3,
    solver: Solver | None = None,
) -> ManipulatorMotion:
    """Time against effort of the arm with one prismatic and one revolute joint (thesis section 4.2).

    Args:
        u: share of effort in the objective, 0 to below 1.
        reading: of the angle in table 4.3.
        n_intervals, free_knots, degree, solver: as for `solve_two_revolute`.

    Raises:
        PredictionError: u is outside [0, 1).
        SolverError: no solution was found.
    """
    if not 0.0 <= u < 1.0:
        reason = "effort alone has no minimum: it falls without limit as the motion is given more time"
        raise PredictionError(
            f"u = {u:g}" + (f": {reason}" if u == 1.0 else " is not a share"),
            where="objective",
            remedy="Use 0 <= u < 1",
        )
    skeleton = prismatic_revolute_skeleton(reading)
    task = _Task(skeleton, (0.1, 0.6), (np.pi / 4, -np.pi / 4), time_weight=1.0 - u, effort_weight=u)
    return task.solve(n_intervals, free_knots, degree, solver)


@dataclass(frozen=True)
class _Arm:
    """The motion at the nodes with its torques, computed once."""

    skeleton: Skeleton
    states: States

    @cached_property
    def tau(self) -> NodeValues:
        s = self.states
        tau = rnea(self.skeleton, s.q, s.qd, s.qdd, gravity=NO_GRAVITY).tau
        if s.gradient is None:
            return NodeValues(tau)
        sens = rnea_sensitivities(self.skeleton, s.q, s.qd, s.qdd, gravity=NO_GRAVITY)
        return NodeValues(tau, sens.dtau_dq, sens.dtau_dqd, sens.dtau_dqdd)


@dataclass(frozen=True)
class _Task:
    skeleton: Skeleton
    begin: tuple[float, float]
    end: tuple[float, float]
    time_weight: float
    effort_weight: float

    def problem(self, n_intervals: int, free_knots: bool, degree: int) -> Problem:
        spline = Spline.uniform(degree, n_intervals)
        ties = Ties(spline, 2)
        for joint in range(2):
            ties.rest(joint, self.begin[joint], self.end[joint])
        nodes = np.linspace(0.0, 1.0, NODES_PER_INTERVAL * n_intervals + 1)
        form = Transcription(spline, ties.build(), nodes, 1.0, free_duration=True, free_breaks=free_knots)
        limits = self.skeleton.tau_limit
        relative = torques([0, 1], limits)
        objectives: list[SquaredIntegral | Duration] = [Duration(self.time_weight)]
        if self.effort_weight > 0.0:
            objectives.append(SquaredIntegral("effort", torques([0, 1]), self.effort_weight))
        constraints: list[NodeConstraint | LinearConstraint] = [
            NodeConstraint("torque limits", relative, -1.0, 1.0, tolerance=1e-5, unit="of the limit")
        ]
        if free_knots:
            constraints.append(_minimum_intervals(form))
        lower = np.full(form.n_variables, -np.inf)
        lower[form.ties.n_free] = 0.05
        return Problem(form, objectives, constraints, lambda states: _Arm(self.skeleton, states), lower=lower)

    def solve(self, n_intervals: int, free_knots: bool, degree: int, solver: Solver | None) -> ManipulatorMotion:
        method: Solver = solver or SQP(
            "bfgs", penalties=(2.0, 20.0), tolerance=1e-6, optimality=np.inf, max_iterations=500, damping=1e-4
        )
        problem = self.problem(n_intervals, False, degree)
        begin, end = np.array(self.begin), np.array(self.end)
        line = np.linspace(0.0, 1.0, problem.transcription.spline.n_points)[:, None]
        x = problem.transcription.pack(begin + line * (end - begin))
        result = self._checked(method, problem, x)
        if free_knots:
            fixed = problem.transcription
            problem = self.problem(n_intervals, True, degree)
            x = np.concatenate([result.x, fixed.spline.breaks[1:-1]])
            result = self._checked(method, problem, x)
        return self._motion(problem, result)

    def _checked(self, solver: Solver, problem: Problem, x: np.ndarray) -> SolverResult:
        remedy = "Use more intervals, or looser limits"
        return require_success(solver.solve(problem, x), problem, where="manipulator", remedy=remedy)

    def _motion(self, problem: Problem, result: SolverResult) -> ManipulatorMotion:
        dense = problem.transcription.refined(20).states(result.x)
        loads = rnea(self.skeleton, dense.q, dense.qd, dense.qdd, gravity=NO_GRAVITY)
        excess = np.abs(loads.tau) / self.skeleton.tau_limit - 1.0
        return ManipulatorMotion(
            dense.duration,
            result.objective,
            dense.time,
            dense.q,
            dense.qd,
            dense.qdd,
            loads.tau,
            loads.force_G,
            float(max(excess.max(), 0.0)),
            result,
        )


def _minimum_intervals(form: Transcription) -> LinearConstraint:
    """A minimum distance between neighbouring knots."""
    n, columns = form.spline.n_intervals, form.break_columns
    matrix = np.zeros((n, form.n_variables))
    rows = np.arange(n - 1)
    matrix[rows, columns.start + rows] = 1.0
    matrix[rows + 1, columns.start + rows] = -1.0
    offset = np.zeros(n)
    offset[-1] = 1.0
    return LinearConstraint("minimum interval", matrix, MIN_INTERVAL / n - offset, np.full(n, np.inf))


def _two_links(
    kind: str, *, theta: list[float], d: list[float], a: list[float], alpha: list[float], com: list[list[float]]
) -> Skeleton:
    return Skeleton(
        joint_names=("joint_1", "joint_2"),
        parent=np.array([-1, 0]),
        kind=tuple(kind),
        theta=np.array(theta),
        d=np.array(d),
        a=np.array(a),
        alpha=np.array(alpha),
        com=np.array(com),
        origin=np.eye(4),
        mass=np.array(MASS),
        inertia=np.eye(3) * INERTIA,
        tau_limit=np.array(LIMIT),
    )
