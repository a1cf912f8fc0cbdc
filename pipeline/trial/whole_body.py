"""A walk on the 55-joint skeleton: joint coordinates, joint loads, pelvis residuals and the forward check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial.declarations import Axis, ByLegJoint, BySegment, BySide, Note, Quantity


@dataclass(frozen=True)
class SegmentPose:
    """Pose of a segment of the skeleton; its axes point forward, up and to the right in the neutral pose (q = 0)."""

    R_GS: Annotated[np.ndarray, Quantity("rotation from segment axes to G", "1", ("time", "row", "column"), "G")]
    origin_G: Annotated[np.ndarray, Quantity("proximal joint", "m", ("time", "xyz"), "G")]


@dataclass(frozen=True)
class BodyDynamics:
    """A motion of the skeleton and its inverse dynamics (RNEA); loads are NaN where a ground reaction is not known.

    Attributes:
        q, qd, qdd: joint coordinates and their time derivatives; rad, the pelvis translations m.
        tau: generalised force of each joint's actuator; the first six are the pelvis residuals.
        force_G, moment_G: internal load that the parent link exerts on the joint's link, at the joint's origin.
        residual_force: pelvis residual force over body weight, along X, Y, Z of G.
        residual_moment: pelvis residual moment over body weight times height, about the axes of pelvis rotation,
            obliquity and tilt.
        marker_error: distance from each measured marker to its model marker; NaN where the marker is missing or left
            out of the fit (a note gives the frames).
        joint_moments: moments of hips, knees and ankles in the distal axes of `Kinematics`, to compare with the matrix
            form.
        com_G: centre of mass of the whole body.
        segments: segment poses by name.
    """

    q: Annotated[np.ndarray, Quantity("joint coordinates", "rad, m", ("time", "joint"))]
    qd: Annotated[np.ndarray, Quantity("joint velocities", "rad/s, m/s", ("time", "joint"))]
    qdd: Annotated[np.ndarray, Quantity("joint accelerations", "rad/s^2, m/s^2", ("time", "joint"))]
    tau: Annotated[np.ndarray, Quantity("joint torques", "Nm, N", ("time", "joint"))]
    force_G: Annotated[np.ndarray, Quantity("internal force", "N", ("time", "joint", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("internal moment", "Nm", ("time", "joint", "xyz"), "G")]
    residual_force: Annotated[np.ndarray, Quantity("residual force", "body weight", ("time", "xyz"), "G")]
    residual_moment: Annotated[np.ndarray, Quantity("residual moment", "body weight * height", ("time", "axis"))]
    marker_error: Annotated[np.ndarray, Quantity("marker error", "m", ("time", "fitted_marker"))]
    joint_moments: ByLegJoint[Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "distal segment")]]
    com_G: Annotated[np.ndarray, Quantity("centre of mass", "m", ("time", "xyz"), "G")]
    segments: BySegment[SegmentPose]

    @property
    def power(self) -> np.ndarray:
        """Power (T, n) of the joints' actuators, tau times qd, W."""
        return self.tau * self.qd


@dataclass(frozen=True)
class LinkSegment:
    """The segment attached to a joint's link: the joint's index, and the pose of the segment's frame in the link's."""

    joint: int
    pose: Annotated[
        np.ndarray, Quantity("segment's frame in the link", "1, m", ("homogeneous_row", "homogeneous_column"), "link")
    ]


@dataclass(frozen=True)
class BodyModel:
    """Parameters of a subject's skeleton, the arguments of `pipeline.skeleton.Skeleton`, which documents them."""

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
    tau_limit: Annotated[np.ndarray, Quantity("torque limit", "Nm, N", ("joint",))]
    frozen: Annotated[np.ndarray, Quantity("locked in the active model", "1", ("joint",))]
    segments: BySegment[LinkSegment]


@dataclass(frozen=True)
class ForwardCheck:
    """Forward simulation of the free body (forward check) over a window in which the loads of both feet are known.

    The joints follow the kinematic motion, gravity and the plates move the body, and no force acts on the pelvis. The
    simulation starts from the state of the first frame and has no feedback.
    """

    pelvis_names: Annotated[tuple[str, ...], Axis("pelvis_coordinate", "coordinate of the pelvis")]
    window: Annotated[np.ndarray, Axis("window", "time from the first frame", "s")]
    fitted: Annotated[np.ndarray, Quantity("fitted coordinates", "rad, m", ("window", "pelvis_coordinate"))]
    simulated: Annotated[np.ndarray, Quantity("simulated coordinates", "rad, m", ("window", "pelvis_coordinate"))]

    @property
    def deviation(self) -> np.ndarray:
        """(W, 6) deviation of the simulated pelvis: three translations, m, and three rotations, rad."""
        return self.simulated - self.fitted


@dataclass(frozen=True)
class MomentComparison:
    """A joint's sagittal moment over its clean stances: the matrix form compared with the skeleton.

    Attributes:
        correlation: Pearson's, of the two curves.
        rms_difference: root mean square difference over body mass.
        matrix_form_peak: value of the largest magnitude over body mass, signed.
        skeleton_peak: maximum in the direction of that peak, over body mass.
    """

    joint: str
    correlation: Annotated[float, Quantity("correlation", "1")]
    rms_difference: Annotated[float, Quantity("root mean square difference", "Nm/kg")]
    matrix_form_peak: Annotated[float, Quantity("peak of the matrix form", "Nm/kg")]
    skeleton_peak: Annotated[float, Quantity("peak of the skeleton", "Nm/kg")]


