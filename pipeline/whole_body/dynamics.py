"""Loads that belong to a motion of the whole skeleton, what they make of it again, and the matrix form beside them."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import GRAVITY_G, SIDES, Y
from pipeline.dynamics import rnea
from pipeline.inverse_kinematics.spline_fit import SplineFit
from pipeline.inverse_kinematics.walk_fit import MarkedMotion
from pipeline.math3d import Wrench
from pipeline.signals import blocks, runs_of
from pipeline.skeleton import Skeleton, active_joints, link_poses, merge_frozen
from pipeline.trial import BodyDynamics, ForwardCheck, JointMoments, MomentComparison, SegmentPose, WalkOnPlates
from pipeline.whole_body.forward_check import reproduce

WINDOW = 0.1
"""s; an open-loop body stays near its motion for about as long."""


def body_dynamics(
    skeleton: Skeleton,
    fit: SplineFit,
    ground: dict[str, Wrench],
    known: dict[str, np.ndarray],
    motion: MarkedMotion,
    kinematics: WalkOnPlates,
    height: float,
) -> BodyDynamics:
    """Recursive inverse dynamics; a joint's load is missing where that of a foot beyond it is not known."""
    loads = rnea(skeleton, fit.q, fit.qd, fit.qdd, wrenches=ground)
    missing = np.tile(~motion.whole[:, None], (1, len(skeleton)))
    for side in SIDES:
        carries = skeleton.is_ancestor[:, skeleton.segment(f"{side}_foot").joint]
        missing |= ~known[side][:, None] & carries
    tau, force_G, moment_G = loads.tau, loads.force_G, loads.moment_G
    for part in (tau, force_G, moment_G):
        part[missing] = np.nan
    weight = float(skeleton.mass.sum()) * -GRAVITY_G[Y]
    joint_moments = {}
    for name, pose in kinematics.joints.items():
        if f"{name}_flexion" in skeleton.joint_names:  # a marker set may have joints of its own
            j = skeleton.index(f"{name}_flexion")
            joint_moments[name] = np.einsum("tji,tj->ti", pose.R_GD, moment_G[:, j])
    com_G, segments = _poses(skeleton, fit.q, motion.whole)
    count = len(motion.labels)
    return BodyDynamics(
        q=_known(fit.q, motion.whole),
        qd=_known(fit.qd, motion.whole),
        qdd=_known(fit.qdd, motion.whole),
        tau=tau,
        power=tau * fit.qd,
        force_G=force_G,
        moment_G=moment_G,
        residual_force=tau[:, :3] / weight,
        residual_moment=tau[:, 3:6] / (weight * height),
        marker_error=np.where(motion.frames.left_out[:, :count], np.nan, fit.distance[:, :count]),
        joint_moments=joint_moments,
        com_G=com_G,
        segments=segments,
    )


