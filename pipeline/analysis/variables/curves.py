"""The registry of curves: one entry each, used by figures, tables, dictionary, norms, profile and comparisons.

To add a curve to all pages and tables, add its entry. Entries in one row of panels are in the order of its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pipeline.analysis.variables import constructors as make
from pipeline.analysis.variables.points import PointReading, speed
from pipeline.analysis.variables.skeleton import coordinate, force, torque
from pipeline.analysis.variables.variable import PLANES, Variable
from pipeline.analysis.whole_body.measures import MOMENT_AXES, marker_errors
from pipeline.conventions import X, Y, Z

SAGITTAL, FRONTAL, TRANSVERSE = PLANES

_TRUNK, _HEAD = "Trunk, thorax in pelvis", "Head in thorax"
_SHANK, _ARM = "Knee and ankle", "Elbow, forearm and wrist"
_SPINE, _UPPER = "Lowest joint of the spine", "Arm and neck"
_LEG_FORCE, _UPPER_FORCE = "Net joint force, leg", "Net joint force, trunk and arm"

_FORCES = (
    ("fore_aft", "Fore-aft", "Forward", "Backward"),
    ("vertical", "Vertical", "Up", "Down"),
    ("sideways", "Sideways", "Right", "Left"),
)

_ENTRIES = (
    # Angles: clinical rotations of the markers' segments, and coordinates of the skeleton, zero in its neutral pose.
    make.angle(
        "pelvic_tilt",
        plane=SAGITTAL,
        positive="Anterior",
        negative="Posterior",
        axis=(-10, 30),
        cycle="pelvis",
        skeleton=coordinate("Pelvis", "pelvis_tilt", -1.0),
    ),
    make.angle(
        "pelvic_obliquity",
        plane=FRONTAL,
        positive="Up",
        negative="Down",
        axis=(-20, 20),
        cycle="pelvis",
        skeleton=coordinate("Pelvis", "pelvis_list", -1.0, lateral=True),
    ),
    make.angle(
        "pelvic_rotation",
        plane=TRANSVERSE,
        positive="Forward",
        negative="Backward",
        axis=(-30, 30),
        cycle="pelvis",
        skeleton=coordinate("Pelvis", "pelvis_rotation", 1.0, lateral=True),
    ),
    make.angle(
        "hip_flexion",
        plane=SAGITTAL,
        positive="Flexion",
        negative="Extension",
        axis=(-20, 60),
        cycle="hip",
        row="Hip",
        step=True,
    ),
    make.angle(
        "hip_adduction",
        plane=FRONTAL,
        positive="Adduction",
        negative="Abduction",
        axis=(-20, 20),
        cycle="hip",
        row="Hip",
    ),
    make.angle(
        "hip_rotation",
        plane=TRANSVERSE,
        positive="Internal",
        negative="External",
        axis=(-30, 30),
        cycle="hip",
        row="Hip",
    ),
    make.angle(
        "knee_flexion",
        plane=SAGITTAL,
        positive="Flexion",
        negative="Extension",
        axis=(-10, 75),
        cycle="knee",
        row=_SHANK,
        step=True,
    ),
    make.angle("knee_adduction", plane=FRONTAL, positive="Varus", negative="Valgus", axis=(-20, 20), cycle="knee"),
    make.angle(
        "knee_rotation", plane=TRANSVERSE, positive="Internal", negative="External", axis=(-30, 30), cycle="knee"
    ),
    make.angle(
        "ankle_dorsiflexion",
        plane=SAGITTAL,
        positive="Dorsi",
        negative="Plantar",
        axis=(-30, 30),
        cycle="ankle",
        skeleton=coordinate(_SHANK, "{side}_ankle_flexion"),
        step=True,
    ),
    make.angle(
        "ankle_inversion",
        plane=FRONTAL,
        positive="Inversion",
        negative="Eversion",
        axis=(-20, 20),
        cycle="ankle",
        row=_SHANK,
    ),
    make.angle("ankle_rotation", plane=TRANSVERSE, positive="Internal", negative="External", axis=None, cycle="ankle"),
    make.angle("foot_pitch", plane=SAGITTAL, positive="Toes up", negative="Toes down", axis=None, cycle="foot"),
    make.angle("foot_progression", plane=TRANSVERSE, positive="In", negative="Out", axis=(-30, 30), cycle="foot"),
    *make.segment_angles("trunk", row=_TRUNK, proximal="pelvis", distal="upper_thorax", flexion=(-20, 20)),
    *make.segment_angles("head", row=_HEAD, proximal="upper_thorax", distal="head", flexion=(-30, 30)),
    make.angle(
        "shoulder_flexion", plane=SAGITTAL, positive="Flexion", negative="Extension", axis=(-40, 40), row="Shoulder"
    ),
    make.angle(
        "shoulder_adduction", plane=FRONTAL, positive="Adduction", negative="Abduction", axis=(-40, 20), row="Shoulder"
    ),
    make.angle(
        "shoulder_rotation", plane=TRANSVERSE, positive="Internal", negative="External", axis=(-60, 60), row="Shoulder"
    ),
    make.angle("elbow_flexion", plane=SAGITTAL, positive="Flexion", axis=(0, 90), row=_ARM),
    make.angle(
        "elbow_pronation",
        plane=TRANSVERSE,
        positive="Pronation",
        axis=(0, 150),
        row=_ARM,
        title="Forearm pronation",
    ),
    make.angle("wrist_flexion", plane=SAGITTAL, positive="Flexion", negative="Extension", axis=(-40, 40), row=_ARM),
    # Moments: internal, of the proximal on the distal segment. On the skeleton, those of the legs are in the distal
    # segment's axes, the others about the joint's coordinate.
    make.leg_moment("hip", "extensor", plane=SAGITTAL, positive="Extensor", negative="Flexor", axis=(-1.2, 1.2)),
    make.leg_moment("hip", "abductor", plane=FRONTAL, positive="Abductor", negative="Adductor", axis=(-0.4, 1.2)),
    make.leg_moment("hip", "rotator", plane=TRANSVERSE, positive="External", negative="Internal", axis=(-0.3, 0.3)),
    make.leg_moment("knee", "extensor", plane=SAGITTAL, positive="Extensor", negative="Flexor", axis=(-0.8, 0.8)),
    make.leg_moment("knee", "abductor", plane=FRONTAL, positive="Abductor", negative="Adductor", axis=(-0.4, 0.8)),
    make.leg_moment("knee", "rotator", plane=TRANSVERSE, positive="External", negative="Internal", axis=(-0.3, 0.3)),
    make.leg_moment(
        "ankle",
        "plantarflexor",
        plane=SAGITTAL,
        positive="Plantarfl.",
        negative="Dorsifl.",
        axis=(-0.5, 1.8),
        title="Plantarflexor moment",
    ),
    make.leg_moment("ankle", "evertor", plane=FRONTAL, positive="Evertor", negative="Invertor", axis=(-0.3, 0.3)),
    make.leg_moment("ankle", "rotator", plane=TRANSVERSE, positive="External", negative="Internal", axis=(-0.3, 0.3)),
    make.torque(
        "trunk_extensor_moment",
        positive="Extensor",
        negative="Flexor",
        limit=0.6,
        skeleton=torque(_SPINE, "spine1_flexion", -1.0, segment="upper_thorax"),
    ),
    make.torque(
        "trunk_bending_moment",
        positive="Ipsilateral",
        negative="Contralateral",
        limit=0.6,
        skeleton=torque(_SPINE, "spine1_bending", 1.0, lateral=True, segment="upper_thorax"),
    ),
    make.torque(
        "trunk_rotation_moment",
        positive="Forward",
        negative="Backward",
        limit=0.3,
        skeleton=torque(_SPINE, "spine1_rotation", 1.0, lateral=True, segment="upper_thorax"),
    ),
    make.torque(
        "shoulder_flexor_moment",
        positive="Flexor",
        negative="Extensor",
        limit=0.15,
        skeleton=torque(_UPPER, "{side}_shoulder_flexion"),
    ),
    make.torque(
        "elbow_flexor_moment",
        positive="Flexor",
        negative="Extensor",
        limit=0.06,
        skeleton=torque(_UPPER, "{side}_elbow_flexion"),
    ),
    make.torque(
        "neck_extensor_moment",
        positive="Extensor",
        negative="Flexor",
        limit=0.1,
        skeleton=torque(_UPPER, "lower_neck_flexion", -1.0, segment="head"),
    ),
    make.power("hip", upper=2),
    make.power("knee", upper=2),
    make.power("ankle", upper=4),
    # Magnitudes of net joint forces.
    make.force("hip", upper=1.4, skeleton=force(_LEG_FORCE, "{side}_hip_flexion"), step=True),
    make.force("knee", upper=1.4, skeleton=force(_LEG_FORCE, "{side}_knee_flexion"), step=True),
    make.force("ankle", upper=1.4, skeleton=force(_LEG_FORCE, "{side}_ankle_flexion"), step=True),
    make.force("lumbar", upper=1.0, skeleton=force(_UPPER_FORCE, "spine1_flexion", segment="upper_thorax")),
    make.force("shoulder", upper=0.1, skeleton=force(_UPPER_FORCE, "{side}_shoulder_flexion")),
    make.force("neck", upper=0.1, skeleton=force(_UPPER_FORCE, "lower_neck_flexion", segment="head")),
    # Ground reaction: in a cycle towards the midline, in the predicted step in G for both feet.
    make.ground(
        "ground_fore_aft",
        title="Fore-aft",
        positive="Forward",
        negative="Backward",
        axis=(-25, 25),
        symbol="F_x",
        cycle=X,
    ),
    make.ground(
        "ground_lateral", title="Lateral", positive="Right", negative="Left", axis=(-15, 15), symbol="F_z", step=Z
    ),
    make.ground("ground_vertical", title="Vertical", positive="Up", axis=(0, 125), symbol="F_y", cycle=Y, step=Y),
    make.ground(
        "ground_forward",
        title="Fore-aft",
        positive="Forward",
        negative="Backward",
        axis=(-25, 25),
        symbol="F_x",
        step=X,
    ),
    make.ground(
        "ground_medial",
        title="Medio-lateral",
        positive="Medial",
        negative="Lateral",
        axis=(-10, 10),
        symbol="F_z",
        cycle=Z,
    ),
    Variable(
        "marker_error_rms",
        quantity="markers",
        units="mm",
        symbol="",
        title="Marker error, RMS",
        axis=(0, 15),
        time=lambda _, motion: 1000.0 * marker_errors(motion).frame_rms,
    ),
    *(
        make.residual(
            "residual_force",
            axis,
            title=title,
            positive=positive,
            negative=negative,
            units="%BW",
            limit=10,
            column=column,
        )
        for column, (axis, title, positive, negative) in enumerate(_FORCES)
    ),
    *(
        make.residual(
            "residual_moment",
            axis,
            title=f"About the {direction} axis",
            units="%BW*height",
            limit=2,
            column=column,
        )
        for column, (axis, direction) in enumerate(zip(MOMENT_AXES, ("upward", "forward", "rightward"), strict=True))
    ),
    # Points of the body, for measured and predicted walks.
    make.speed("heel_speed", upper=5, reading=PointReading("Feet", ("{side}_heel",), speed)),
)

VARIABLES: dict[str, Variable] = {variable.name: variable for variable in _ENTRIES}
"""All curves by name."""


def select(condition: Callable[[Variable], object]) -> dict[str, Variable]:
    """The curves that meet a condition, by name."""
    return {name: variable for name, variable in VARIABLES.items() if condition(variable)}


CYCLE_VARIABLES = select(lambda v: v.cycle or v.points)
"""Curves of a gait cycle, measured or predicted. Angles in degrees; moments internal; rotations positive inwards
(rotator moments outwards); ground reaction positive forward, up and towards the midline."""

POINT_VARIABLES = select(lambda v: v.points)
"""Curves of a gait cycle that are computed from points of the body, such as a heel."""

SKELETON_VARIABLES = select(lambda v: v.skeleton)
"""Curves computed from a motion of the skeleton, over a gait cycle."""

STEP_VARIABLES = select(lambda v: v.step)
"""Curves over the predicted step or stride."""

JOINT_FORCES = select(lambda v: v.quantity == "forces" and v.step)
"""Net joint forces of the legs, for a predicted walk and for a measured one on the skeleton."""

TIME_VARIABLES = select(lambda v: v.time)
"""Curves of the skeleton over the whole recording."""

PROFILE = (
    *("pelvic_tilt", "pelvic_obliquity", "pelvic_rotation", "hip_flexion", "hip_adduction", "hip_rotation"),
    *("knee_flexion", "ankle_dorsiflexion", "foot_progression"),
)
"""The nine angles of a side's Movement Analysis Profile."""

SIDES_TESTED = tuple(select(lambda v: v.cycle and v.axis and v.plane == SAGITTAL))
"""Curves in which the two sides of a subject are tested against each other; each has its own threshold."""

MAIN = tuple(select(lambda v: v.cycle and v.axis and v.plane in (SAGITTAL, "")))
"""The main curves: sagittal angles and moments, powers and ground reaction. Predictions are tested and listed walk by
walk in these; each has its own threshold."""


def rows(variables: Iterable[Variable], heading: Callable[[Variable], str]) -> Mapping[str, tuple[Variable, ...]]:
    """Rows of panels by heading, in the order in which headings first occur, without curves that have no axis."""
    found: dict[str, tuple[Variable, ...]] = {}
    for variable in variables:
        if variable.axis:
            found[heading(variable)] = (*found.get(heading(variable), ()), variable)
    return found
