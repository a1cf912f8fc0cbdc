"""Poses and accelerations of a skeleton's segments in motion, as input of the matrix-form inverse dynamics."""

from __future__ import annotations

import numpy as np

from pipeline.math3d import angular_motion
from pipeline.newton_euler import SegmentState
from pipeline.skeleton import Skeleton, point_motion, segment_pose


def segment_state(skeleton: Skeleton, name: str, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> SegmentState:
    """Motion of a tree's segment over T frames, from points fixed to it; its origin is its upper joint."""
    segment = skeleton.segment(name)
    R_LS, origin = segment.pose[:3, :3], segment.pose[:3, 3]
    com = R_LS.T @ (skeleton.com[segment.joint] - origin)
    at_com = point_motion(skeleton, name, com, q, qd, qdd)
    at_origin = point_motion(skeleton, name, np.zeros(3), q, qd, qdd)
    axes = [point_motion(skeleton, name, axis, q, qd, qdd) for axis in np.eye(3)]
    R_GS, _ = segment_pose(skeleton, name, q)
    R_dot = np.stack([point.velocity_G - at_origin.velocity_G for point in axes], axis=-1)
    R_ddot = np.stack([point.acceleration_G - at_origin.acceleration_G for point in axes], axis=-1)
    omega_G, alpha_G = angular_motion(R_GS, R_dot, R_ddot)
    return SegmentState(
        mass=float(skeleton.mass[segment.joint]),
        inertia_S=R_LS.T @ skeleton.inertia[segment.joint] @ R_LS,
        R_GS=R_GS,
        com_G=at_com.position_G,
        com_acceleration_G=at_com.acceleration_G,
        omega_G=omega_G,
        alpha_G=alpha_G,
        proximal_G=at_origin.position_G,
    )
