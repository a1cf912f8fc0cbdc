"""Predict a walk: assemble the problem, solve it, and check the solution on a denser grid and with other code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from pipeline.conventions import SIDES, Y
from pipeline.dynamics import rnea
from pipeline.math3d import Wrench
from pipeline.optimisation.affine_map import Ties
from pipeline.optimisation.errors import PredictionError
from pipeline.optimisation.problem import Problem
from pipeline.optimisation.solution import Progress, Solver, SolverResult, require_success
from pipeline.optimisation.splines import Spline
from pipeline.optimisation.sqp import SQP
from pipeline.optimisation.states import Transcription
from pipeline.prediction.gait.body import Walker, make_walker
from pipeline.prediction.gait.constraints import GRAVITY, Setting
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.presets import Preset, departure_from_standing, find_preset, gliding_stand
from pipeline.prediction.gait.schedule import make_schedule, phase_nodes
from pipeline.prediction.gait.task import GaitTask
from pipeline.skeleton import Skeleton, merge_frozen

DENSER = 10
FIRST_STAGE = SQP(penalties=(0.3, 30.0), tolerance=1e-2, damping=1e-4, max_iterations=8, corrections=2)
"""For the nearest motion to standing: its objective outweighs the first price, so that any start is drawn to standing
before constraints get dear. A few steps towards it do."""

FIRST_NODES = 11
"""Nodes of a step that are enough for it."""


@dataclass(frozen=True)
class GaitPrediction:
    """A predicted step, from the right foot's initial contact to the left's, or a stride.

    Attributes:
        success, status: of the solver.
        time: (T,) s.
        q, qd, qdd, tau: (T, n) of all joints of the given skeleton; frozen ones are zero in q.
        force_G, moment_G: (T, n, 3) internal loads at every joint, as `pipeline.dynamics.rnea` gives them.
        ground_reaction: side -> wrench on the foot at its centre of pressure.
        zmp_G: (T, 3) zero-moment point, m, in G.
        objective: value; ``objective_terms`` its parts.
        max_violation: largest violation at the nodes in units of its tolerance (kept at 1 or less).
        worst, worst_dense: largest violation of every constraint in its unit, at the nodes and on the denser grid.
        slip_dense, lift_dense: largest speed of any touching point, m/s, and its largest distance from the ground,
            m, on the denser grid.
        balance: largest residual of the six global generalised forces, N or Nm.
        cpu_seconds, iterations, optimality, n_variables, n_constraints, n_active: of the solver.
        task, preset, notes: what was asked, with defaults filled in, and what was assumed.
        solver_result: the raw result, for warm starts.
    """

    success: bool
    status: str
    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    force_G: np.ndarray
    moment_G: np.ndarray
    ground_reaction: dict[str, Wrench]
    zmp_G: np.ndarray
    objective: float
    objective_terms: dict[str, float]
    max_violation: float
    worst: dict[str, float]
    worst_dense: dict[str, float]
    slip_dense: float
    lift_dense: float
    balance: float
    cpu_seconds: float
    iterations: int
    optimality: float
    n_variables: int
    n_constraints: int
    n_active: int
    task: GaitTask
    preset: str
    notes: tuple[str, ...]
    solver_result: SolverResult = field(repr=False)


def predict_gait(
    skeleton: Skeleton,
    task: GaitTask | None = None,
    preset: str | Preset = "human",
    *,
    solver: Solver | None = None,
    start: np.ndarray | GaitPrediction | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> GaitPrediction:
    """Predict one symmetric step of a walk, or a full stride.

    Args:
        skeleton: the body; its frozen joints are held at zero.
        task: speed, step length and the rest.
        preset: ``human``, ``thesis``, or one of your own.
        solver: of the second stage; the default SQP, or another.
        start: an earlier prediction, from which the second stage goes on, or design variables for the first stage; a
            standing body that glides along by default.
        progress: called at every iteration.

    Raises:
        PredictionError: nobody can walk like this, or the skeleton is no walker's.
        SolverError: no solution was found; says which constraints stand in the way.
    """
    walk = GaitProblem.make(skeleton, task or GaitTask(), preset)
    if isinstance(start, GaitPrediction):
        x = walk.moved_start(start)
    else:
        x = walk.standing_start() if start is None else start
    if len(x) != walk.problem.n_variables:
        raise PredictionError(
            f"the start has {len(x)} design variables, the problem {walk.problem.n_variables}",
            where="gait",
            remedy="Start from a prediction of the same skeleton and preset",
        )
    result = walk.solve(x, solver, progress, warm=isinstance(start, GaitPrediction))
    remedy = "Ask for another speed, step length or double support, or loosen the named limits of the skeleton"
    require_success(result, walk.problem, where=walk.title, remedy=remedy)
    return walk.prediction(result)


@dataclass(frozen=True)
class GaitProblem:
    """A step or stride as a nonlinear program.

    Attributes:
        skeleton: as given; ``walker`` has its frozen joints merged.
        task, preset, notes: completed.
        problem: the program at the nodes.
    """

    skeleton: Skeleton
    walker: Walker
    task: GaitTask
    preset: Preset
    notes: tuple[str, ...]
    problem: Problem

    @classmethod
    def make(cls, skeleton: Skeleton, task: GaitTask, preset: str | Preset) -> GaitProblem:
        """Assemble."""
        preset = find_preset(preset) if isinstance(preset, str) else preset
        walker = make_walker(merge_frozen(skeleton))
        task, notes = task.complete(walker.leg_length, GRAVITY)
        notes += [f"{what}: {why}" for what, why in preset.reasons.items()]
        form = _transcription(walker, task, preset)
        return cls(skeleton, walker, task, preset, tuple(notes), _assemble(walker, task, preset, form))

    @property
    def title(self) -> str:
        """For messages."""
        return f"gait at {self.task.speed:g} m/s with {self.task.step_length:g} m steps, preset {self.preset.name}"

    def solve(
        self,
        x: np.ndarray,
        solver: Solver | None = None,
        progress: Callable[[Progress], None] | None = None,
        *,
        warm: bool = False,
    ) -> SolverResult:
        """Solve from design variables, in two stages unless the start is warm, a walk already."""
        method = solver or SQP()
        if warm:
            return method.solve(self.problem, x, progress)
        first = FIRST_STAGE.solve(self.nearest_to_standing(), x, progress)
        second = method.solve(self.problem, first.x, progress)
        cpu, iterations = first.cpu_seconds + second.cpu_seconds, first.iterations + second.iterations
        return replace(second, cpu_seconds=cpu, iterations=iterations)

    def nearest_to_standing(self) -> Problem:
        """The first stage: the motion nearest to a standing body that glides along, under the same constraints.

        Section 5.3 of the thesis starts there, at q = 0, and takes any feasible motion by a constant objective. The
        nearest one is hardly ever another, wherever the search starts, and so is the walk that the second stage finds.
        A few nodes do: the second stage keeps the constraints at all.
        """
        nodes = min(FIRST_NODES, self.preset.n_nodes)
        preset = replace(self.preset, n_nodes=nodes, objectives=(departure_from_standing,))
        return _assemble(self.walker, self.task, preset, _transcription(self.walker, self.task, preset))

    def dense(self, factor: int = DENSER) -> Problem:
        """The same problem looked at between the nodes."""
        return _assemble(self.walker, self.task, self.preset, self.problem.transcription.denser(factor))

    def standing_start(self) -> np.ndarray:
        """A standing body that glides along at the asked speed."""
        spline = self.problem.transcription.spline
        d = spline.degree
        places = np.array([np.mean(spline.knots[i + 1 : i + d + 1]) for i in range(spline.n_points)])
        times = self.task.n_steps * self.task.step_time * places
        return self.problem.transcription.start(gliding_stand(self.walker, self.task, times))

    def moved_start(self, earlier: GaitPrediction) -> np.ndarray:
        """An earlier prediction's design variables, its progression stretched to this step length."""
        x = np.array(earlier.solver_result.x)
        form = self.problem.transcription
        if len(x) == form.n_variables:
            travels = form.ties.free[:, 1] == self.walker.progression
            x[travels] *= self.task.step_length / earlier.task.step_length
        return x

    def prediction(self, result: SolverResult) -> GaitPrediction:
        """The result as a motion of the full skeleton, with loads by the general recursion and the denser check."""
        motion = _view(self.problem)(self.problem.transcription.states(result.x))
        states, n = motion.states, len(self.skeleton)
        q, qd, qdd = np.zeros((3, len(states.q), n))
        kept = np.flatnonzero(~self.skeleton.frozen)
        for full, active in ((q, states.q), (qd, states.qd), (qdd, states.qdd)):
            full[:, kept] = active
        total = motion.ground_wrench.value
        zmp = np.zeros((len(q), 3))
        zmp[:, 0], zmp[:, 2] = total[:, 2] / total[:, 4], -total[:, 0] / total[:, 4]
        reaction = {}
        for side in SIDES:
            wrench = motion.foot_wrench(side).value
            about_origin = Wrench(wrench[:, 3:], wrench[:, :3], np.zeros(3))
            reaction[side] = about_origin.about(zmp + motion.schedule.offset[side])
        loads = rnea(self.skeleton, q, qd, qdd, wrenches={f"{side}_foot": reaction[side] for side in SIDES})
        dense = self.dense()
        slip, lift = _contact_quality(_view(dense)(dense.transcription.states(result.x)))
        return GaitPrediction(
            success=result.success,
            status=result.status,
            time=states.time,
            q=q,
            qd=qd,
            qdd=qdd,
            tau=loads.tau,
            force_G=loads.force_G,
            moment_G=loads.moment_G,
            ground_reaction=reaction,
            zmp_G=zmp,
            objective=result.objective,
            objective_terms=self.problem.evaluate(result.x).objective_terms(),
            max_violation=result.max_excess,
            worst=result.worst,
            worst_dense=dense.bounds().worst(dense.evaluate(result.x).rows),
            slip_dense=slip,
            lift_dense=lift,
            balance=float(np.abs(loads.tau[:, :6]).max()),
            cpu_seconds=result.cpu_seconds,
            iterations=result.iterations,
            optimality=result.optimality,
            n_variables=result.n_variables,
            n_constraints=result.n_constraints,
            n_active=result.n_active,
            task=self.task,
            preset=self.preset.name,
            notes=self.notes,
            solver_result=result,
        )


