"""The curves of a walk on the whole skeleton by name, with the signs of those of the legs: for figures and tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipeline.analysis.cycles import clinical_moments, resample
from pipeline.analysis.whole_body.measures import WEAK
from pipeline.conventions import GRAVITY_G, LATERAL_SIGN, Y
from pipeline.math3d import cardan_angles
from pipeline.trial import BodyDynamics, Cycle, WholeBody

ENOUGH = 3
"""Markers on a segment that show its orientation."""

Sight = Literal["seen", "weak", "estimated"]

Read = Callable[[WholeBody, BodyDynamics, str], np.ndarray]


@dataclass(frozen=True)
class BodyVariable:
    """One curve of the whole body, seen from one side.

    Attributes:
        name: such as "elbow_flexion"; a positive value is what the name says, as in `pipeline.analysis.variables`.
        units: as reported.
        read: values (T,) in these units, of a motion and a side.
        coordinates: of the skeleton whose sight tells that of the curve, "{side}" where there are two.
        carrier: segment that must carry markers instead, where many coordinates make up the motion.
    """

    name: str
    units: str
    read: Read
    coordinates: tuple[str, ...] = ()
    carrier: str = ""

    def over(self, body: WholeBody, motion: BodyDynamics, cycle: Cycle) -> np.ndarray:
        """Values (101,) over a gait cycle of its side; NaN where missing."""
        return resample(
            self.read(body, motion, cycle.side), body.time, cycle.initial_contact, cycle.next_initial_contact
        )

    def sight(self, body: WholeBody, side: str) -> tuple[Sight, float]:
        """How well the markers show the motion, and the degrees by which it may be off; NaN where that is not known."""
        if self.carrier:
            return ("seen" if body.marker_segments.count(self.carrier) >= ENOUGH else "estimated"), float("nan")
        rows = [body.joint_names.index(name.format(side=side)) for name in self.coordinates]
        off = float(np.degrees(np.max(body.uncertainty[rows], initial=0.0)))
        return ("estimated" if not np.isfinite(off) else "weak" if off > WEAK else "seen"), off

    def at_limit(self, body: WholeBody, side: str) -> float:
        """Largest part of the frames in which one of an angle's coordinates is at its limit."""
        rows = [body.joint_names.index(name.format(side=side)) for name in self.coordinates]
        return float(np.max(body.at_limit[rows], initial=0.0))


def _coordinate(joint: str, sign: float = 1.0, lateral: bool = False) -> Read:
    """A coordinate in degrees; with ``lateral`` a rotation to the right that becomes one to the own side."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        factor = sign * (LATERAL_SIGN[side] if lateral else 1.0)
        return factor * np.degrees(motion.q[:, body.joint_names.index(joint.format(side=side))])

    return read


def _between(proximal: str, distal: str, column: int) -> Read:
    """Flexion, bending to the own side or turning of the own side forward of a segment in another (z-x-y), degrees."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        R_GP, R_GD = motion.segments[proximal].R_GS, motion.segments[distal].R_GS
        angles = cardan_angles(np.swapaxes(R_GP, 1, 2) @ R_GD, "zxy")[:, column]
        return (-1.0, LATERAL_SIGN[side], LATERAL_SIGN[side])[column] * np.degrees(angles)

    return read


def _moment(joint: str, column: int) -> Read:
    """A component of a leg joint's moment in the distal segment's axes, Nm/kg."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        name = f"{side}_{joint}"
        return clinical_moments(name, motion.joint_moments[name])[:, column] / body.mass

    return read


def _torque(name: str, joint: str, sign: float = 1.0, lateral: bool = False, carrier: str = "") -> BodyVariable:
    """What drives a coordinate, Nm/kg."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        factor = sign * (LATERAL_SIGN[side] if lateral else 1.0)
        return factor * motion.tau[:, body.joint_names.index(joint.format(side=side))] / body.mass

    return BodyVariable(name, "Nm/kg", read, (joint,), carrier)


