"""What flows from stage to stage: frozen values whose fields declare their units, frame and axes.

A field annotated with `Quantity` is an array that the results room stores with those attributes; a field annotated
with `Axis` names the entries of a dimension. The declarations stand here once, so file, report and loader agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from pipeline.math3d import Wrench

NoteKind = Literal["info", "assumed", "estimated", "filled", "left out", "warning"]


@dataclass(frozen=True)
class Quantity:
    """Annotates a field that holds an array (or scalar): what it is, its units, named dimensions and frame.

    Two dimensions of one array never share a name: xarray refuses such an array.
    """

    long_name: str
    units: str
    dims: tuple[str, ...] = ()
    frame: str = ""


@dataclass(frozen=True)
class Axis:
    """Annotates a field that labels a dimension: a tuple of names, or an array such as time."""

    dim: str
    long_name: str
    units: str = ""


@dataclass(frozen=True)
class Note:
    """Something the reader of a result must know: what was chosen, guessed, filled or left out, and why."""

    kind: NoteKind
    subject: str
    text: str


@dataclass(frozen=True)
class Event:
    """A foot strike or foot off.

    Attributes:
        time: s from the first frame of the file.
        side: "left" or "right".
        kind: "strike" or "off".
        source: where it comes from, such as "plate 2", "file" or "markers".
    """

    time: Annotated[float, Quantity("time from the first frame", "s")]
    side: str
    kind: str
    source: str


@dataclass(frozen=True)
class ForcePlate:
    """One plate: where it lies, and the load that it exerts on the subject, unfiltered, at the analog rate.

    Attributes:
        number: 1-based, as in the file.
        type: C3D force-platform type (1 to 4).
        corners_G: (4, 3) m, in G, in the file's order.
        wrench: load on the subject; its moment refers to one fixed point, the centre of the plate's surface.
    """

    number: int
    type: int
    corners_G: Annotated[np.ndarray, Quantity("plate corners", "m", ("corner", "xyz"), "G")]
    wrench: Annotated[Wrench, Quantity("load on the subject", "N, Nm, m", ("analog_time", "xyz"), "G")]


@dataclass(frozen=True)
class ModelOutput:
    """A quantity computed by the laboratory's software and stored among the points, exactly as stored."""

    units: str
    values: Annotated[np.ndarray, Quantity("model output", "as stored", ("time", "component"))]


@dataclass(frozen=True)
class RawTrial:
    """A recording in SI units and in G, otherwise as the file has it: nothing filtered, nothing filled.

    Attributes:
        name: trial name, the file's stem unless the study names it.
        file_name: base name of the C3D file.
        sha256: hexadecimal digest of the file.
        first_frame: the file's number of the first frame, counted from 1.
        rate, analog_rate: Hz; analog_rate is 0 where there is no analog data.
        time: (T,) s from the first frame.
        analog_time: (Ta,) s from the first frame.
        marker_names: K names, unique; parts before a colon (subject prefixes) are removed.
        markers_G: (T, K, 3) m; NaN where the marker was not seen.
        analog_names, analog_units: of the C analog channels.
        analog: (Ta, C) in the channels' units.
        plates: force plates in the file's order.
        events: as stored in the file, in order of time.
        parameters: numeric subject parameters by name, such as LLegLength, in the file's units (Plug-in Gait: mm,
            degrees, kg); a zero there often means "not given".
        model_outputs: by label.
        R_GL: (3, 3) rotation that maps the laboratory's axes to G.
        notes: choices and findings of the reader.
    """

    name: str
    file_name: str
    sha256: str
    first_frame: int
    rate: float
    analog_rate: float
    marker_names: Annotated[tuple[str, ...], Axis("marker", "marker label")]
    analog_names: Annotated[tuple[str, ...], Axis("channel", "analog channel label")]
    analog_units: tuple[str, ...]
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    analog_time: Annotated[np.ndarray, Axis("analog_time", "time from the first frame", "s")]
    markers_G: Annotated[np.ndarray, Quantity("marker positions", "m", ("time", "marker", "xyz"), "G")]
    analog: Annotated[np.ndarray, Quantity("analog signals", "see analog_units", ("analog_time", "channel"))]
    R_GL: Annotated[np.ndarray, Quantity("rotation from laboratory axes to G", "1", ("row", "column"), "G")]
    plates: tuple[ForcePlate, ...]
    events: tuple[Event, ...]
    parameters: dict[str, float]
    model_outputs: dict[str, ModelOutput]
    notes: tuple[Note, ...]

    def marker(self, name: str) -> np.ndarray:
        """Positions (T, 3) of one marker, m, in G. Raises KeyError if the trial has no such marker."""
        try:
            return self.markers_G[:, self.marker_names.index(name)]
        except ValueError:
            raise KeyError(name) from None


