"""Solve a task file: an arm given by its Denavit-Hartenberg table, or a lift or walk of the skeleton."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pipeline.config import HOME, ArmTask, LiftTaskFile, Task, TaskBody, WalkTaskFile, load_task
from pipeline.conventions import GRAVITY_G
from pipeline.dynamics import rnea, rnea_sensitivities
from pipeline.math3d import Wrench
from pipeline.prediction.arms import ArmProblem, ManipulatorMotion
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.predict import GaitPrediction, predict_gait
from pipeline.prediction.gait.problem import motion_of
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.lifting.predict import LiftPrediction, predict_lift
from pipeline.prediction.lifting.repeated import repeat_lift
from pipeline.prediction.lifting.task import LiftTask
from pipeline.skeleton import Skeleton, joined_bodies, link_poses, load_skeleton
from pipeline.trial import Note, RepeatedTask, TaskMotion, Violation

TASKS = HOME / "config/tasks"
"""Folder of the task files that ship."""

SKELETON = HOME / "config/skeleton.yaml"

BODY_NOTE = Note("assumed", "body", "proportions of anthropometric tables for mass, height and sex")
LIFT_NOTES = (
    Note("assumed", "lift", "both sides move alike; the box is a point mass in each hand"),
    BODY_NOTE,
)
REPEATED_NOTES = (
    Note("assumed", "repetition", "every joint rests between two lifts, while another person brings the box back"),
    Note(
        "estimated",
        "fatigue",
        "each joint is one group of muscles with the three-compartment model (Xia and Frey-Law 2008, Frey-Law et al. "
        "2012, Looft et al. 2018), loaded by torque over rested strength; hips take the general rates, and the grip of "
        "the hands does not fatigue",
    ),
    Note(
        "info",
        "NIOSH equation",
        "recommended weight limit after Waters et al. 1993 for a good grip in the sagittal plane; it protects nearly "
        "all healthy workers from back pain over a working day, which a model of one person's strength does not show",
    ),
)


def solve_task(task: Task, progress: Callable[[int, float], None] | None = None) -> TaskMotion:
    """The optimal motion of a task, with torques, internal loads and their sensitivities.

    Args:
        task: as `pipeline.config.load_task` reads it.
        progress: called after each repetition of a lift with its number and the smallest strength left.

    Raises:
        PredictionError: the task is impossible, or has no optimum.
        SolverError: no solution was found; the message names the violated constraints.
        DynamicsError: the arm's parameters do not describe a mechanical system.
    """
    if isinstance(task, ArmTask):
        return _arm_motion(task)
    return _walk_motion(task) if isinstance(task, WalkTaskFile) else _lift_motion(task, progress)


def shipped_arm(name: str) -> ArmProblem:
    """The arm of a task file that ships, such as "two_revolute"."""
    task = load_task(TASKS / f"{name}.yaml")
    assert isinstance(task, ArmTask)
    return arm_problem(task)


def arm_problem(task: ArmTask) -> ArmProblem:
    """The problem that an arm's task describes, in SI units and radians. Raises DynamicsError as `solve_task` does."""
    turns = np.array([link.kind == "R" for link in task.links])
    unit = np.where(turns, np.radians(1.0), 1.0)
    begin, end = (unit * [link.move[k] for link in task.links] for k in (0, 1))
    return ArmProblem(
        skeleton=_arm(task, unit),
        begin=begin,
        end=end,
        time_weight=task.weights.time,
        effort_weight=task.weights.effort,
        gravity=np.array(task.gravity),
        duration=task.duration,
        n_intervals=task.intervals,
        free_knots=task.free_knots,
    )


def _arm(task: ArmTask, unit: np.ndarray) -> Skeleton:
    links = task.links
    ranges = np.array([link.range or (-np.inf, np.inf) for link in links]) * unit[:, None]
    mass, com = np.array([link.mass for link in links]), np.array([link.com for link in links])
    inertia = np.array([_tensor(link.inertia) for link in links])
    if task.load:
        load = task.load.mass, np.array(task.load.at), np.zeros((3, 3))
        mass[-1], com[-1], inertia[-1] = joined_bodies((mass[-1], com[-1], inertia[-1]), load)
    return Skeleton(
        joint_names=tuple(link.name for link in links),
        parent=np.arange(-1, len(links) - 1),
        kind=tuple(link.kind for link in links),
        theta=np.radians([link.theta for link in links]),
        d=np.array([link.d for link in links]),
        a=np.array([link.a for link in links]),
        alpha=np.radians([link.alpha for link in links]),
        origin=np.eye(4),
        mass=mass,
        com=com,
        inertia=inertia,
        q_lower=ranges[:, 0],
        q_upper=ranges[:, 1],
        tau_limit=np.array([link.max_effort for link in links]),
    )