def _transcription(walker: Walker, task: GaitTask, preset: Preset) -> Transcription:
    """Splines over the step, continued by its mirror image, or over the stride, continued by itself."""
    steps, n = task.n_steps, len(walker.skeleton)
    spline = Spline.uniform(preset.degree, steps * preset.n_intervals, preset.ends)
    ties = Ties(spline, n)
    tie = ties.wrap if preset.ends == "wrapped" else ties.mirror_end
    partner, sign = (walker.partner, walker.sign) if steps == 1 else (np.arange(n), np.ones(n))
    for j in range(n):
        shift = steps * task.step_length if j == walker.progression else 0.0
        tie(j, int(partner[j]), float(sign[j]), shift)
    nodes = phase_nodes(task, preset.n_nodes) / steps
    return Transcription(spline, ties.build(), nodes, steps * task.step_time)


def _assemble(walker: Walker, task: GaitTask, preset: Preset, form: Transcription) -> Problem:
    u = form.nodes * task.n_steps
    schedule = make_schedule(walker, task, u, towards_pivot=preset.towards_pivot)
    inside = form.nodes < 1.0 - 1e-9 if preset.ends == "wrapped" else np.ones(len(form.nodes), dtype=bool)
    setting = Setting(walker, task, schedule, u, inside, preset.boxes)
    return Problem(
        form,
        [part for describe in preset.objectives for part in describe(setting)],
        [part for describe in preset.constraints for part in describe(setting)],
        lambda states: WalkingMotion(walker, schedule, states),
    )


def _contact_quality(motion: WalkingMotion) -> tuple[float, float]:
    """Largest speed of a touching contact point, and its largest distance from the ground."""
    slip, lift = 0.0, 0.0
    for (side, point), touching in motion.schedule.touching.items():
        speed = np.linalg.norm(motion.velocity(f"{side}_{point}").value, axis=1)
        height = np.abs(motion.position(f"{side}_{point}").value[:, Y])
        slip, lift = max(slip, speed[touching].max(initial=0.0)), max(lift, height[touching].max(initial=0.0))
    return float(slip), float(lift)


def _view(problem: Problem) -> Callable[..., WalkingMotion]:
    return problem.view