@dataclass(frozen=True)
class SegmentInertia:
    """One rigid segment: its mass properties in its own axes (origin at the proximal joint)."""

    frame: str
    mass: Annotated[float, Quantity("segment mass", "kg")]
    length: Annotated[float, Quantity("segment length that scales its inertia", "m")]
    com_S: Annotated[np.ndarray, Quantity("centre of mass in the segment", "m", ("xyz",), "segment")]
    inertia_S: Annotated[
        np.ndarray, Quantity("inertia about the centre of mass", "kg m^2", ("row", "column"), "segment")
    ]


@dataclass(frozen=True)
class Calibration:
    """The subject as the static trial shows them.

    Attributes:
        subject: identifier of the study's table.
        static: name of the static trial.
        marker_set: name of the marker set.
        hip_method, inertia_table: the choices that made it.
        values: subject values in SI by name (leg_length_left, knee_width_right, mass, ...).
        sources: where each value comes from ("subjects.tsv", "static", "static file", "trial file", "default", ...).
        frame_turns: constant rotations from tracked to anatomical axes, by frame.
        point_offsets: constant positions of points in the frame that carries them, by point.
        segments: by name.
        marker_distances: distances between markers seen in the static trial, by "A-B"; a change in a walk shows a
            swapped or displaced marker.
    """

    subject: str
    static: str
    marker_set: str
    hip_method: str
    inertia_table: str
    values: dict[str, float]
    sources: dict[str, str]
    frame_turns: dict[
        str, Annotated[np.ndarray, Quantity("turn from tracked to anatomical axes", "1", ("row", "column"), "frame")]
    ]
    point_offsets: dict[str, Annotated[np.ndarray, Quantity("point in its frame", "m", ("xyz",), "frame")]]
    segments: dict[str, SegmentInertia]
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


@dataclass(frozen=True)
class PlateLoad:
    """The load of one plate on the subject, filtered like the markers, at the marker rate.

    Attributes:
        number: of the plate, from 1.
        wrench: about the centre of the plate's surface; zero outside contact.
        contact: (T,) whether the unfiltered vertical force was above the threshold.
        cop_G: centre of pressure; missing where the force is too small to have one.
        free_moment: moment about the plate's normal at the centre of pressure.
    """

    number: int
    corners_G: Annotated[np.ndarray, Quantity("plate corners", "m", ("corner", "xyz"), "G")]
    wrench: Annotated[Wrench, Quantity("load on the subject", "N, Nm, m", ("time", "xyz"), "G")]
    contact: Annotated[np.ndarray, Quantity("unfiltered vertical force above threshold", "1", ("time",))]
    cop_G: Annotated[np.ndarray, Quantity("centre of pressure", "m", ("time", "xyz"), "G")]
    free_moment: Annotated[np.ndarray, Quantity("free moment, upward positive", "Nm", ("time",), "G")]


@dataclass(frozen=True)
class Stance:
    """One contact of a foot with a plate.

    Attributes:
        plate: number from 1.
        side: "left", "right", or "" where no foot could be named.
        start, stop: frames, counted from 0 within the trial; stop is the first frame without contact.
        onset, end: s from the first frame, at the resolution of the analog samples.
        distance: median distance of the centre of pressure from that foot's heel-toe line, m (NaN without a foot).
        rejected: why the contact cannot be used; empty for a clean step.
    """

    plate: int
    side: str
    start: int
    stop: int
    onset: Annotated[float, Quantity("begin of contact", "s")]
    end: Annotated[float, Quantity("end of contact", "s")]
    distance: Annotated[float, Quantity("centre of pressure to heel-toe line", "m")]
    rejected: str


