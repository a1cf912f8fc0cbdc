"""Clinical angles, moments and forces of one side, computed from a motion of the 55-joint skeleton."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipeline.analysis.clinical import clinical_moments
from pipeline.analysis.whole_body.measures import WEAK_UNCERTAINTY
from pipeline.conventions import GRAVITY, LATERAL_SIGN
from pipeline.math3d import cardan_angles
from pipeline.trial import BodyDynamics, WholeBody

MIN_MARKERS = 3
"""Number of markers on a segment from which its orientation is known."""

Observability = Literal["observed", "weak", "estimated"]

Read = Callable[[WholeBody, BodyDynamics, str], np.ndarray]
"""Values (T,) in reported units, from a motion and a side."""


@dataclass(frozen=True)
class SkeletonReading:
    """How a curve is computed from a motion of the skeleton, and what decides how well markers determine it.

    Attributes:
        row: heading of the row of panels that shows it.
        read: the values.
        coordinates: coordinates of the skeleton on which it depends, with "{side}" for those of both sides.
        segment: segment that must have markers instead, if many coordinates make up the motion.
    """

    row: str
    read: Read
    coordinates: tuple[str, ...] = ()
    segment: str = ""

    def observability(self, body: WholeBody, side: str) -> tuple[Observability, float]:
        """How well the markers determine the curve, and its uncertainty in degrees; NaN if that is unknown."""
        if self.segment:
            enough = body.marker_segments.count(self.segment) >= MIN_MARKERS
            return ("observed" if enough else "estimated"), float("nan")
        off = float(np.degrees(np.max(body.uncertainty[self._rows(body, side)], initial=0.0)))
        return ("estimated" if not np.isfinite(off) else "weak" if off > WEAK_UNCERTAINTY else "observed"), off

    def at_limit(self, body: WholeBody, side: str) -> float:
        """Largest fraction of the frames in which one of its coordinates is at its limit."""
        return float(np.max(body.at_limit[self._rows(body, side)], initial=0.0))

    def _rows(self, body: WholeBody, side: str) -> list[int]:
        return [_column(body, name, side) for name in self.coordinates]


def _column(body: WholeBody, joint: str, side: str) -> int:
    return body.joint_names.index(joint.format(side=side))


def _of_side(sign: float, lateral: bool, side: str) -> float:
    return sign * (LATERAL_SIGN[side] if lateral else 1.0)


def coordinate(row: str, joint: str, sign: float = 1.0, lateral: bool = False) -> SkeletonReading:
    """A coordinate in degrees; with ``lateral``, a rotation to the right is turned into one to the ipsilateral side."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        return _of_side(sign, lateral, side) * np.degrees(motion.q[:, _column(body, joint, side)])

    return SkeletonReading(row, read, (joint,))


def between(row: str, proximal: str, distal: str, column: int) -> SkeletonReading:
    """Flexion, bending to the ipsilateral side, or rotation of that side forward of a segment relative to another one,
    degrees: Cardan angles in the sequence z-x-y."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        R_GP, R_GD = motion.segments[proximal].R_GS, motion.segments[distal].R_GS
        angles = cardan_angles(np.swapaxes(R_GP, 1, 2) @ R_GD, "zxy")[:, column]
        return (-1.0, LATERAL_SIGN[side], LATERAL_SIGN[side])[column] * np.degrees(angles)

    return SkeletonReading(row, read, segment=distal)


def leg_moment(row: str, joint: str, column: int) -> SkeletonReading:
    """A component of a leg joint's moment in the distal segment's axes, as in the matrix form, Nm/kg."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        name = f"{side}_{joint}"
        return clinical_moments(name, motion.joint_moments[name])[:, column] / body.mass

    return SkeletonReading(row, read)


def torque(row: str, joint: str, sign: float = 1.0, lateral: bool = False, segment: str = "") -> SkeletonReading:
    """The generalised force along a coordinate, Nm/kg."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        return _of_side(sign, lateral, side) * motion.tau[:, _column(body, joint, side)] / body.mass

    return SkeletonReading(row, read, (joint,), segment)


def force(row: str, joint: str, segment: str = "") -> SkeletonReading:
    """Magnitude of the internal force of a joint, body weights; missing where the torque is missing."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        at_joint = motion.force_G[:, _column(body, joint, side)]
        return np.linalg.norm(at_joint, axis=1) / (body.mass * GRAVITY)

    return SkeletonReading(row, read, (joint,), segment)
