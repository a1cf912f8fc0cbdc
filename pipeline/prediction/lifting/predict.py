"""Predicted lifts: solve the optimal control problem; check its solution on a refined grid and by inverse dynamics."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pipeline.dynamics import rnea
from pipeline.math3d import Wrench
from pipeline.optimisation import SQP, Evaluation, SolverResult, require_success
from pipeline.prediction.gait.problem import FIRST_STAGE, REFINEMENT, motion_of
from pipeline.prediction.lifting.problem import LiftProblem, refined
from pipeline.prediction.lifting.task import LiftTask
from pipeline.skeleton import Skeleton

LOWEST_SPINE_JOINT = "spine1_flexion"
"""At the height of the navel, about L3/L4."""


@dataclass(frozen=True)
class LiftPrediction:
    """A predicted lift.

    Attributes:
        time: (T,) s.
        q, qd, qdd, tau: (T, n) for all joints of the given skeleton, rad or m, their rates, and Nm or N; q of frozen
            joints is zero.
        ground_reaction: by segment (``left_foot``, ``left_toes`` and so on), wrench about G's origin.
        zmp_G: (T, 3) zero-moment point, m, in G.
        grip_G: (T, 3) the right hand's grip, m, in G: forward of the ankles, up, and to the right.
        lumbar_moment: (T,) extensor moment at the lowest joint of the spine, Nm.
        objective_terms: weighted value of each objective.
        max_violations_dense: largest violation of every constraint on the refined grid, in its unit.
        balance: largest residual of the six global generalised forces, N or Nm.
        problem: the problem solved; its skeleton has the load in its hands.
        result: the solver's result.
    """

    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    ground_reaction: dict[str, Wrench]
    zmp_G: np.ndarray
    grip_G: np.ndarray
    lumbar_moment: np.ndarray
    objective_terms: dict[str, float]
    max_violations_dense: dict[str, float]
    balance: float
    problem: LiftProblem = field(repr=False)
    result: SolverResult = field(repr=False)

    @classmethod
    def of(cls, problem: LiftProblem, result: SolverResult) -> LiftPrediction:
        """The prediction from a solver's result: motion of the full skeleton, loads, and checks on a refined grid."""
        skeleton, motion = problem.skeleton, motion_of(problem.problem, result.x)
        (q, qd, qdd), wrenches = motion.on_skeleton(skeleton), motion.ground_wrenches
        tau = rnea(skeleton, q, qd, qdd, wrenches=wrenches).tau
        dense = refined(problem, REFINEMENT)
        return cls(
            time=motion.states.time,
            q=q,
            qd=qd,
            qdd=qdd,
            tau=tau,
            ground_reaction=wrenches,
            zmp_G=motion.zero_moment_point,
            grip_G=motion.position("right_grip").value,
            lumbar_moment=-tau[:, skeleton.index(LOWEST_SPINE_JOINT)],
            objective_terms=Evaluation(problem.problem, result.x).objective_terms(),
            max_violations_dense=dense.bounds.max_violations(Evaluation(dense, result.x).rows),
            balance=float(np.abs(tau[:, :6]).max()),
            problem=problem,
            result=result,
        )


def predict_lift(skeleton: Skeleton, task: LiftTask) -> LiftPrediction:
    """Predict how a box is lifted with minimum effort, with both feet flat on the ground and both sides symmetric.

    As for a walk, the feasible motion nearest to standing is found first, and the minimum-effort motion from there.

    Args:
        skeleton: the body; its frozen joints are held at zero.
        task: box, its start and end, and the time available.

    Raises:
        PredictionError: the task is impossible, or the skeleton cannot stand.
        SolverError: no solution was found; the message names the violated constraints.
    """
    problem = LiftProblem.make(skeleton, task)
    first = FIRST_STAGE.solve(problem.first, problem.guess)
    result = SQP().solve(problem.problem, first.x).after(first)
    title = f"lift of {task.load:g} kg from {task.start[1]:g} to {task.end[1]:g} m in {task.duration:g} s"
    remedy = "Ask for a lighter or nearer box, or more time"
    require_success(result, problem.problem, where=title, remedy=remedy)
    return LiftPrediction.of(problem, result)