def _known(values: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Values (T, n), missing in frames that are not whole; the same array where all are."""
    return values if whole.all() else np.where(whole[:, None], values, np.nan)


def residuals(
    skeleton: Skeleton, fit: SplineFit, ground: dict[str, Wrench], height: float, frames: np.ndarray
) -> np.ndarray:
    """Residual force and moment (2, F, 3) at the pelvis in some frames, in body weights and in those times stature."""
    loads = {n: Wrench(w.force_G[frames], w.moment_G[frames], w.point_G[frames]) for n, w in ground.items()}
    tau = rnea(skeleton, fit.q[frames], fit.qd[frames], fit.qdd[frames], wrenches=loads).tau
    weight = float(skeleton.mass.sum()) * -GRAVITY_G[Y]
    return np.stack([tau[:, :3] / weight, tau[:, 3:6] / (weight * height)])


def _poses(skeleton: Skeleton, q: np.ndarray, whole: np.ndarray) -> tuple[np.ndarray, dict[str, SegmentPose]]:
    """The body's centre of mass (T, 3) and the poses of its segments; missing in frames that are not whole."""
    com_G = np.full((len(q), 3), np.nan)
    segments = {
        name: SegmentPose(np.full((len(q), 3, 3), np.nan), np.full((len(q), 3), np.nan)) for name in skeleton.segments
    }
    for frames in blocks(len(q)):
        seen = np.flatnonzero(whole[frames]) + frames.start
        R, r = link_poses(skeleton, q[seen])
        com_G[seen] = skeleton.mass @ (r + np.einsum("tnij,nj->tni", R, skeleton.com)) / skeleton.mass.sum()
        for name, segment in skeleton.segments.items():
            R_GL = R[:, segment.joint]
            segments[name].R_GS[seen] = R_GL @ segment.pose[:3, :3]
            segments[name].origin_G[seen] = r[:, segment.joint] + R_GL @ segment.pose[:3, 3]
    return com_G, segments


def ground_reactions(
    ground: dict[str, Wrench], known: dict[str, np.ndarray], kinematics: WalkOnPlates
) -> dict[str, Wrench]:
    """Load on each foot about its centre of pressure; that is missing where the force is too small to have one."""
    found = {}
    for side in SIDES:
        cop_G = np.full((len(kinematics.time), 3), np.nan)
        for stance in kinematics.stances:
            if stance.side == side and not stance.rejected:
                plate = next(plate for plate in kinematics.plates if plate.number == stance.plate)
                cop_G[stance.start : stance.stop] = plate.cop_G[stance.start : stance.stop]
        wrench = ground[f"{side}_foot"].about(cop_G)
        found[side] = Wrench(np.where(known[side][:, None], wrench.force_G, np.nan), wrench.moment_G, cop_G)
    return found


def forward_check(
    skeleton: Skeleton, time: np.ndarray, fit: SplineFit, tau: np.ndarray, ground: dict[str, Wrench]
) -> ForwardCheck | None:
    """The middle of the longest run of frames in which all loads are known, left to forward dynamics.

    The joints that hardly move in walking are held: two axes of the neck nearly coincide, and together they whip.
    """
    runs = runs_of(np.isfinite(tau).all(axis=1))
    length = max(8, round(WINDOW / (time[1] - time[0])))
    first, last = max(runs, key=lambda run: run[1] - run[0], default=(0, 0))
    if last - first < length:
        return None
    start = (first + last - length) // 2
    frames = slice(start, start + length)
    loads = {n: Wrench(w.force_G[frames], w.moment_G[frames], w.point_G[frames]) for n, w in ground.items()}
    active = active_joints(skeleton)
    body = merge_frozen(skeleton, fit.q[frames].mean(axis=0))
    simulated = np.full((length, len(skeleton)), np.nan)
    simulated[:, active] = reproduce(body, lambda t, order: fit.spline(t, nu=order)[:, active], time[frames], loads)
    return ForwardCheck(window=time[frames], fitted=fit.q[frames], simulated=simulated)


def moment_comparison(
    body: BodyDynamics, loads: JointMoments, kinematics: WalkOnPlates
) -> tuple[MomentComparison, ...]:
    """Sagittal moments over clean stances in both forms."""
    found = []
    for name, moment in body.joint_moments.items():
        side, _, _ = name.partition("_")
        stance = np.zeros(len(kinematics.time), dtype=bool)
        for s in kinematics.stances:
            if s.side == side and not s.rejected:
                stance[s.start : s.stop] = True
        ours, other = moment[:, 2] / loads.mass, loads.joints[name].moment_distal[:, 2] / loads.mass
        both = stance & np.isfinite(ours) & np.isfinite(other)
        if both.sum() > 2:
            ours, other = ours[both], other[both]
            peak = float(other[np.argmax(np.abs(other))])
            found.append(
                MomentComparison(
                    joint=name,
                    correlation=float(np.corrcoef(ours, other)[0, 1]),
                    rms_difference=float(np.sqrt(np.mean((ours - other) ** 2))),
                    matrix_form_peak=peak,
                    skeleton_peak=float(np.sign(peak) * np.max(np.sign(peak) * ours)),
                )
            )
    return tuple(found)
