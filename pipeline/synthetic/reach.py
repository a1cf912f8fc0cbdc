"""Inverse kinematics of a leg: its six joint coordinates for given poses of pelvis and foot, by Newton's method."""

from __future__ import annotations

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.skeleton import Skeleton, point_jacobians, point_motion

LEG = ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_flexion", "ankle_inversion")

_MAX_ITERATIONS = 60
_TOLERANCE = 1e-12
"""m; tolerance of the positions of the ankle and of two points a metre away from it."""


def reach(skeleton: Skeleton, side: str, q: np.ndarray, R_GF: np.ndarray, ankle_G: np.ndarray) -> np.ndarray:
    """The coordinates with those of the leg changed so that the foot has the given pose.

    Args:
        skeleton: the 55-joint human.
        side: "left" or "right".
        q: (T, n) coordinates from which Newton's method starts; the knee must be somewhat bent.
        R_GF: (T, 3, 3) orientation of the foot.
        ankle_G: (T, 3) m, ankle centre.

    Raises:
        DynamicsError: the leg is too short.
    """
    q, joints = q.copy(), [skeleton.index(f"{side}_{name}") for name in LEG]
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    target = ankle_G[:, None] + np.einsum("tij,mj->tmi", R_GF, points)
    feet = [f"{side}_foot"] * len(points)
    for _ in range(_MAX_ITERATIONS):
        error = target - point_motion(skeleton, feet, points, q).position_G
        off = np.abs(error).max(axis=(1, 2))
        if off.max() < _TOLERANCE:
            return q
        J = point_jacobians(skeleton, feet, points, q).dr_dq[..., joints].reshape(len(q), -1, len(joints))
        step = np.einsum("tij,tj->ti", np.linalg.pinv(J), error.reshape(len(q), -1))
        q[:, joints] += step / np.maximum(1.0, np.abs(step).max(axis=1, keepdims=True) / 0.3)
    frame = int(np.argmax(off))
    raise DynamicsError(
        f"the foot stays {1000 * off[frame]:.1f} mm from its target",
        where=f"{side} leg, frame {frame} of {len(q)}",
        remedy="Lower the pelvis or bring the feet closer",
    )