def _force(name: str, joint: str, carrier: str = "") -> BodyVariable:
    """Magnitude of the internal force of a joint, body weights; missing where the torque is."""

    def read(body: WholeBody, motion: BodyDynamics, side: str) -> np.ndarray:
        force = motion.force_G[:, body.joint_names.index(joint.format(side=side))]
        return np.linalg.norm(force, axis=1) / (body.mass * -GRAVITY_G[Y])

    return BodyVariable(name, "BW", read, (joint,), carrier)


def _angle(name: str, joint: str, sign: float = 1.0, lateral: bool = False) -> BodyVariable:
    return BodyVariable(name, "deg", _coordinate(joint, sign, lateral), (joint,))


def _segment_angles(name: str, proximal: str, distal: str) -> tuple[BodyVariable, ...]:
    parts = ("flexion", "bending", "rotation")
    return tuple(
        BodyVariable(f"{name}_{part}", "deg", _between(proximal, distal, column), carrier=distal)
        for column, part in enumerate(parts)
    )


_MOMENTS = {
    "hip": ("hip_extensor_moment", "hip_abductor_moment", "hip_rotator_moment"),
    "knee": ("knee_extensor_moment", "knee_abductor_moment", "knee_rotator_moment"),
    "ankle": ("ankle_plantarflexor_moment", "ankle_evertor_moment", "ankle_rotator_moment"),
}

BODY_ANGLES = (
    _angle("pelvic_tilt", "pelvis_tilt", -1.0),
    _angle("pelvic_obliquity", "pelvis_list", -1.0, lateral=True),
    _angle("pelvic_rotation", "pelvis_rotation", 1.0, lateral=True),
    *(_angle(f"hip_{part}", f"{{side}}_hip_{part}") for part in ("flexion", "adduction", "rotation")),
    _angle("knee_flexion", "{side}_knee_flexion"),
    _angle("ankle_dorsiflexion", "{side}_ankle_flexion"),
    _angle("ankle_inversion", "{side}_ankle_inversion"),
    *_segment_angles("trunk", "pelvis", "upper_thorax"),
    *_segment_angles("head", "upper_thorax", "head"),
    *(_angle(f"shoulder_{part}", f"{{side}}_shoulder_{part}") for part in ("flexion", "adduction", "rotation")),
    *(_angle(f"elbow_{part}", f"{{side}}_elbow_{part}") for part in ("flexion", "pronation")),
    _angle("wrist_flexion", "{side}_wrist_flexion"),
)
"""Angles from the skeleton's standing posture at zero; trunk in pelvis and head in thorax as between two segments."""

BODY_TORQUES = (
    *(BodyVariable(_MOMENTS[j][column], "Nm/kg", _moment(j, column)) for column in range(3) for j in _MOMENTS),
    _torque("trunk_extensor_moment", "spine1_flexion", -1.0, carrier="upper_thorax"),
    _torque("trunk_bending_moment", "spine1_bending", 1.0, lateral=True, carrier="upper_thorax"),
    _torque("trunk_rotation_moment", "spine1_rotation", 1.0, lateral=True, carrier="upper_thorax"),
    _torque("shoulder_flexor_moment", "{side}_shoulder_flexion"),
    _torque("elbow_flexor_moment", "{side}_elbow_flexion"),
    _torque("neck_extensor_moment", "lower_neck_flexion", -1.0, carrier="head"),
)
"""Moments of the legs in the distal segment's axes, as the matrix form's; the others about the joint's coordinate."""

BODY_FORCES = (
    *(_force(f"{joint}_force", f"{{side}}_{joint}_flexion") for joint in ("hip", "knee", "ankle")),
    _force("lumbar_force", "spine1_flexion", carrier="upper_thorax"),
    _force("shoulder_force", "{side}_shoulder_flexion"),
    _force("neck_force", "lower_neck_flexion", carrier="head"),
)
"""Magnitudes of net joint forces."""

BODY_VARIABLES = {variable.name: variable for variable in (*BODY_ANGLES, *BODY_TORQUES, *BODY_FORCES)}
"""All of them by name."""
