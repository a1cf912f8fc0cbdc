"""Pose, velocities and accelerations of a frame fixed in a segment of the skeleton, from its coordinates and rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import angular_motion
from pipeline.skeleton import Skeleton, point_motion
from pipeline.trial import Quantity


@dataclass(frozen=True)
class SegmentMotion:
    """Pose of a segment S over time and its first two derivatives.

    Attributes:
        R_GS: (T, 3, 3), columns are the segment's axes x forward, y proximal, z to the right.
        origin_G: (T, 3) m, the segment's proximal joint centre (pelvis: midpoint of the ASIS markers).
        velocity_G, acceleration_G: (T, 3) of the origin, m/s and m/s^2.
        omega_G, alpha_G: (T, 3) angular velocity and acceleration, rad/s and rad/s^2.
    """

    R_GS: Annotated[np.ndarray, Quantity("segment orientation", "1", ("time", "row", "column"), "G")]
    origin_G: Annotated[np.ndarray, Quantity("segment origin", "m", ("time", "xyz"), "G")]
    velocity_G: Annotated[np.ndarray, Quantity("velocity of the origin", "m/s", ("time", "xyz"), "G")]
    acceleration_G: Annotated[np.ndarray, Quantity("acceleration of the origin", "m/s^2", ("time", "xyz"), "G")]
    omega_G: Annotated[np.ndarray, Quantity("angular velocity", "rad/s", ("time", "xyz"), "G")]
    alpha_G: Annotated[np.ndarray, Quantity("angular acceleration", "rad/s^2", ("time", "xyz"), "G")]

    @classmethod
    def of_skeleton(
        cls,
        skeleton: Skeleton,
        segment: str,
        q: np.ndarray,
        qd: np.ndarray,
        qdd: np.ndarray,
        *,
        R_SA: np.ndarray | None = None,
        origin_S: np.ndarray | None = None,
    ) -> SegmentMotion:
        """A frame A fixed to a skeleton's segment S, from the motion of its origin and of three points fixed in it.

        Args:
            skeleton, segment: tree of n joints, and the name of the segment.
            q, qd, qdd: (T, n) coordinates, rates and accelerations.
            R_SA: (3, 3) axes of A in those of the segment; equal to these if omitted.
            origin_S: (3,) m, origin of A in the segment's axes; the segment's origin if omitted.
        """
        axes = np.eye(3) if R_SA is None else R_SA
        at = np.zeros(3) if origin_S is None else origin_S
        points = np.vstack([at, at + axes.T])  # the origin, and the ends of the three axes
        motion = point_motion(skeleton, [segment] * 4, points, q, qd, qdd)
        r, v, a = motion.position_G, motion.velocity_G, motion.acceleration_G
        R, R_dot, R_ddot = (np.swapaxes(part[:, 1:] - part[:, :1], 1, 2) for part in (r, v, a))
        omega, alpha = angular_motion(R, R_dot, R_ddot)
        return cls(R, r[:, 0], v[:, 0], a[:, 0], omega, alpha)
