"""The optimal control problem of a walk: splines continued by symmetry, contact schedule, constraints and objectives.

It is solved in two stages (thesis section 5.3): the first finds a feasible motion from any initial guess; the second
minimises the preset's objective from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.conventions import GRAVITY, is_number
from pipeline.optimisation import (
    SQP,
    Evaluation,
    LinearRelations,
    Problem,
    Progress,
    Solver,
    SolverResult,
    Spline,
    Transcription,
)
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.constraints import Setting
from pipeline.prediction.gait.joint_forces import with_joint_force_terms, with_joint_forces
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.presets import Preset, distance_from_neutral_pose, find_preset, translating_neutral_pose
from pipeline.prediction.gait.schedule import make_schedule, phase_nodes
from pipeline.prediction.gait.sidedness import lock_one_sided, refuse_mirrored_differences
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walker import JointForce, Spring, Walker, make_walker
from pipeline.skeleton import Skeleton, merge_frozen

FIRST_STAGE = SQP(
    penalties=(0.3, 30.0), tolerance=1e-2, optimality=np.inf, damping=1e-4, max_iterations=8, corrections=2
)
"""The objective outweighs the first penalty, so that any initial guess is drawn to the neutral pose before the penalty
of the constraints is raised; a few iterations suffice."""

FIRST_STAGE_NODES = 11
"""Nodes of a step in the first stage; the second stage imposes the constraints at all nodes."""

ANY_FEASIBLE = SQP(penalties=(1.0,), tolerance=1e-2, optimality=np.inf, damping=1e-4, max_iterations=20, corrections=2)
"""With a constant objective: short steps that minimise the violation of the linearised constraints."""

NEAREST_FEASIBLE = replace(ANY_FEASIBLE, max_iterations=60, patience=3)
"""From a walk of a similar body or task. If a feasible motion exists, violations at least halve in two iterations; if
not, they hardly fall after the first seven."""

FROM_A_WALK = SQP(penalties=(3.0, 30.0, 300.0))
"""The second stage from a walk. Searches from 28 stored walks raised the default's lowest penalty, 0.3, in all."""

REFINEMENT = 10
"""Factor by which intervals between nodes are divided to check a solution between the nodes."""

BETWEEN_NODES = {"torque limits": 0.02, "zero-moment point in support polygon": 0.005}
"""By how much a solution may violate these constraints between the nodes: share of the limit, and m times body
weight."""


