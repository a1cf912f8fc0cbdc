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

# Readings on the skeleton that differ from the coordinate of the curve's own name.
_TILT = coordinate("Pelvis", "pelvis_tilt", -1.0)
_LIST = coordinate("Pelvis", "pelvis_list", -1.0, lateral=True)
_ROTATION = coordinate("Pelvis", "pelvis_rotation", 1.0, lateral=True)
_ANKLE = coordinate(_SHANK, "{side}_ankle_flexion")
_EXTENSION = torque(_SPINE, "spine1_flexion", -1.0, segment="upper_thorax")
_BENDING = torque(_SPINE, "spine1_bending", 1.0, lateral=True, segment="upper_thorax")
_TURNING = torque(_SPINE, "spine1_rotation", 1.0, lateral=True, segment="upper_thorax")
_NECK = torque(_UPPER, "lower_neck_flexion", -1.0, segment="head")

_ENTRIES = (
    # Angles: clinical rotations of the markers' segments, and coordinates of the skeleton, zero in its neutral pose.
    # Name, plane, positive and negative direction, axis, and the joint in a cycle.
    make.angle("pelvic_tilt", SAGITTAL, "Anterior", "Posterior", (-10, 30), "pelvis", skeleton=_TILT),
    make.angle("pelvic_obliquity", FRONTAL, "Up", "Down", (-20, 20), "pelvis", skeleton=_LIST),
    make.angle("pelvic_rotation", TRANSVERSE, "Forward", "Backward", (-30, 30), "pelvis", skeleton=_ROTATION),
    make.angle("hip_flexion", SAGITTAL, "Flexion", "Extension", (-20, 60), "hip", row="Hip", step=True),
    make.angle("hip_adduction", FRONTAL, "Adduction", "Abduction", (-20, 20), "hip", row="Hip"),
    make.angle("hip_rotation", TRANSVERSE, "Internal", "External", (-30, 30), "hip", row="Hip"),
    make.angle("knee_flexion", SAGITTAL, "Flexion", "Extension", (-10, 75), "knee", row=_SHANK, step=True),
    make.angle("knee_adduction", FRONTAL, "Varus", "Valgus", (-20, 20), "knee"),
    make.angle("knee_rotation", TRANSVERSE, "Internal", "External", (-30, 30), "knee"),
    make.angle("ankle_dorsiflexion", SAGITTAL, "Dorsi", "Plantar", (-30, 30), "ankle", skeleton=_ANKLE, step=True),
    make.angle("ankle_inversion", FRONTAL, "Inversion", "Eversion", (-20, 20), "ankle", row=_SHANK),
    make.angle("ankle_rotation", TRANSVERSE, "Internal", "External", None, "ankle"),
    make.angle("foot_pitch", SAGITTAL, "Toes up", "Toes down", None, "foot"),
    make.angle("foot_progression", TRANSVERSE, "In", "Out", (-30, 30), "foot"),
    *make.segment_angles("trunk", row=_TRUNK, proximal="pelvis", distal="upper_thorax", flexion=(-20, 20)),
    *make.segment_angles("head", row=_HEAD, proximal="upper_thorax", distal="head", flexion=(-30, 30)),
    make.angle("shoulder_flexion", SAGITTAL, "Flexion", "Extension", (-40, 40), row="Shoulder"),
    make.angle("shoulder_adduction", FRONTAL, "Adduction", "Abduction", (-40, 20), row="Shoulder"),
    make.angle("shoulder_rotation", TRANSVERSE, "Internal", "External", (-60, 60), row="Shoulder"),
    make.angle("elbow_flexion", SAGITTAL, "Flexion", "", (0, 90), row=_ARM),
    make.angle("elbow_pronation", TRANSVERSE, "Pronation", "", (0, 150), row=_ARM, title="Forearm pronation"),
    make.angle("wrist_flexion", SAGITTAL, "Flexion", "Extension", (-40, 40), row=_ARM),
    # Moments: internal, of the proximal on the distal segment. On the skeleton, those of the legs are in the distal
    # segment's axes, the others about the joint's coordinate.
    make.leg_moment("hip", "extensor", SAGITTAL, "Extensor", "Flexor", (-1.2, 1.2)),
    make.leg_moment("hip", "abductor", FRONTAL, "Abductor", "Adductor", (-0.4, 1.2)),
    make.leg_moment("hip", "rotator", TRANSVERSE, "External", "Internal", (-0.3, 0.3)),
    make.leg_moment("knee", "extensor", SAGITTAL, "Extensor", "Flexor", (-0.8, 0.8)),
    make.leg_moment("knee", "abductor", FRONTAL, "Abductor", "Adductor", (-0.4, 0.8)),
    make.leg_moment("knee", "rotator", TRANSVERSE, "External", "Internal", (-0.3, 0.3)),
    make.leg_moment(
        "ankle", "plantarflexor", SAGITTAL, "Plantarfl.", "Dorsifl.", (-0.5, 1.8), title="Plantarflexor moment"
    ),
    make.leg_moment("ankle", "evertor", FRONTAL, "Evertor", "Invertor", (-0.3, 0.3)),
    make.leg_moment("ankle", "rotator", TRANSVERSE, "External", "Internal", (-0.3, 0.3)),
    make.torque("trunk_extensor_moment", "Extensor", "Flexor", 0.6, _EXTENSION),
    make.torque("trunk_bending_moment", "Ipsilateral", "Contralateral", 0.6, _BENDING),
    make.torque("trunk_rotation_moment", "Forward", "Backward", 0.3, _TURNING),
    make.torque("shoulder_flexor_moment", "Flexor", "Extensor", 0.15, torque(_UPPER, "{side}_shoulder_flexion")),
    make.torque("elbow_flexor_moment", "Flexor", "Extensor", 0.06, torque(_UPPER, "{side}_elbow_flexion")),
    make.torque("neck_extensor_moment", "Extensor", "Flexor", 0.1, _NECK),
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
    make.ground("ground_fore_aft", "F_x", "Fore-aft", "Forward", "Backward", (-25, 25), cycle=X),
    make.ground("ground_lateral", "F_z", "Lateral", "Right", "Left", (-15, 15), step=Z),
    make.ground("ground_vertical", "F_y", "Vertical", "Up", "", (0, 125), cycle=Y, step=Y),
    make.ground("ground_forward", "F_x", "Fore-aft", "Forward", "Backward", (-25, 25), step=X),
    make.ground("ground_medial", "F_z", "Medio-lateral", "Medial", "Lateral", (-10, 10), cycle=Z),
    Variable(
        "marker_error_rms",
        quantity="markers",
        units="mm",
        symbol="",
        title="Marker error, RMS",
        axis=(0, 15),
        time=lambda _, motion: 1000.0 * marker_errors(motion).frame_rms,
    ),
    make.residual("residual_force", "fore_aft", "Fore-aft", "Forward", "Backward", units="%BW", limit=10, column=X),
    make.residual("residual_force", "vertical", "Vertical", "Up", "Down", units="%BW", limit=10, column=Y),
    make.residual("residual_force", "sideways", "Mediolateral", "Right", "Left", units="%BW", limit=10, column=Z),
    *(
        make.residual(
            "residual_moment", axis, f"About the {direction} axis", units="%BW*height", limit=2, column=column
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
