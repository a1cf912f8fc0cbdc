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
class PredictionTask:
    """What a predicted walk was asked to be, with what was assumed filled in, and of which body.

    Attributes:
        pelvic_tilt: how far forward the line from sacrum to the front of the pelvis leans in the standing subject; the
            skeleton's pelvis is upright in standing, so this is what clinical pelvic tilt and hip flexion have more.
    """

    preset: str
    sex: str
    mass: Annotated[float, Quantity("body mass", "kg")]
    height: Annotated[float, Quantity("standing height", "m")]
    pelvic_tilt: Annotated[float, Quantity("anterior tilt of the pelvis in standing", "rad")]
    speed: Annotated[float, Quantity("walking speed", "m/s")]
    step_length: Annotated[float, Quantity("step length", "m")]
    double_support: Annotated[float, Quantity("part of a step with both feet on the ground", "1")]
    step_width: Annotated[float, Quantity("step width", "m")]
    toe_out: Annotated[float, Quantity("angle of the feet to the progression, outwards", "rad")]
    friction: Annotated[float, Quantity("coefficient of friction", "1")]


@dataclass(frozen=True)
class Violation:
    """How far a constraint is violated at most: where the solver looked, and on a denser grid between.

    Attributes:
        unit: of the three values.
    """

    constraint: str
    unit: str
    tolerance: Annotated[float, Quantity("largest violation that counts as kept", "see unit")]
    nodes: Annotated[float, Quantity("largest violation at the nodes", "see unit")]
    dense: Annotated[float, Quantity("largest violation on the denser grid", "see unit")]


@dataclass(frozen=True)
class SolverReport:
    """How an optimisation ended, without anything that differs from run to run.

    Attributes:
        ended: in the solver's words.
        start: the prediction that it started from, empty for a standing body.
        objectives: terms of the objective, weighted; they add up to it.
        max_violation: largest violation at the nodes over its tolerance: kept at 1 or less.
        optimality: largest entry of the Lagrangian's gradient, relative to that of the objective.
        active: constraint rows on a bound.
        slip, lift: of any point that touches the ground, on the denser grid.
        balance: largest residual of the six global generalised forces.
    """

    ended: str
    start: str
    iterations: int
    variables: int
    constraints: int
    active: int
    objectives: dict[str, float]
    max_violation: Annotated[float, Quantity("largest violation over its tolerance", "1")]
    optimality: Annotated[float, Quantity("first-order optimality", "1")]
    slip: Annotated[float, Quantity("largest speed of a touching point", "m/s")]
    lift: Annotated[float, Quantity("largest distance of a touching point from the ground", "m")]
    balance: Annotated[float, Quantity("largest residual of whole-body balance", "N, Nm")]
    violations: tuple[Violation, ...]


@dataclass(frozen=True)
class PredictedSegment:
    """Pose of a segment of the skeleton."""

    R_GS: Annotated[np.ndarray, Quantity("rotation from segment axes to G", "1", ("time", "row", "column"), "G")]
    origin_G: Annotated[np.ndarray, Quantity("proximal joint", "m", ("time", "xyz"), "G")]


@dataclass(frozen=True)
class PredictedJoint:
    """Load at a clinical joint, of the proximal on the distal segment, at the joint's centre."""

    force_G: Annotated[np.ndarray, Quantity("joint force", "N", ("time", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "G")]
    omega_G: Annotated[np.ndarray, Quantity("angular velocity of distal in proximal", "rad/s", ("time", "xyz"), "G")]


@dataclass(frozen=True)
class PredictedWalk:
    """One predicted symmetric step, from the right foot's strike to the left foot's; the next one is its mirror image.

    Attributes:
        joint_names: coordinates of the skeleton's file, n.
        q, qd, qdd, tau: (T, n) coordinates, rates, accelerations and generalised forces of every joint.
        force_G, moment_G: (T, n, 3) internal load of every joint, of its parent on its link, about its own origin.
        ground: by side, load of the ground on the foot at its centre of pressure.
        zmp_G: zero-moment point.
        segments: by name, in the standing posture x forward, y up, z to the right.
        points: places on the body by name: sole points, wrists, shoulders.
        joints: hip, knee and ankle of each side.
        skeleton: SHA-256 of the skeleton's file.
    """

    name: str
    subject: str
    skeleton: str
    task: PredictionTask
    solver: SolverReport
    joint_names: Annotated[tuple[str, ...], Axis("joint", "joint of the skeleton")]
    time: Annotated[np.ndarray, Axis("time", "time from the right foot's strike", "s")]
    q: Annotated[np.ndarray, Quantity("coordinates", "rad, m", ("time", "joint"))]
    qd: Annotated[np.ndarray, Quantity("rates of the coordinates", "rad/s, m/s", ("time", "joint"))]
    qdd: Annotated[np.ndarray, Quantity("accelerations of the coordinates", "rad/s^2, m/s^2", ("time", "joint"))]
    tau: Annotated[np.ndarray, Quantity("generalised forces", "Nm, N", ("time", "joint"))]
    force_G: Annotated[np.ndarray, Quantity("internal joint force", "N", ("time", "joint", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("internal joint moment", "Nm", ("time", "joint", "xyz"), "G")]
    ground: dict[str, Annotated[Wrench, Quantity("load of the ground on the foot", "N, Nm, m", ("time", "xyz"), "G")]]
    zmp_G: Annotated[np.ndarray, Quantity("zero-moment point", "m", ("time", "xyz"), "G")]
    segments: dict[str, PredictedSegment]
    points: dict[str, Annotated[np.ndarray, Quantity("point of the body", "m", ("time", "xyz"), "G")]]
    joints: dict[str, PredictedJoint]
    notes: tuple[Note, ...]