@dataclass(frozen=True)
class Cycle:
    """A gait cycle: from a foot's strike to its next strike.

    Attributes:
        side: "left" or "right".
        strike, foot_off, next_strike: s from the first frame.
        opposite_off, opposite_strike: s of the other foot within the cycle; NaN where not seen.
        source: where strike, foot off and next strike come from.
        plate: number of the plate that carries the cycle's stance cleanly, 0 for none: then there is no kinetics.
    """

    side: str
    strike: Annotated[float, Quantity("foot strike", "s")]
    foot_off: Annotated[float, Quantity("foot off", "s")]
    next_strike: Annotated[float, Quantity("next strike of the same foot", "s")]
    opposite_off: Annotated[float, Quantity("foot off of the other foot", "s")]
    opposite_strike: Annotated[float, Quantity("strike of the other foot", "s")]
    source: str
    plate: int


@dataclass(frozen=True)
class Kinematics:
    """A walk after filtering: the body's motion, the loads on it, and the gait's events.

    Attributes:
        recordings: SHA-256 of the C3D files of walk and static trial, by file name.
    """

    name: str
    subject: str
    recordings: dict[str, str]
    rate: float
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    marker_names: Annotated[tuple[str, ...], Axis("marker", "marker label")]
    markers_G: Annotated[np.ndarray, Quantity("filtered markers", "m", ("time", "marker", "xyz"), "G")]
    filled: Annotated[np.ndarray, Quantity("marker was filled over a gap", "1", ("time", "marker"))]
    points: dict[str, Annotated[np.ndarray, Quantity("point of the body", "m", ("time", "xyz"), "G")]]
    segments: dict[str, SegmentMotion]
    joints: dict[str, JointPose]
    angles: dict[
        str,
        Annotated[
            np.ndarray, Quantity("joint angles: flexion, adduction, internal rotation", "rad", ("time", "plane"))
        ],
    ]
    plates: tuple[PlateLoad, ...]
    events: tuple[Event, ...]
    stances: tuple[Stance, ...]
    cycles: tuple[Cycle, ...]
    calibration: Calibration
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class JointLoad:
    """Load at a joint: what the proximal segment exerts on the distal one, at the joint's centre.

    Attributes:
        contributions: parts of ``moment_G`` due to "inertia", "velocity", "gravity" and "ground"; they add up to it.
    """

    force_G: Annotated[np.ndarray, Quantity("joint force", "N", ("time", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "G")]
    moment_distal: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "distal segment")]
    moment_proximal: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "proximal segment")]
    moment_joint: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "joint coordinate system")]
    power: Annotated[np.ndarray, Quantity("joint power, generation positive", "W", ("time",))]
    contributions: dict[str, Annotated[np.ndarray, Quantity("part of the joint moment", "Nm", ("time", "xyz"), "G")]]


@dataclass(frozen=True)
class LegEquations:
    """The block system M a = C + G + A F + E of one leg, rows from the foot upwards; see `pipeline.newton_euler`."""

    row_names: Annotated[tuple[str, ...], Axis("row", "equation")]
    unknown_names: Annotated[tuple[str, ...], Axis("unknown", "unknown")]
    M: Annotated[np.ndarray, Quantity("inertia matrix", "kg, kg m^2", ("row", "column"), "G, segment")]
    a: Annotated[np.ndarray, Quantity("accelerations", "m/s^2, rad/s^2", ("time", "row"), "G, segment")]
    C: Annotated[np.ndarray, Quantity("velocity-dependent terms", "N, Nm", ("time", "row"), "G, segment")]
    G: Annotated[np.ndarray, Quantity("gravity", "N, Nm", ("time", "row"), "G, segment")]
    A: Annotated[np.ndarray, Quantity("coefficients of the unknowns", "1, m", ("time", "row", "unknown"), "G, segment")]
    E: Annotated[np.ndarray, Quantity("load of the ground", "N, Nm", ("time", "row"), "G, segment")]
    F: Annotated[np.ndarray, Quantity("joint forces and moments", "N, Nm", ("time", "unknown"), "G, segment")]


