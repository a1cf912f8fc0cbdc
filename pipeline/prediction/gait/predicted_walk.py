"""The stored result of a subject's predicted walk: segment poses, joint loads and the solver's report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.analysis import SEGMENTS
from pipeline.config import Prediction
from pipeline.conventions import SIDES
from pipeline.plausibility import predicted_walk_findings
from pipeline.prediction.gait.active_limits import active_limits
from pipeline.prediction.gait.predict import GaitPrediction
from pipeline.prediction.gait.subject_body import Body
from pipeline.skeleton import joint_axes, link_poses, segment_pose
from pipeline.trial import (
    Note,
    PredictedJoint,
    PredictedWalk,
    PredictionTask,
    SegmentPose,
    SolverReport,
    Violation,
    WhatIfReport,
)

_MOTION = ("time", "q", "qd", "qdd", "tau", "force_G", "moment_G", "zmp_G")
"""Arrays with the same names in `GaitPrediction` and `PredictedWalk`."""


def predicted_walk(
    row: Prediction,
    body: Body,
    digest: str,
    solved: GaitPrediction,
    notes: tuple[Note, ...] = (),
    start: str = "",
    what_if: WhatIfReport | None = None,
) -> PredictedWalk:
    """The stored result of a prediction, or of the last iterate of a failed one.

    Args:
        row: of the study's table.
        body: the subject, on whose skeleton it was solved.
        digest: SHA-256 of the skeleton's file.
        solved: the prediction.
        notes: on the source of its task.
        start: name of the prediction from which it was started, empty for the neutral pose.
        what_if: result of the what-if case that it belongs to.
    """
    skeleton = body.skeleton
    walk = PredictedWalk(
        name=row.prediction,
        subject=row.subject,
        skeleton=digest,
        task=_task(row, solved, body),
        solver=_report(solved, start),
        joint_names=skeleton.joint_names,
        **{name: getattr(solved, name) for name in _MOTION},
        ground=dict(solved.ground_reaction),
        segments={name: SegmentPose(*segment_pose(skeleton, name, solved.q)) for name in skeleton.segments},
        points=_points(solved),
        joints=_joints(solved),
        notes=(*notes, *body.notes, *(Note("assumed", f"preset {solved.preset}", text) for text in solved.notes)),
        what_if=what_if,
    )
    return replace(walk, findings=tuple(predicted_walk_findings(walk)))


def _task(row: Prediction, solved: GaitPrediction, body: Body) -> PredictionTask:
    return PredictionTask(
        preset=solved.preset,
        sex=body.sex,
        mass=body.mass,
        height=body.height,
        pelvic_tilt=body.pelvic_tilt,
        walk=row.trial or "",
        leg_length=solved.problem.walker.leg_length,
        **vars(solved.task),
    )


def _report(solved: GaitPrediction, start: str) -> SolverReport:
    result = solved.result
    return SolverReport(
        ended=result.status,
        start=start,
        iterations=result.iterations,
        variables=result.n_variables,
        constraints=result.n_constraints,
        active=result.n_active,
        objectives=dict(solved.objective_terms),
        max_violation=result.max_relative_violation,
        optimality=result.optimality,
        **vars(solved.dense),
        balance=solved.balance,
        violations=tuple(
            Violation(c.name, c.unit, c.tolerance, result.max_violations[c.name], solved.max_violations_dense[c.name])
            for c in solved.problem.problem.constraints
        ),
        active_limits=active_limits(solved.problem.problem, result.x),
    )


def _points(solved: GaitPrediction) -> dict[str, np.ndarray]:
    """Positions (T, 3) in G of the body points used in constraints."""
    walker = solved.problem.walker
    R, r = link_poses(walker.skeleton, solved.q[:, ~solved.problem.skeleton.frozen])
    return {name: r[:, point.link] + R[:, point.link] @ point.position for name, point in walker.points.items()}


def _joints(solved: GaitPrediction) -> dict[str, PredictedJoint]:
    skeleton = solved.problem.skeleton
    axes, _ = joint_axes(skeleton, solved.q)
    joints = {}
    for side in SIDES:
        for joint, (proximal, distal) in SEGMENTS.items():
            above = skeleton.segment(proximal if proximal == "pelvis" else f"{side}_{proximal}").joint
            link = skeleton.segment(f"{side}_{distal}").joint
            between = np.flatnonzero(skeleton.is_ancestor[:, link] & ~skeleton.is_ancestor[:, above])
            # The coordinates of a joint share its centre; links between them have no mass. The last bears its load.
            joints[f"{side}_{joint}"] = PredictedJoint(
                force_G=solved.force_G[:, link],
                moment_G=solved.moment_G[:, link],
                omega_G=np.einsum("tj,tja->ta", solved.qd[:, between], axes[:, between]),
            )
    return joints