@dataclass(frozen=True)
class WholeBody:
    """A walk on the 55-joint skeleton: inverse kinematics, inverse dynamics, residual reduction and forward check.

    Attributes:
        model: the skeleton with the subject's scale factors and joint offsets.
        scale_factors: segment dimensions over those of an average subject of the same height.
        joint_offsets: constant angles added at joints, from the static pose.
        joint_centre_errors: distance of the skeleton's joints from the joint centres of the static trial.
        marker_segments, marker_joints: segment to which each model marker is attached, and the joint of its link.
        model_marker_positions: of the model markers, in the frame of that link.
        static_pose: coordinates of the static trial; the reference of coordinates that the markers do not determine.
        mass_tracked: fraction of body mass on links that have a marker on them or on a descendant; if it is small,
            pelvis residuals carry no information.
        rank: number of observable combinations of coordinates. unobservable: the other combinations, coordinates
            joined by " + ".
        uncertainty: standard deviation of each coordinate for independent marker errors of 5 mm; infinite where
            unobservable.
        at_limit: fraction of frames in which a coordinate is at its limit.
        ground: ground reaction on each side's foot at its centre of pressure, filtered like the motion, so that it
            extends beyond the contact. Its force is NaN where unknown, its moment and point where the force is too
            small to have a centre of pressure. ground_moments: its moment about G's origin, which is known with it.
        loads_known: frames in which the ground reactions of both feet are known and the pelvis residuals defined.
        kinematic: the motion that fits the markers. residual_reduced: the motion adjusted, within marker error, to
            reduce the residual force, with the fitted masses; None where switched off or impossible.
        trunk_com_shift: shift of the trunk's centre of mass in the residual-reduced model, forward and to the right.
        mass_factors: mass relative to the tables, by group of segments.
        held_out: the later half of the frames of `loads_known`. held_out_residual_force, held_out_residual_moment:
            root mean square pelvis residuals of the kinematic motion in these frames, with masses fitted to the other
            half (along X, Y, Z; about the vertical, forward and rightward axis).
        forward_check: of the kinematic motion; None if no window has all loads.
        moment_comparisons: moments of the kinematic motion against the matrix form.
    """

    name: str
    subject: str
    mass: Annotated[float, Quantity("body mass", "kg")]
    height: Annotated[float, Quantity("stature", "m")]
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    joint_names: Annotated[tuple[str, ...], Axis("joint", "joint of the skeleton")]
    fitted_markers: Annotated[tuple[str, ...], Axis("fitted_marker", "marker on the skeleton")]
    model: BodyModel
    scale_factors: Annotated[dict[str, float], Quantity("scale factor relative to an average subject", "1")]
    joint_offsets: Annotated[dict[str, float], Quantity("constant joint offset", "rad")]
    joint_centre_errors: Annotated[dict[str, float], Quantity("distance from the static trial's joint centre", "m")]
    marker_segments: tuple[str, ...]
    marker_joints: tuple[str, ...]
    model_marker_positions: Annotated[
        np.ndarray, Quantity("position of model markers", "m", ("fitted_marker", "xyz"), "link")
    ]
    static_pose: Annotated[np.ndarray, Quantity("coordinates of the static pose", "rad, m", ("joint",))]
    mass_tracked: Annotated[float, Quantity("fraction of body mass tracked by markers", "1")]
    rank: int
    unobservable: tuple[str, ...]
    uncertainty: Annotated[np.ndarray, Quantity("uncertainty of coordinates", "rad, m", ("joint",))]
    at_limit: Annotated[np.ndarray, Quantity("fraction of frames at a limit", "1", ("joint",))]
    ground: BySide[Annotated[Wrench, Quantity("ground reaction", "N, Nm, m", ("time", "xyz"), "G")]]
    ground_moments: BySide[
        Annotated[np.ndarray, Quantity("moment of the ground reaction about the origin", "Nm", ("time", "xyz"), "G")]
    ]
    loads_known: Annotated[np.ndarray, Quantity("ground reactions of both feet known", "1", ("time",))]
    kinematic: BodyDynamics
    residual_reduced: BodyDynamics | None
    trunk_com_shift: Annotated[np.ndarray, Quantity("shift of the trunk's centre of mass", "m", ("forward_right",))]
    mass_factors: Annotated[dict[str, float], Quantity("mass relative to the table", "1")]
    held_out: Annotated[np.ndarray, Quantity("held out of the mass fit", "1", ("time",))]
    held_out_residual_force: Annotated[
        np.ndarray, Quantity("residual force of held-out frames", "body weight", ("xyz",), "G")
    ]
    held_out_residual_moment: Annotated[
        np.ndarray, Quantity("residual moment of held-out frames", "body weight * height", ("axis",))
    ]
    forward_check: ForwardCheck | None
    moment_comparisons: tuple[MomentComparison, ...]
    notes: tuple[Note, ...]
