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
            own side up; ankle: inversion), internal rotation (pelvis: own side forward); and ``foot``, in G: toes up,
            missing, toes in.
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
class GaitSummary:
    """The averages of a walk's cycles by side, in the units in which laboratories report them, beside a norm.

    Attributes:
        variable_units: of the variables; ``pipeline.comparison.variables`` says what each is.
        count: cycles averaged: those that have the variable throughout, or else those that have any value of it; the
            standard deviation is missing for fewer than two.
        parameter_units: of the spatiotemporal parameters.
        symmetry: left minus right over their mean; zero is symmetric.
        walking_speed, cadence: means over all cycles of both sides.
        leg_length: mean of both sides; missing where it is not known.
        speed: walking speed over sqrt(g times leg length).
        contributions: to the sagittal moment of a joint over each side's first clean stance, by the variable's name;
            the other parts add up to the total. Missing for a side without such a stance.
        norm, norm_source, norm_sample: empty without a norm.
        norm_speed: dimensionless speed at which the norm is evaluated.
        profile: Movement Analysis Profile: root mean square difference from the norm's mean over the cycle.
        gps, gps_overall: Gait Profile Score of each side and of both.
    """

    name: str
    subject: str
    side_names: Annotated[tuple[str, ...], Axis("side", "side")]
    variable_names: Annotated[tuple[str, ...], Axis("variable", "curve over the gait cycle")]
    parameter_names: Annotated[tuple[str, ...], Axis("parameter", "spatiotemporal parameter")]
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    variable_units: tuple[str, ...]
    parameter_units: tuple[str, ...]
    mean: Annotated[np.ndarray, Quantity("mean", "see variable_units", ("side", "variable", "percent"))]
    sd: Annotated[np.ndarray, Quantity("standard deviation", "see variable_units", ("side", "variable", "percent"))]
    count: Annotated[np.ndarray, Quantity("cycles with values", "1", ("side", "variable"))]
    parameter_mean: Annotated[np.ndarray, Quantity("mean", "see parameter_units", ("side", "parameter"))]
    parameter_sd: Annotated[np.ndarray, Quantity("standard deviation", "see parameter_units", ("side", "parameter"))]
    symmetry: Annotated[np.ndarray, Quantity("left minus right over their mean", "%", ("parameter",))]
    walking_speed: Annotated[float, Quantity("walking speed", "m/s")]
    cadence: Annotated[float, Quantity("cadence", "steps/min")]
    leg_length: Annotated[float, Quantity("mean leg length", "m")]
    speed: Annotated[float, Quantity("dimensionless speed", "1")]
    part_names: Annotated[tuple[str, ...], Axis("part", "part of a moment")]
    stance_percent: Annotated[np.ndarray, Axis("stance_percent", "stance, from foot strike to foot off", "%")]
    contributions: dict[
        str, Annotated[np.ndarray, Quantity("part of the sagittal moment", "Nm/kg", ("side", "part", "stance_percent"))]
    ]
    norm: str
    norm_source: str
    norm_sample: str
    norm_speed: Annotated[float, Quantity("dimensionless speed of the norm", "1")]
    norm_mean: Annotated[np.ndarray, Quantity("mean of the norm", "see variable_units", ("variable", "percent"))]
    norm_sd: Annotated[
        np.ndarray, Quantity("standard deviation of the norm", "see variable_units", ("variable", "percent"))
    ]
    profile: Annotated[np.ndarray, Quantity("Movement Analysis Profile", "deg", ("side", "variable"))]
    gps: Annotated[np.ndarray, Quantity("Gait Profile Score", "deg", ("side",))]
    gps_overall: Annotated[float, Quantity("Gait Profile Score of both sides", "deg")]
    notes: tuple[Note, ...]