def _tensor(values: list[float]) -> np.ndarray:
    """(3, 3) tensor from xx, yy, zz and, if given, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = [*values, 0.0, 0.0, 0.0][:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _arm_motion(task: ArmTask) -> TaskMotion:
    asked = arm_problem(task)
    if not (task.duration or task.weights.time) and not asked.is_loaded_at_rest:
        raise PredictionError(
            "effort alone has no minimum: gravity loads no joint on the way, so effort keeps falling as the duration "
            "grows",
            where="weights",
            remedy="Give a weight of time, or the duration",
        )
    found = asked.solve()
    effort = found.objective - (0.0 if task.duration else task.weights.time * found.total_time)
    terms = {"effort": effort} if task.duration else {"time": found.objective - effort, "effort": effort}
    return _motion(
        task,
        found,
        asked.skeleton,
        asked.gravity,
        objectives={name: value for name, value in terms.items() if getattr(task.weights, name)},
        violations=(
            Violation("torques over their limits", "of the limit", 1e-3, np.nan, found.max_violation_dense),
            Violation("coordinates over their range", "rad, m", 1e-3, np.nan, found.max_range_dense),
        ),
    )


def _lift_motion(task: LiftTaskFile, progress: Callable[[int, float], None] | None) -> TaskMotion:
    skeleton = _skeleton(task.body)
    shared = {name: getattr(task, name) for name in ("load", "duration", "box_depth", "box_width", "friction")}
    start, end = ((place[0], place[1]) for place in (task.start, task.end))
    asked, repeated = LiftTask(start=start, end=end, **shared), None
    if task.repeat:
        found, repeated = repeat_lift(skeleton, asked, task.repeat.every, task.repeat.most, progress)
    else:
        found = predict_lift(skeleton, asked)
    return _motion(
        task,
        found,
        found.problem.skeleton,
        GRAVITY_G,
        wrenches=found.ground_reaction,
        objectives=found.objective_terms,
        violations=_violations(found),
        notes=(*LIFT_NOTES, *(REPEATED_NOTES if repeated else ())),
        repeated=repeated,
    )


def _walk_motion(task: WalkTaskFile) -> TaskMotion:
    asked = GaitTask(task.speed, task.step_length, friction=task.friction, form=task.form, flight=task.flight)
    found = predict_gait(_skeleton(task.body), asked, task.preset)
    return _motion(
        task,
        found,
        found.problem.skeleton,
        found.problem.walker.gravity_G,
        wrenches=motion_of(found.problem.problem, found.result.x).ground_wrenches,
        objectives=found.objective_terms,
        violations=_violations(found),
        notes=(BODY_NOTE, *(Note("info", "walk", text) for text in found.notes)),
    )


def _skeleton(body: TaskBody) -> Skeleton:
    return load_skeleton(SKELETON, mass=body.mass, height=body.height, sex="male" if body.sex == "m" else "female")


def _violations(found: GaitPrediction | LiftPrediction) -> tuple[Violation, ...]:
    dense = found.max_violations_dense
    parts = {part.name: part for part in found.problem.problem.constraints}
    return tuple(Violation(name, parts[name].unit, parts[name].tolerance, np.nan, dense[name]) for name in dense)


def _motion(
    task: Task,
    found: ManipulatorMotion | LiftPrediction | GaitPrediction,
    skeleton: Skeleton,
    gravity: tuple[float, float, float] | np.ndarray,
    *,
    wrenches: dict[str, Wrench] | None = None,
    objectives: dict[str, float],
    violations: tuple[Violation, ...],
    notes: tuple[Note, ...] = (),
    repeated: RepeatedTask | None = None,
) -> TaskMotion:
    states = found.q, found.qd, found.qdd
    loads = rnea(skeleton, *states, gravity=gravity, wrenches=wrenches)
    by = rnea_sensitivities(skeleton, *states, gravity=gravity, wrenches=wrenches)
    return TaskMotion(
        task=task.task,
        title=task.title,
        source=task.source,
        ended=found.result.status,
        iterations=found.result.iterations,
        duration=float(found.time[-1]),
        objectives=objectives,
        joint_names=skeleton.joint_names,
        coordinate_names=skeleton.joint_names,
        joint_kinds=skeleton.kind,
        parents=np.asarray(skeleton.parent),
        tau_limit=np.asarray(skeleton.tau_limit),
        time=found.time,
        q=found.q,
        qd=found.qd,
        qdd=found.qdd,
        tau=loads.tau,
        force_G=loads.force_G,
        moment_G=loads.moment_G,
        origin_G=link_poses(skeleton, found.q)[1],
        dtau_dq=by.dtau_dq,
        dtau_dqd=by.dtau_dqd,
        dtau_dqdd=by.dtau_dqdd,
        violations=violations,
        notes=notes,
        repeated=repeated,
    )