@dataclass(frozen=True)
class InverseDynamics:
    """Joint loads of a walk in matrix form, by joint and by leg; missing where the ground's load is not known."""

    name: str
    subject: str
    mass: Annotated[float, Quantity("body mass", "kg")]
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    ground: dict[str, Annotated[Wrench, Quantity("load of the ground on the foot", "N, Nm, m", ("time", "xyz"), "G")]]
    joints: dict[str, JointLoad]
    equations: dict[str, LegEquations]
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class CycleCurves:
    """One gait cycle on a common scale, in the sagittal, frontal and transverse plane where there are three columns.

    Attributes:
        angles: by joint (``pelvis``, ``hip``, ``knee``, ``ankle``): flexion (pelvis: anterior tilt), adduction (pelvis:
            own side up; ankle: inversion), internal rotation (pelvis: own side forward).
        moments: by joint, internal, per body mass: extensor (ankle: plantarflexor), abductor (ankle: evertor), external
            rotator; missing where the ground's load is not known.
        powers: by joint, per body mass.
        ground: fore-aft (forward positive), vertical, medio-lateral (towards the midline positive) ground reaction on
            this foot, in body weights.
        parameters: spatiotemporal values by name; `PARAMETERS` in `pipeline.comparison` has units and definitions.
    """

    cycle: Cycle
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    angles: dict[str, Annotated[np.ndarray, Quantity("joint angles", "rad", ("percent", "plane"), "joint")]]
    moments: dict[str, Annotated[np.ndarray, Quantity("joint moments", "Nm/kg", ("percent", "plane"), "joint")]]
    powers: dict[str, Annotated[np.ndarray, Quantity("joint power", "W/kg", ("percent",))]]
    ground: Annotated[np.ndarray, Quantity("ground reaction", "body weight", ("percent", "direction"), "G")]
    parameters: dict[str, float]


@dataclass(frozen=True)
class GaitCycles:
    """All gait cycles of a walk."""

    name: str
    subject: str
    moment_axes: str
    cycles: tuple[CycleCurves, ...]
    notes: tuple[Note, ...]


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
        marker_distance: from each marker to its place on the skeleton.
        joints: moments of hips, knees and ankles in the distal axes of `Kinematics`, to compare with the matrix form.
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
class Reproduction:
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
        matrix_form, skeleton: largest magnitude per body mass, with its sign.
    """

    joint: str
    correlation: Annotated[float, Quantity("correlation", "1")]
    rms: Annotated[float, Quantity("root mean square difference", "Nm/kg")]
    matrix_form: Annotated[float, Quantity("peak of the matrix form", "Nm/kg")]
    skeleton: Annotated[float, Quantity("peak of the skeleton", "Nm/kg")]


@dataclass(frozen=True)
class FullBody:
    """A walk on the whole skeleton: fitted, and driven through recursive inverse dynamics.

    Attributes:
        model: the skeleton with the person's sizes and turns.
        sizes: by which the person differs from the stature's average, by segment.
        turns: constant turns of joints that the standing posture shows.
        centre_errors: distance of the joints from the standing joint centres.
        marker_joints: joint whose link carries each marker. marker_points: place in that link's frame.
        standing: coordinates of the standing posture, the reference of what the markers do not show.
        rank: combinations of coordinates that the markers show. unseen: those that they do not, coordinates joined
            by " + ".
        uncertainty: by which a coordinate may be off when each marker is off by 5 mm; infinite where it is not seen.
        at_limit: part of the frames in which a coordinate is at its limit.
        balanced: frames in which the loads of both feet are known, so that the residual has a meaning.
        untouched: the motion that the markers show. consistent: bent within their error towards balance; None where
            not asked for or not possible.
        held_out: frames that the consistent motion was not fitted on. held_out_force: residual of these frames (body
            weight, root mean square along X, Y, Z) when they are left out of the balance: what consistency is worth
            where it was not imposed.
        reproduction: of the untouched motion; None where no window has all loads.
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
    marker_joints: tuple[str, ...]
    marker_points: Annotated[np.ndarray, Quantity("place of markers", "m", ("fitted_marker", "xyz"), "link")]
    standing: Annotated[np.ndarray, Quantity("standing posture", "rad, m", ("joint",))]
    rank: int
    unseen: tuple[str, ...]
    uncertainty: Annotated[np.ndarray, Quantity("uncertainty of coordinates", "rad, m", ("joint",))]
    at_limit: Annotated[np.ndarray, Quantity("part of frames at a limit", "1", ("joint",))]
    balanced: Annotated[np.ndarray, Quantity("loads of both feet known", "1", ("time",))]
    untouched: BodyDynamics
    consistent: BodyDynamics | None
    held_out: Annotated[np.ndarray, Quantity("left out of the held-out fit", "1", ("time",))]
    held_out_force: Annotated[np.ndarray, Quantity("residual force of held-out frames", "body weight", ("xyz",), "G")]
    reproduction: Reproduction | None
    comparison: tuple[MomentComparison, ...]
    notes: tuple[Note, ...]
