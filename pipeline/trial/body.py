"""The calibrated subject, and the motion of its segments and joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Axis, Note, Quantity

_Turn = Annotated[np.ndarray, Quantity("rotation from tracked to anatomical axes", "1", ("row", "column"), "frame")]


@dataclass(frozen=True)
class SegmentInertia:
    """One rigid segment: mass properties in its own axes (origin at the proximal joint)."""

    frame: str
    mass: Annotated[float, Quantity("segment mass", "kg")]
    length: Annotated[float, Quantity("segment length that scales its inertia", "m")]
    com_S: Annotated[np.ndarray, Quantity("centre of mass in the segment", "m", ("xyz",), "segment")]
    inertia_S: Annotated[
        np.ndarray, Quantity("inertia about the centre of mass", "kg m^2", ("row", "column"), "segment")
    ]


@dataclass(frozen=True)
class Calibration:
    """The subject's body as calibrated by the static trial.

    Attributes:
        subject: identifier in the study's table of subjects.
        static: name of the static trial.
        marker_set: name of the marker set.
        hip_method, inertia_table: method of the hip centres and table of segment inertias used.
        values, units: subject values in SI by name (leg_length_left, knee_width_right, mass, ...); "kg", "m" or "rad".
        sources: where each value comes from ("subjects.tsv", "static", "static file", "trial file", "default", ...).
        frame_turns: constant rotations from tracked to anatomical axes, by frame.
        point_offsets: constant positions of points, and of cluster markers, in the frame to which they are fixed.
        segments: by name.
        centre_rules: rule for each joint centre ("hip_regression", "chord", "mean"), by point.
    """

    subject: str
    static: str
    marker_set: str
    hip_method: str
    inertia_table: str
    values: dict[str, float]
    units: dict[str, str]
    sources: dict[str, str]
    frame_turns: Annotated[dict[str, _Turn], Axis("turned_frame", "frame")]
    point_offsets: Annotated[
        dict[str, Annotated[np.ndarray, Quantity("point in its frame", "m", ("xyz",), "frame")]],
        Axis("fixed_point", "point or marker that a frame carries"),
    ]
    segments: Annotated[dict[str, SegmentInertia], Axis("rigid_segment", "segment")]
    centre_rules: dict[str, str]
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class SegmentMotion:
    """Pose and motion of one segment."""

    R_GS: Annotated[np.ndarray, Quantity("rotation from segment axes to G", "1", ("time", "row", "column"), "G")]
    com_G: Annotated[np.ndarray, Quantity("centre of mass", "m", ("time", "xyz"), "G")]
    com_velocity_G: Annotated[np.ndarray, Quantity("velocity of the centre of mass", "m/s", ("time", "xyz"), "G")]
    com_acceleration_G: Annotated[
        np.ndarray, Quantity("acceleration of the centre of mass", "m/s^2", ("time", "xyz"), "G")
    ]
    omega_G: Annotated[np.ndarray, Quantity("angular velocity", "rad/s", ("time", "xyz"), "G")]
    alpha_G: Annotated[np.ndarray, Quantity("angular acceleration", "rad/s^2", ("time", "xyz"), "G")]


@dataclass(frozen=True)
class JointPose:
    """A joint's centre, and the orientations and relative motion of the frames that its angles and loads refer to."""

    centre_G: Annotated[np.ndarray, Quantity("joint centre", "m", ("time", "xyz"), "G")]
    R_GP: Annotated[np.ndarray, Quantity("proximal axes", "1", ("time", "row", "column"), "G")]
    R_GD: Annotated[np.ndarray, Quantity("distal axes", "1", ("time", "row", "column"), "G")]
    omega_G: Annotated[np.ndarray, Quantity("angular velocity of distal in proximal", "rad/s", ("time", "xyz"), "G")]
