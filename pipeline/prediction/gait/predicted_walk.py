"""From a solved prediction to the stage that is stored: poses, clinical joints and the solver's report."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.predicted.cycle import SEGMENTS
from pipeline.config import Prediction
from pipeline.conventions import SIDES
from pipeline.prediction.gait.predict import GaitPrediction, GaitProblem
from pipeline.prediction.gait.presets import Preset
from pipeline.prediction.gait.subject_body import Body
from pipeline.skeleton import Skeleton, joint_axes, link_poses, segment_pose
from pipeline.trial import (
    Note,
    PredictedJoint,
    PredictedWalk,
    PredictionTask,
    SegmentPose,
    SolverReport,
    Violation,
)


def predicted_walk(
    row: Prediction,
    body: Body,
    digest: str,
    solved: GaitPrediction,
    notes: tuple[Note, ...] = (),
    start: str = "",
    preset: Preset | None = None,
) -> PredictedWalk:
    """The stage of a solved prediction, or of how far it came.

    Args:
        row: of the study's table.
        body: the subject, on whose skeleton it was solved; ``digest`` is that of the skeleton's file.
        solved: the prediction.
        notes: where its task comes from.
        start: name of the prediction that it started from, empty for a standing body.
        preset: that of the prediction, where it is not one that goes by its name.
    """
    skeleton = body.skeleton
    problem = GaitProblem.make(skeleton, solved.task, preset or solved.preset)
    return PredictedWalk(
        name=row.prediction,
        subject=row.subject,
        skeleton=digest,
        task=_task(row, solved, body),
        solver=_report(solved, problem, start),
        joint_names=skeleton.joint_names,
        time=solved.time,
        q=solved.q,
        qd=solved.qd,
        qdd=solved.qdd,
        tau=solved.tau,
        force_G=solved.force_G,
        moment_G=solved.moment_G,
        ground=dict(solved.ground_reaction),
        zmp_G=solved.zmp_G,
        segments={name: SegmentPose(*segment_pose(skeleton, name, solved.q)) for name in skeleton.segments},
        points=_points(problem, skeleton, solved.q),
        joints=_joints(skeleton, solved),
        notes=(*notes, *body.notes, *(Note("assumed", f"preset {solved.preset}", text) for text in solved.notes)),
    )


def _task(row: Prediction, solved: GaitPrediction, body: Body) -> PredictionTask:
    task = solved.task
    assert task.double_support is not None
    assert task.step_width is not None
    return PredictionTask(
        preset=solved.preset,
        sex=body.sex,
        mass=body.mass,
        height=body.height,
        pelvic_tilt=body.pelvic_tilt,
        speed=task.speed,
        step_length=task.step_length,
        double_support=task.double_support,
        step_width=task.step_width,
        toe_out=task.toe_out,
        friction=task.friction,
        form=task.form,
        walk=row.trial or "",
    )


def _report(solved: GaitPrediction, problem: GaitProblem, start: str) -> SolverReport:
    return SolverReport(
        ended=solved.status,
        start=start,
        iterations=solved.iterations,
        variables=solved.n_variables,
        constraints=solved.n_constraints,
        active=solved.n_active,
        objectives=dict(solved.objective_terms),
        max_violation=solved.max_violation,
        optimality=solved.optimality,
        slip=solved.slip_dense,
        lift=solved.lift_dense,
        balance=solved.balance,
        violations=tuple(
            Violation(part.name, part.unit, part.tolerance, solved.worst[part.name], solved.worst_dense[part.name])
            for part in problem.problem.constraints
        ),
    )


def _points(problem: GaitProblem, skeleton: Skeleton, q: np.ndarray) -> dict[str, np.ndarray]:
    """Places (T, 3) in G of the points that the constraints speak of."""
    R, r = link_poses(problem.walker.skeleton, q[:, ~skeleton.frozen])
    return {name: r[:, point.link] + R[:, point.link] @ point.place for name, point in problem.walker.points.items()}


def _joints(skeleton: Skeleton, solved: GaitPrediction) -> dict[str, PredictedJoint]:
    axes, _ = joint_axes(skeleton, solved.q)
    joints = {}
    for side in SIDES:
        for joint, (proximal, distal) in SEGMENTS.items():
            above = skeleton.segment(proximal if proximal == "pelvis" else f"{side}_{proximal}").joint
            link = skeleton.segment(f"{side}_{distal}").joint
            between = np.flatnonzero(skeleton.is_ancestor[:, link] & ~skeleton.is_ancestor[:, above])
            # The coordinates of one joint share its centre, and links between them have no mass: the last has its load.
            joints[f"{side}_{joint}"] = PredictedJoint(
                force_G=solved.force_G[:, link],
                moment_G=solved.moment_G[:, link],
                omega_G=np.einsum("tj,tja->ta", solved.qd[:, between], axes[:, between]),
            )
    return joints
