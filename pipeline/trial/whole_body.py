"""A walk on the whole skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial.declarations import Axis, Note, Quantity


@dataclass(frozen=True)
class SegmentPose:
    """Pose of a segment of the skeleton: x forward, y up, z to the right in standing."""

    R_GS: Annotated[np.ndarray, Quantity("rotation from segment axes to G", "1", ("time", "row", "column"), "G")]
    origin_G: Annotated[np.ndarray, Quantity("proximal joint", "m", ("time", "xyz"), "G")]


@dataclass(frozen=True)
class BodyDynamics:
    """One motion of the whole skeleton, and the loads at its joints; missing where the ground's load is not known.

    Attributes:
        q, qd, qdd: coordinates and their rates; rad, the pelvis' translations m.
        tau: what each joint's actuator exerts along its coordinate; the first six are the residual at the pelvis.
        power: of each joint.
        force_G, moment_G: internal load at each joint's own origin, of its parent on its link.
        residual_force: of body weight, along X, Y, Z of G.
        residual_moment: of body weight times height, about the axes of pelvis rotation, list and tilt.
        marker_distance: from each marker to its place on the skeleton; missing where it was not seen, or was left out
            of the fit, which a note says.
        joints: moments of hips, knees and ankles in the distal axes of `Kinematics`, to compare with the matrix form.
        com_G: of the whole body.
        segments: by name.
    """

    q: Annotated[np.ndarray, Quantity("joint coordinates", "rad, m", ("time", "joint"))]
    qd: Annotated[np.ndarray, Quantity("joint velocities", "rad/s, m/s", ("time", "joint"))]
    qdd: Annotated[np.ndarray, Quantity("joint accelerations", "rad/s^2, m/s^2", ("time", "joint"))]
    tau: Annotated[np.ndarray, Quantity("joint torques", "Nm, N", ("time", "joint"))]
    power: Annotated[np.ndarray, Quantity("joint power", "W", ("time", "joint"))]
    force_G: Annotated[np.ndarray, Quantity("internal force", "N", ("time", "joint", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("internal moment", "Nm", ("time", "joint", "xyz"), "G")]
    residual_force: Annotated[np.ndarray, Quantity("residual force", "body weight", ("time", "xyz"), "G")]
    residual_moment: Annotated[np.ndarray, Quantity("residual moment", "body weight * height", ("time", "axis"))]
    marker_distance: Annotated[np.ndarray, Quantity("distance of markers", "m", ("time", "fitted_marker"))]
    joints: dict[str, Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "distal segment")]]
    com_G: Annotated[np.ndarray, Quantity("centre of mass", "m", ("time", "xyz"), "G")]
    segments: dict[str, SegmentPose]


@dataclass(frozen=True)
class BodyModel:
    """A person's skeleton as its constructor takes it; `pipeline.skeleton.Skeleton` explains the numbers."""

    parent: Annotated[np.ndarray, Quantity("index of the parent joint, -1 for the root", "1", ("joint",))]
    kind: tuple[str, ...]
    theta: Annotated[np.ndarray, Quantity("Denavit-Hartenberg theta", "rad", ("joint",))]
    d: Annotated[np.ndarray, Quantity("Denavit-Hartenberg d", "m", ("joint",))]
    a: Annotated[np.ndarray, Quantity("Denavit-Hartenberg a", "m", ("joint",))]
    alpha: Annotated[np.ndarray, Quantity("Denavit-Hartenberg alpha", "rad", ("joint",))]
    origin: Annotated[
        np.ndarray,
        Quantity(
            "joint's own frame in the parent's link", "1, m", ("joint", "homogeneous_row", "homogeneous_column"), "link"
        ),
    ]
    mass: Annotated[np.ndarray, Quantity("mass of the link", "kg", ("joint",))]
    com: Annotated[np.ndarray, Quantity("centre of mass", "m", ("joint", "xyz"), "link")]
    inertia: Annotated[
        np.ndarray, Quantity("inertia about the centre of mass", "kg m^2", ("joint", "row", "column"), "link")
    ]
    q_lower: Annotated[np.ndarray, Quantity("lower limit", "rad, m", ("joint",))]
    q_upper: Annotated[np.ndarray, Quantity("upper limit", "rad, m", ("joint",))]
    tau_limit: Annotated[np.ndarray, Quantity("largest torque", "Nm, N", ("joint",))]
    frozen: Annotated[np.ndarray, Quantity("held in the active model", "1", ("joint",))]


@dataclass(frozen=True)
class ForwardCheck:
    """A short window of the motion, and what forward dynamics makes of its first frame under the computed torques.

    Nothing brings the simulated body back to its motion; it is missing once a coordinate is off by 0.1 rad.
    Joints that the active model holds are held at their mean, and missing.
    """

    window: Annotated[np.ndarray, Axis("window", "time from the first frame", "s")]
    measured: Annotated[np.ndarray, Quantity("coordinates as fitted", "rad, m", ("window", "joint"))]
    simulated: Annotated[np.ndarray, Quantity("coordinates as simulated", "rad, m", ("window", "joint"))]


