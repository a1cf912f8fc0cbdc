"""Joint angles of the walk against those of the static trial, in which the subject may face any direction.

The nearly straight, loaded knee turns little about its long axis, and walking changes pelvic tilt by some degrees. A
marker or wand that was moved between the trials, or a subject who stood bent, changes them by more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from pipeline.anatomy import BodyPose, MarkerSet, body_motion
from pipeline.conventions import SIDES, X, Y
from pipeline.math3d import rotation_from_axes
from pipeline.plausibility.angles import frames_of_cycles, loaded_frames
from pipeline.signals import finite_mean, finite_median
from pipeline.trial import Calibration, Finding, Kinematics, MarkersAndPlates

MAX_KNEE_ROTATION = 8.0
"""Degrees: -4 to 4 on eight knees of four people; the tibia turns by 3.6 (SD 1.1) in the stance of walking (eight
people by radiography, Kefala et al. 2017, Med Sci Sports Exerc 49, 2260-2267)."""

MAX_PELVIC_TILT = 25.0
"""Degrees: 0 to 20 on five walks of four people."""

_UP = np.eye(3)[Y]

_TILT, _TRANSVERSE = 0, 2


def standing_angles(
    calibration: Calibration, static: MarkersAndPlates, marker_set: MarkerSet
) -> Mapping[str, np.ndarray]:
    """Angles (T, 3) rad by joint; those of the pelvis refer to the direction that it faces on average.

    Tilt and obliquity in G are those of the pelvis only if the subject faces along the progression; if the subject
    faces the other way, both change sign.
    """
    markers = {name: static.marker(name) for name in static.marker_names}
    R_GP = BodyPose.calibrated(marker_set, markers, calibration).frame("pelvis")
    seen = np.isfinite(R_GP).all(axis=(1, 2))
    facing = R_GP[seen, :, X].mean(axis=0) if seen.any() else np.eye(3)[X]
    R_FG = rotation_from_axes(_UP, facing, "yx").T
    turned = {name: track @ R_FG.T for name, track in markers.items()}
    return body_motion(turned, static.rate, marker_set, calibration).angles


def knee_rotations(kinematics: Kinematics, standing: Mapping[str, np.ndarray]) -> Iterator[Finding]:
    """Knees whose rotation in stance differs from that in `standing`: angles (T, 3) rad by joint."""
    for side in SIDES:
        name = f"{side}_knee"
        if name not in standing or name not in kinematics.angles:
            continue
        loaded = kinematics.angles[name][loaded_frames(kinematics, side)]
        change = float(np.degrees(finite_median(loaded) - finite_median(standing[name]))[_TRANSVERSE])
        if abs(change) > MAX_KNEE_ROTATION:
            yield Finding(
                subject=f"{side} knee",
                text=f"rotated {abs(change):.0f} degrees farther {'inwards' if change > 0.0 else 'outwards'} in stance "
                f"than in {kinematics.calibration.static}",
                value=change,
                limit=math.copysign(MAX_KNEE_ROTATION, change),
                units="degrees",
                source="eight knees of four people, and radiography (Kefala et al. 2017)",
                cause="because a wand or marker of thigh, knee or ankle was moved after the static trial",
                remedy="compare their positions in both trials: knee and hip rotation depend on them",
                angle_error=abs(change),
                angle_of=f"{side} knee rotation",
            )


def pelvic_tilt(kinematics: Kinematics, standing: Mapping[str, np.ndarray]) -> Iterator[Finding]:
    """A mean pelvic tilt that differs from that in `standing`: angles (T, 3) rad by joint."""
    walking = kinematics.angles["pelvis"][frames_of_cycles(kinematics)]
    change = float(np.degrees(finite_mean(walking) - finite_mean(standing["pelvis"]))[_TILT])
    way = "forward" if change > 0.0 else "back"
    if abs(change) > MAX_PELVIC_TILT:
        yield Finding(
            subject="pelvis",
            text=f"tilted {abs(change):.0f} degrees farther {way} than in {kinematics.calibration.static}",
            value=change,
            limit=math.copysign(MAX_PELVIC_TILT, change),
            units="degrees",
            source="five walks of four people",
            cause="because a marker of the pelvis was moved after the static trial, or the subject did not stand "
            "upright in it",
            remedy="compare the pelvis's markers in both trials: hip flexion depends on them",
            angle_error=abs(change),
            angle_of="pelvis tilt and hip flexion",
        )
