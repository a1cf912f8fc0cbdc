"""Predicted walks: solve the optimal control problem; check its solution on a refined grid and by inverse dynamics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pipeline.conventions import SIDES
from pipeline.dynamics import rnea
from pipeline.math3d import Wrench
from pipeline.optimisation import Evaluation, Progress, Solver, SolverError, SolverResult, require_success
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.dense_checks import DenseChecks, dense_checks
from pipeline.prediction.gait.presets import Preset
from pipeline.prediction.gait.problem import BETWEEN_NODES, GaitProblem, motion_of
from pipeline.prediction.gait.start import start_from
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walk_library import PRESET, stored_walks
from pipeline.prediction.gait.walker import JointForce, Spring
from pipeline.skeleton import Skeleton

MAX_ADDITIONS = 3
"""Largest number of times that nodes are added to a solution."""

STORED, NEIGHBOUR, MIRRORED = "the stored walks", "a neighbouring prediction", "the predicted step and its mirror image"


@dataclass(frozen=True)
class GaitPrediction:
    """A predicted step, from initial contact of the right foot to that of the left, or a stride.

    Attributes:
        time: (T,) s.
        q, qd, qdd, tau: (T, n) for all joints of the given skeleton, rad or m, their rates, and Nm or N; q of frozen
            joints is zero.
        force_G, moment_G: (T, n, 3) internal joint loads as given by `pipeline.dynamics.rnea`, N and Nm.
        ground_reaction: by side, wrench on the foot at its centre of pressure.
        zmp_G: (T, 3) zero-moment point, m, in G; NaN in flight.
        objective_terms: weighted value of each objective.
        max_violations_dense: largest violation of every constraint on the refined grid, in its unit.
        dense: checks on the refined grid.
        balance: largest residual of the six global generalised forces, N or Nm.
        problem: the problem solved, with the task's defaults filled in.
        result: the solver's result.
        start: what the search was started from: `STORED`, `NEIGHBOUR`, `MIRRORED`, or empty for the translating neutral
            pose and for a given start.
        start_note: why the stored walks could not be used, if so.
    """

    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    force_G: np.ndarray
    moment_G: np.ndarray
    ground_reaction: dict[str, Wrench]
    zmp_G: np.ndarray
    objective_terms: dict[str, float]
    max_violations_dense: dict[str, float]
    dense: DenseChecks
    balance: float
    problem: GaitProblem = field(repr=False)
    result: SolverResult = field(repr=False)
    start: str = ""
    start_note: str = ""

    @classmethod
    def of(cls, problem: GaitProblem, result: SolverResult) -> GaitPrediction:
        """The prediction from a solver's result: motion of the full skeleton, loads, and checks on a refined grid."""
        x, skeleton = result.x, problem.skeleton
        motion = motion_of(problem.problem, x)
        q, qd, qdd = motion.on_skeleton(skeleton)
        zmp, reaction = motion.zero_moment_point, {}
        for side in SIDES:
            wrench = motion.foot_wrenches[side].value
            about_origin = Wrench(wrench[:, 3:], wrench[:, :3], np.zeros(3))
            centre = np.where(motion.schedule.flight[:, None], 0.0, zmp + motion.schedule.offset[side])
            reaction[side] = about_origin.about(centre)
        loads = rnea(skeleton, q, qd, qdd, gravity=problem.walker.gravity_G, wrenches=motion.ground_wrenches)
        refined = problem.refined()
        violations = refined.bounds.max_violations(Evaluation(refined, x).rows)
        return cls(
            time=motion.states.time,
            q=q,
            qd=qd,
            qdd=qdd,
            tau=loads.tau,
            force_G=loads.force_G,
            moment_G=loads.moment_G,
            ground_reaction=reaction,
            zmp_G=zmp,
            objective_terms=Evaluation(problem.problem, x).objective_terms(),
            max_violations_dense=violations,
            dense=dense_checks(motion_of(refined, x), violations, problem.task.n_steps),
            balance=float(np.abs(loads.tau[:, :6]).max()),
            problem=problem,
            result=result,
        )

    @property
    def success(self) -> bool:
        """Whether the solver converged to a feasible walk."""
        return self.result.success

    @property
    def status(self) -> str:
        """How the solver ended, in words."""
        return self.result.status

    @property
    def objective(self) -> float:
        """Value of the objective."""
        return self.result.objective

    @property
    def task(self) -> GaitTask:
        """The task predicted, with defaults filled in."""
        return self.problem.task

    @property
    def preset(self) -> str:
        """Name of the preset."""
        return self.problem.preset.name

    @property
    def notes(self) -> tuple[str, ...]:
        """The assumptions made."""
        return (*self.problem.notes, self.start_note) if self.start_note else self.problem.notes