@dataclass(frozen=True)
class MomentComparison:
    """Sagittal moment of a joint over a clean stance, matrix form against the skeleton; the difference is theirs.

    Attributes:
        correlation, rms: of both curves; rms of their difference per body mass.
        matrix_form: largest magnitude per body mass, with its sign. skeleton: the largest value in that direction.
    """

    joint: str
    correlation: Annotated[float, Quantity("correlation", "1")]
    rms: Annotated[float, Quantity("root mean square difference", "Nm/kg")]
    matrix_form: Annotated[float, Quantity("peak of the matrix form", "Nm/kg")]
    skeleton: Annotated[float, Quantity("peak of the skeleton", "Nm/kg")]


@dataclass(frozen=True)
class WholeBody:
    """A walk on the whole skeleton: fitted, and driven through recursive inverse dynamics.

    Attributes:
        model: the skeleton with the person's sizes and turns.
        sizes: by which the person differs from the stature's average, by segment.
        turns: constant turns of joints that the standing posture shows.
        centre_errors: distance of the joints from the standing joint centres.
        marker_segments: segment that carries each marker. marker_joints: joint of its link. marker_points: place in
            the link's frame.
        followed: part of the body's mass on segments that carry a marker, or from which one hangs; the balance of a
            body of which much is held still shows nothing.
        standing: coordinates of the standing posture, the reference of what the markers do not show.
        rank: combinations of coordinates that the markers show. unseen: those that they do not, coordinates joined
            by " + ".
        uncertainty: by which a coordinate may be off when each marker is off by 5 mm; infinite where it is not seen.
        at_limit: part of the frames in which a coordinate is at its limit.
        ground: by side, load on the foot at its centre of pressure, with which the skeleton was driven: as smooth as
            the motion, so it reaches beyond the contact. The force is missing where it is not known, the rest where
            the force is too small to have a centre of pressure.
        balanced: frames in which the loads of both feet are known, so that the residual has a meaning.
        untouched: the motion that the markers show. consistent: bent within their error towards balance, with masses
            that serve it; None where not asked for or not possible.
        trunk_shift: by which the trunk's centre of mass lies farther forward and to the right in the consistent one.
        mass_factors: of the masses of its groups of segments.
        held_out: the later half of the balanced frames. held_out_force, held_out_moment: their residual (root mean
            square along X, Y, Z and about vertical, forward, rightward axis) with masses found on the other half, the
            motion untouched: a motion that is bent in other frames tells nothing of these.
        forward_check: of the untouched motion; None where no window has all loads.
    """

    name: str
    subject: str
    mass: Annotated[float, Quantity("body mass", "kg")]
    height: Annotated[float, Quantity("stature", "m")]
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    joint_names: Annotated[tuple[str, ...], Axis("joint", "joint of the skeleton")]
    fitted_markers: Annotated[tuple[str, ...], Axis("fitted_marker", "marker on the skeleton")]
    model: BodyModel
    sizes: Annotated[dict[str, float], Quantity("size by that of the stature", "1")]
    turns: Annotated[dict[str, float], Quantity("constant turn", "rad")]
    centre_errors: Annotated[dict[str, float], Quantity("distance from the joint centre", "m")]
    marker_segments: tuple[str, ...]
    marker_joints: tuple[str, ...]
    marker_points: Annotated[np.ndarray, Quantity("place of markers", "m", ("fitted_marker", "xyz"), "link")]
    standing: Annotated[np.ndarray, Quantity("standing posture", "rad, m", ("joint",))]
    followed: Annotated[float, Quantity("part of the mass that markers follow", "1")]
    rank: int
    unseen: tuple[str, ...]
    uncertainty: Annotated[np.ndarray, Quantity("uncertainty of coordinates", "rad, m", ("joint",))]
    at_limit: Annotated[np.ndarray, Quantity("part of frames at a limit", "1", ("joint",))]
    ground: dict[str, Annotated[Wrench, Quantity("load of the ground on the foot", "N, Nm, m", ("time", "xyz"), "G")]]
    balanced: Annotated[np.ndarray, Quantity("loads of both feet known", "1", ("time",))]
    kinematic: BodyDynamics
    residual_reduced: BodyDynamics | None
    trunk_shift: Annotated[np.ndarray, Quantity("shift of the trunk's centre of mass", "m", ("forward_right",))]
    mass_factors: Annotated[dict[str, float], Quantity("mass by that of the table", "1")]
    held_out: Annotated[np.ndarray, Quantity("left out of the held-out fit", "1", ("time",))]
    held_out_force: Annotated[np.ndarray, Quantity("residual force of held-out frames", "body weight", ("xyz",), "G")]
    held_out_moment: Annotated[
        np.ndarray, Quantity("residual moment of held-out frames", "body weight * height", ("axis",))
    ]
    forward_check: ForwardCheck | None
    comparison: tuple[MomentComparison, ...]
    notes: tuple[Note, ...]
