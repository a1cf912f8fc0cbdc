"""Recursive inverse dynamics (RNEA) of a skeleton's motion: joint loads, powers and pelvis residuals."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import GRAVITY, SIDES
from pipeline.dynamics import rnea
from pipeline.inverse_kinematics import MarkerFit, SplineFit
from pipeline.signals import blocks
from pipeline.skeleton import Skeleton, link_poses
from pipeline.trial import BodyDynamics, MotionAndPlates, SegmentPose
from pipeline.whole_body.ground import GroundReactions


def body_dynamics(
    skeleton: Skeleton, motion: SplineFit, ground: GroundReactions, fit: MarkerFit, kinematics: MotionAndPlates
) -> BodyDynamics:
    """Joint loads of a motion; NaN if the ground reaction on a foot distal to the joint is unknown.

    Args:
        skeleton: with its mass distribution.
        motion: fitted to the markers of ``fit``.
        ground: loads of both feet.
        fit: the walk's markers.
        kinematics: of the same walk, with the axes of hips, knees and ankles, and the stature.
    """
    loads = rnea(skeleton, motion.q, motion.qd, motion.qdd, wrenches=ground.wrenches)
    missing = np.tile(~fit.valid[:, None], (1, len(skeleton)))
    for side in SIDES:
        proximal = skeleton.is_ancestor[:, skeleton.segment(f"{side}_foot").joint]
        missing |= ~ground.known[side][:, None] & proximal
    for part in (loads.tau, loads.force_G, loads.moment_G):
        part[missing] = np.nan
    joint_moments = {
        name: np.einsum("tji,tj->ti", pose.R_GD, loads.moment_G[:, skeleton.index(f"{name}_flexion")])
        for name, pose in kinematics.joints.items()
        if f"{name}_flexion" in skeleton.joint_names  # a marker set may have other joints
    }
    com_G, segments = _poses(skeleton, motion.q, fit.valid)
    residual_force, residual_moment = pelvis_residuals(skeleton, loads.tau, kinematics.calibration.values["height"])
    count = len(fit.marker_names)
    return BodyDynamics(
        q=_where_valid(motion.q, fit.valid),
        qd=_where_valid(motion.qd, fit.valid),
        qdd=_where_valid(motion.qdd, fit.valid),
        tau=loads.tau,
        force_G=loads.force_G,
        moment_G=loads.moment_G,
        residual_force=residual_force,
        residual_moment=residual_moment,
        marker_error=np.where(fit.frame_fit.left_out[:, :count], np.nan, motion.distance[:, :count]),
        joint_moments=joint_moments,
        com_G=com_G,
        segments=segments,
    )


def pelvis_residuals(skeleton: Skeleton, tau: np.ndarray, height: float) -> tuple[np.ndarray, np.ndarray]:
    """Residual force (T, 3) over body weight, and moment (T, 3) over body weight times height (m), from tau (T, n)."""
    weight = float(skeleton.mass.sum()) * GRAVITY
    return tau[:, :3] / weight, tau[:, 3:6] / (weight * height)


def _where_valid(values: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Values (T, n), NaN in invalid frames; the same array if all are valid."""
    return values if valid.all() else np.where(valid[:, None], values, np.nan)


def _poses(skeleton: Skeleton, q: np.ndarray, valid: np.ndarray) -> tuple[np.ndarray, dict[str, SegmentPose]]:
    """The body's centre of mass (T, 3) and the poses of its segments; NaN in invalid frames."""
    com_G = np.full((len(q), 3), np.nan)
    segments = {
        name: SegmentPose(np.full((len(q), 3, 3), np.nan), np.full((len(q), 3), np.nan)) for name in skeleton.segments
    }
    for frames in blocks(len(q)):
        rows = np.flatnonzero(valid[frames]) + frames.start
        R, r = link_poses(skeleton, q[rows])
        com_G[rows] = skeleton.mass @ (r + np.einsum("tnij,nj->tni", R, skeleton.com)) / skeleton.mass.sum()
        for name, segment in skeleton.segments.items():
            R_GL = R[:, segment.joint]
            segments[name].R_GS[rows] = R_GL @ segment.pose[:3, :3]
            segments[name].origin_G[rows] = r[:, segment.joint] + R_GL @ segment.pose[:3, 3]
    return com_G, segments