def predict_gait(
    skeleton: Skeleton,
    task: GaitTask | None = None,
    preset: str | Preset = "human",
    *,
    springs: Sequence[Spring] = (),
    joint_forces: Sequence[JointForce] = (),
    solver: Solver | None = None,
    start: np.ndarray | GaitPrediction | None = None,
    neighbour: GaitPrediction | None = None,
    retry: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> GaitPrediction:
    """Predict one symmetric step of a walk, or a full stride.

    Args:
        skeleton: the body; its frozen joints are held at zero.
        task: speed, step length and the rest.
        preset: ``human``, ``thesis``, or one of your own.
        springs: passive springs on its joints.
        joint_forces: bounds and penalties on net forces of its joints.
        solver: of the second stage; the default SQP if none is given.
        start: an earlier prediction from which the second stage starts, or design variables (n_variables,) for the
            first stage. By default the search starts from a walk interpolated from the stored ones (`walk_library`); if
            these do not fit, from the neighbour; and if no walk fits or leads to a solution, from a translating neutral
            pose. A stride with symmetric sides starts from the step and its mirror image, which is predicted first.
        neighbour: a prediction of a similar task.
        retry: whether a search from a walk that fails is repeated from the translating neutral pose.
        progress: called at every iteration.

    Raises:
        PredictionError: the task is impossible, the skeleton cannot walk, or its sides differ in the form ``step``.
        SolverError: no solution was found; the message names the violated constraints.
    """
    problem = GaitProblem.make(skeleton, task or GaitTask(), preset, springs, joint_forces)
    step = _step_of(problem, solver, progress) if start is None else None
    guess = _initial_guess(problem, step or start, neighbour)
    source = MIRRORED if step else guess.source
    result = problem.solve(guess.x, solver, progress, warm=guess.is_walk)
    if step:
        result = result.after(step.result)
    if retry and guess.is_walk and not result.success:
        result, source = problem.solve(problem.neutral_guess(), solver, progress).after(result), ""
    phase = "flight" if problem.preset.runs else "double support"
    remedy = f"Ask for another speed, step length or {phase}, or loosen the named limits of the skeleton"
    if guess.source == STORED and not isinstance(stored := stored_walks(), str):
        remedy = f"{remedy}; {stored.nearest(problem)}, on level ground"
    require_success(result, problem.problem, where=problem.title, remedy=remedy)
    found = _between_nodes(GaitPrediction.of(problem, result), solver, progress)
    return replace(found, start=source, start_note=guess.note)


def _between_nodes(
    found: GaitPrediction, solver: Solver | None, progress: Callable[[Progress], None] | None
) -> GaitPrediction:
    """The walk, re-solved with more nodes where torques or zero-moment point exceed their limits between nodes.

    Mesh refinement (Betts 2010, section 4.7). If the refined problem has no solution, the walk is returned unchanged.
    """
    for _ in range(MAX_ADDITIONS):
        if all(found.max_violations_dense.get(name, 0.0) <= most for name, most in BETWEEN_NODES.items()):
            break
        problem = found.problem.finer(found.result.x)
        result = problem.solve(found.result.x, solver, progress, warm=True)
        if not result.success:
            break
        found = GaitPrediction.of(problem, result.after(found.result))
    return found


def _step_of(
    problem: GaitProblem, solver: Solver | None, progress: Callable[[Progress], None] | None
) -> GaitPrediction | None:
    """The step that a symmetric stride repeats; None if the sides differ or the step has no solution.

    From other starts a stride of a symmetric body may end in a limp, a local minimum.
    """
    task = problem.task
    if task.form == "step" or problem.walker.differences or problem.preset.ends != "wrapped":
        return None
    limit = min(task.left_force_limit, task.right_force_limit)
    own = replace(task, form="step", left_force_limit=limit, right_force_limit=limit, step_time_share=0.5)
    later = max(map(task.heel_off, SIDES))
    own = replace(own, left_heel_off=later, right_heel_off=later)
    try:
        return predict_gait(
            problem.skeleton,
            own,
            problem.preset,
            springs=problem.walker.springs,
            joint_forces=problem.walker.joint_forces,
            solver=solver,
            progress=progress,
        )
    except SolverError:
        return None


@dataclass(frozen=True)
class _InitialGuess:
    """Design variables that a search starts from.

    Attributes:
        x: (n_variables,).
        source: `STORED`, `NEIGHBOUR`, or empty.
        is_walk: whether they describe a walk; only the second stage is then solved.
        note: why the stored walks cannot be used.
    """

    x: np.ndarray
    source: str = ""
    is_walk: bool = False
    note: str = ""


def _initial_guess(
    problem: GaitProblem, start: np.ndarray | GaitPrediction | None, neighbour: GaitPrediction | None
) -> _InitialGuess:
    """The given start; otherwise a walk from the stored ones, the neighbour, or the neutral pose: the first that fits.

    Raises:
        PredictionError: the given start belongs to another problem, or the task is out of reach.
    """
    if start is not None:
        return _given_guess(problem, start)
    stored, note = stored_walks(), ""
    if isinstance(stored, str):
        note = stored if problem.preset.name == PRESET and problem.task.form == "step" else ""
    else:
        stored.require_reach(problem)
        if stored.fits(problem):
            return _InitialGuess(stored.guess(problem), STORED, is_walk=True)
    if neighbour is not None and (x := start_from(problem, neighbour.problem, neighbour.result.x)) is not None:
        return _InitialGuess(x, NEIGHBOUR, is_walk=True, note=note)
    return _InitialGuess(problem.neutral_guess(), note=note)


def _given_guess(problem: GaitProblem, start: np.ndarray | GaitPrediction) -> _InitialGuess:
    is_walk, wanted = isinstance(start, GaitPrediction), problem.problem.n_variables
    x = start_from(problem, start.problem, start.result.x) if isinstance(start, GaitPrediction) else start
    if x is None or len(x) != wanted:
        given = start.result.n_variables if isinstance(start, GaitPrediction) else len(start)
        raise PredictionError(
            f"the initial guess has {given} design variables, the problem {wanted}",
            where="gait",
            remedy="Start from a prediction of the same skeleton and preset",
        )
    return _InitialGuess(x, is_walk=is_walk)