@dataclass(frozen=True)
class GaitProblem:
    """A step or stride as a nonlinear program.

    Attributes:
        skeleton: as given; ``walker`` has its frozen joints merged.
        task, preset, notes: the task completed with defaults, its preset, and notes on both.
        problem: the program at the nodes.
    """

    skeleton: Skeleton
    walker: Walker
    task: GaitTask
    preset: Preset
    notes: tuple[str, ...]
    problem: Problem

    @classmethod
    def make(
        cls,
        skeleton: Skeleton,
        task: GaitTask,
        preset: str | Preset,
        springs: Sequence[Spring] = (),
        joint_forces: Sequence[JointForce] = (),
    ) -> GaitProblem:
        """Assemble the problem.

        Args:
            skeleton: the body; joints that are frozen on only one side are locked at zero.
            springs: passive springs on its joints.
            joint_forces: bounds and penalties on net forces of its joints.

        Raises:
            PredictionError: the task is impossible, the preset unknown, the skeleton cannot walk, or its sides differ
                where one step and its mirror image are requested.
        """
        preset = find_preset(preset)
        skeleton = lock_one_sided(skeleton)
        walker = make_walker(merge_frozen(skeleton))
        gravity = GRAVITY * np.array([-np.sin(task.slope), -np.cos(task.slope), 0.0])
        own = walker.mass - task.added_mass
        if own <= 0.0:
            problem = f"the added mass, {task.added_mass:g} kg, is all of the body's {walker.mass:g} kg"
            raise PredictionError(
                problem, where="gait task", remedy="Add it to the mass of the skeleton's segments too"
            )
        for problem, remedy in _faults(walker, springs, joint_forces):
            raise PredictionError(problem, where="gait", remedy=remedy)
        walker = replace(walker, springs=tuple(springs), gravity_G=tuple(gravity.tolist()), body_mass=own)
        if joint_forces:
            walker, preset = with_joint_forces(walker, joint_forces), with_joint_force_terms(preset)
        refuse_mirrored_differences(walker, task)
        dorsiflexion = {side: float(walker.skeleton.q_upper[ankle]) for side, ankle in walker.ankles.items()}
        task, notes = task.complete(walker.leg_length, dorsiflexion, runs=preset.runs)
        notes += [f"{term}: {reason}" for term, reason in preset.reasons.items()]
        form = _transcription(walker, task, preset)
        return cls(skeleton, walker, task, preset, tuple(notes), _assemble(walker, task, preset, form))

    @property
    def title(self) -> str:
        """Description of the problem for messages."""
        return f"gait at {self.task.speed:g} m/s with {self.task.step_length:g} m steps, preset {self.preset.name}"

    def solve(
        self,
        x: np.ndarray,
        solver: Solver | None = None,
        progress: Callable[[Progress], None] | None = None,
        *,
        warm: bool = False,
    ) -> SolverResult:
        """Solve in two stages from any initial guess or, with ``warm``, in the second stage alone from a walk."""
        if warm:
            return (solver or FROM_A_WALK).solve(self.problem, x, progress)
        method, found = solver or SQP(), []
        for stage in self.preset.first_stages:
            first = self._first(stage, x, progress)
            found.append(method.solve(self.problem, first.x, progress).after(first))
        best = min(found, key=lambda result: (not result.success, result.objective))
        return best.after(*(one for one in found if one is not best))

    def feasible(self, x: np.ndarray, progress: Callable[[Progress], None] | None = None) -> SolverResult:
        """A motion that satisfies all constraints, near a walk of a similar body or task, whatever its objective."""
        return NEAREST_FEASIBLE.solve(replace(self.problem, objectives=[]), x, progress)

    def _first(self, stage: str, x: np.ndarray, progress: Callable[[Progress], None] | None) -> SolverResult:
        if stage == "any":
            constant = replace(self.problem, objectives=[])
            return ANY_FEASIBLE.solve(constant, x, progress)
        return FIRST_STAGE.solve(self.first_stage(), x, progress)

    def first_stage(self) -> Problem:
        """The problem of the motion nearest to a translating neutral pose, under the same constraints at fewer nodes.

        The thesis takes any feasible motion near q = 0. The nearest one hardly depends on the initial guess, and so
        neither does the walk found in the second stage.
        """
        nodes = min(FIRST_STAGE_NODES, self.preset.n_nodes)
        preset = replace(self.preset, n_nodes=nodes, objectives=(distance_from_neutral_pose,))
        return _assemble(self.walker, self.task, preset, _transcription(self.walker, self.task, preset))

    def refined(self, factor: int = REFINEMENT) -> Problem:
        """The same problem with ``factor`` times as many intervals between nodes."""
        return _assemble(self.walker, self.task, self.preset, self.problem.transcription.refined(factor))

    def finer(self, x: np.ndarray) -> GaitProblem:
        """The problem with additional nodes where a solution violates constraints by more than `BETWEEN_NODES`.

        Each such interval gets one node, at its worst point.
        """
        refined = self.refined()
        violation = refined.bounds.violation(Evaluation(refined, x).rows) / refined.bounds.scale
        excess = np.zeros(len(refined.transcription.nodes))
        parts = np.split(violation, refined.ends)[:-1]
        for part, mask, own in zip(refined.constraints, refined.masks, parts, strict=True):
            if part.name in BETWEEN_NODES:
                np.maximum.at(excess, np.nonzero(mask)[0], own / BETWEEN_NODES[part.name])
        inside = excess[:-1].reshape(-1, REFINEMENT)
        worst = REFINEMENT * np.arange(len(inside)) + inside.argmax(axis=1)
        added = refined.transcription.nodes[worst[inside.max(axis=1) > 1.0]]
        form = self.problem.transcription.with_nodes(np.union1d(self.problem.transcription.nodes, added))
        return replace(self, problem=_assemble(self.walker, self.task, self.preset, form))

    def neutral_guess(self) -> np.ndarray:
        """(n_variables,) design variables of the translating neutral pose."""
        spline = self.problem.transcription.spline
        d = spline.degree
        averages = np.array([np.mean(spline.knots[i + 1 : i + d + 1]) for i in range(spline.n_points)])
        times = self.task.n_steps * self.task.step_time * averages
        return self.problem.transcription.pack(translating_neutral_pose(self.walker, self.task, times))


