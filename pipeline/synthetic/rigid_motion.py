"""Motion of a rigid segment, and the markers that ride on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import angular_motion
from pipeline.synthetic.curves import FourierSeries
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
    def from_series(cls, rotation: FourierSeries, origin: FourierSeries, time: np.ndarray) -> SegmentMotion:
        """Evaluate the series of R_GS (3, 3) and of the origin (3,) at ``time`` (T,) with exact derivatives."""
        R, R_dot, R_ddot = (rotation(time, order) for order in range(3))
        omega, alpha = angular_motion(R, R_dot, R_ddot)
        return cls(R, origin(time), origin(time, 1), origin(time, 2), omega, alpha)

    @classmethod
    def at_rest(cls, R_GS: np.ndarray, origin_G: np.ndarray, n_frames: int) -> SegmentMotion:
        """A segment that keeps one pose, R_GS (3, 3) and origin (3,), for ``n_frames``."""
        zero = np.zeros((n_frames, 3))
        return cls(np.tile(R_GS, (n_frames, 1, 1)), np.tile(origin_G, (n_frames, 1)), zero, zero, zero, zero)

    def point(self, r_S: np.ndarray) -> np.ndarray:
        """Path (T, 3), m, in G, of the point (3,) of the segment with coordinates ``r_S`` from its origin."""
        return self.origin_G + self.R_GS @ np.asarray(r_S, dtype=float)


def marker_paths(
    segments: Mapping[str, SegmentMotion], attachments: Mapping[str, tuple[str, np.ndarray]]
) -> dict[str, np.ndarray]:
    """Paths (T, 3), m, in G, of markers given as name -> (segment, position (3,) m in the segment's axes)."""
    return {name: segments[segment].point(r_S) for name, (segment, r_S) in attachments.items()}