def motion_of(problem: Problem, x: np.ndarray) -> WalkingMotion:
    """The walking motion of design variables (n_variables,), with derivatives."""
    return problem.model(problem.transcription.states(x))


def _transcription(walker: Walker, task: GaitTask, preset: Preset) -> Transcription:
    """Splines over a step, continued by its mirror image, or over a stride, continued by itself."""
    steps, n = task.n_steps, len(walker.skeleton)
    spline = _spline(task, preset)
    relations = LinearRelations(spline, n)
    tie = relations.wrap if preset.ends == "wrapped" else relations.mirror_end
    partner, sign = (walker.partner, walker.sign) if steps == 1 else (np.arange(n), np.ones(n))
    for j in range(n):
        shift = steps * task.step_length if j == walker.progression else 0.0
        if walker.locked[j]:
            relations.pin(j, float(walker.skeleton.q_lower[j]))
        else:
            tie(j, int(partner[j]), float(sign[j]), shift)
    nodes = task.node_of(phase_nodes(task, preset.n_nodes, task.step_of(spline.breaks)))
    return Transcription(spline, relations.build(), nodes, steps * task.step_time)


def _faults(walker: Walker, springs: Sequence[Spring], joint_forces: Sequence[JointForce]) -> Iterator[tuple[str, str]]:
    """What is wrong with springs and bounds on joint forces, and the remedy."""
    names = [spring.joint for spring in springs]
    for name in names:
        if names.count(name) > 1:
            yield f"{names.count(name)} springs act on {name}", "Give their sum as one spring"
    for spring in springs:
        if spring.joint not in walker.skeleton.joint_names[6:]:
            joints = ", ".join(walker.skeleton.joint_names[6:])
            yield f"{spring.joint!r} of a spring is no joint that moves", f"Give one of {joints}"
        if not (is_number(spring.stiffness) and 0.0 <= spring.stiffness < np.inf):
            yield f"stiffness is {spring.stiffness!r} at {spring.joint}", "Give Nm/rad, zero or more"
        if not (is_number(spring.rest) and abs(spring.rest) <= np.pi):
            yield f"rest is {spring.rest!r} at {spring.joint}, beyond pi either way", "Give the angle in radians"
    for force in joint_forces:
        if not (is_number(force.limit) and force.limit > 0.0):
            yield f"the limit of the force at {force.joint} is {force.limit!r}", "Give body weights, above zero"
        if not (is_number(force.weight) and 0.0 <= force.weight < np.inf):
            yield f"the weight of the force at {force.joint} is {force.weight!r}", "Give zero or more"


def _spline(task: GaitTask, preset: Preset) -> Spline:
    """The coordinates' splines. In a run foot off is a break, from which on the ground's force can be zero."""
    assert task.flight is not None
    if not preset.runs:
        return Spline.graded(preset.degree, preset.n_intervals, preset.ends, preset.grading, repeats=task.n_steps)
    off, in_flight = 1.0 - task.flight, max(2, round(task.flight * preset.n_intervals))
    stance = off * np.linspace(0.0, 1.0, preset.n_intervals - in_flight + 1)
    pattern = np.append(stance, off + task.flight * np.linspace(0.0, 1.0, in_flight + 1)[1:])
    breaks = [task.node_of(step + pattern[1:]) for step in range(task.n_steps)]
    return Spline(preset.degree, np.concatenate([[0.0], *breaks]), preset.ends)


def _assemble(walker: Walker, task: GaitTask, preset: Preset, form: Transcription) -> Problem:
    u = task.step_of(form.nodes)
    schedule = make_schedule(
        walker,
        task,
        u,
        virtual_pivot=preset.virtual_pivot,
        unloaded=preset.tolerances.unloaded,
        heel_pad=preset.heel_pad,
    )
    inside = form.nodes < 1.0 - 1e-9 if preset.ends == "wrapped" else np.ones(len(form.nodes), dtype=bool)
    tolerances = preset.tolerances.at_speed(task.speed)
    limits = task.force_limits
    setting = Setting(walker, schedule, u, inside, tolerances, task.friction, limits, task, preset.weights)
    return Problem(
        form,
        [term for describe in preset.objectives for term in describe(setting)],
        [term for describe in preset.constraints for term in describe(setting)],
        lambda states: WalkingMotion(walker, schedule, states),
    )
