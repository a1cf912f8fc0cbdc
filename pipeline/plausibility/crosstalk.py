"""Crosstalk of the knee's flexion axis: varus that follows flexion in swing, and the thigh rotation offset without it.

A knee axis that is turned about the thigh's long axis by theta shows flexion f as varus of about sin(theta) sin(f). The
turn chosen is the one with the smallest variance of varus over the swing, as laboratories tune the thigh rotation
(Baker et al. 1999, Hum Mov Sci 18, 655-667). It is computed first for the axis alone, which needs no marker set, then
for the wand, which turns the axis by more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pipeline.anatomy import GIVEN, BodyPose, MarkerSet
from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.errors import AnatomyError
from pipeline.math3d import cardan_angles, rotation_about
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.trial import Calibration, Finding, Grade, Kinematics

MIN_RANGE, MAX_UNEQUAL = 8.0, 5.0
"""Degrees above which a note is given: range of varus that follows flexion, and difference in turn between the axes of
the two knees. Knee varus moves by 3.7 degrees on average in walking, within a band of 6 to either side (39 healthy
knees by biplane radiography on a treadmill, PMC7477710); axes differ by 0 to 3 degrees on four walks."""

WARNED = 20.0
"""Degrees above which a warning is given: 90 % of 28 reference walks are below in both quantities, although the axes of
some of them are turned, as the varus in their stored outputs shows."""

MIN_CORRELATION, MIN_UNEQUAL_CORRELATION = 0.8, 0.7
"""Correlation of varus with flexion over the swing above which a knee's own turn is known, and that of the side turned
farther."""

SMALL_LEG = 0.55
"""m; below it regressions misplace the hip centre by more of the leg's length, since they are fitted to larger bodies,
and turn the thigh: by 16 degrees at 0.50 m (Davis against Bell). A note is then a warning. The smallest of 28 reference
walks has 0.58 m."""

REFUSED_TURN = 25.0
"""Degrees of turn of the axis above which a knee's frontal and transverse results mean nothing."""

_TURNS = np.radians(np.arange(-45.0, 45.25, 0.5))
_OFFSETS, _FINE = np.radians(np.arange(-30.0, 30.5, 6.0)), np.radians(np.arange(-5.0, 5.5, 1.0))
_MIN_FRAMES = 10


@dataclass(frozen=True)
class Crosstalk:
    """Varus of a knee over its swings.

    Attributes:
        correlation: of varus with flexion.
        varus_range: degrees.
        turn: degrees by which the axis is turned inwards in front; the opposite turn gives the smallest variance.
    """

    correlation: float
    varus_range: float
    turn: float


def knee_crosstalk(R_PD: np.ndarray, side: str) -> Crosstalk | None:
    """Crosstalk of a knee over its swing; None if there are too few frames.

    Args:
        R_PD: (T, 3, 3) orientation of the shank in the thigh, in the frames of swing.
        side: "left" or "right".
    """
    R_PD = R_PD[np.isfinite(R_PD).all(axis=(1, 2))]
    if len(R_PD) < _MIN_FRAMES:
        return None
    turns = rotation_about(np.array([0.0, 1.0, 0.0]), _TURNS)
    best = int(np.argmin([_varus(turn.T @ R_PD, side).std() for turn in turns]))
    own, flexion = _varus(R_PD, side), -np.degrees(cardan_angles(R_PD, "zxy")[:, 0])
    moving = np.ptp(flexion) > 1.0 and np.ptp(own) > 0.0
    return Crosstalk(
        correlation=float(np.corrcoef(flexion, own)[0, 1]) if moving else 0.0,
        varus_range=float(np.ptp(own)),
        turn=float(LATERAL_SIGN[side] * np.degrees(_TURNS[best])),
    )


def _varus(R_PD: np.ndarray, side: str) -> np.ndarray:
    """Varus (T,) in degrees."""
    return LATERAL_SIGN[side] * np.degrees(cardan_angles(R_PD, "zxy")[:, 1])


def offset_without_crosstalk(
    kinematics: Kinematics, marker_set: MarkerSet, side: str, swing: np.ndarray
) -> tuple[float, float]:
    """Change of the thigh axis offset, degrees, that gives the smallest variance of varus in the frames (T,), and the
    remaining range of varus, degrees; NaN if the marker set has no such offset."""
    joint, name = marker_set.joints.get(f"{side}_knee"), marker_set.knee_axis_offset(side)
    if joint is None or name is None:
        return np.nan, np.nan
    calibration = kinematics.calibration
    markers = {label: kinematics.markers_G[swing, k] for k, label in enumerate(kinematics.marker_names)}

    def varus(offset: float) -> np.ndarray:
        values = calibration.values | {name: calibration.values[name] + offset}
        pose = BodyPose.calibrated(marker_set, markers, replace(calibration, values=values))
        try:
            angles = _varus(np.swapaxes(pose.frame(joint.proximal), 1, 2) @ pose.frame(joint.distal), side)
        except AnatomyError:  # no joint centre fits the markers with this offset
            return np.zeros(0)
        return angles[np.isfinite(angles)]

    best, found = 0.0, np.zeros(0)
    for offsets in (_OFFSETS, _FINE):
        tried = [(best + offset, varus(best + offset)) for offset in offsets.tolist()]
        best, found = min(tried, key=lambda one: float(one[1].std()) if len(one[1]) else np.inf)
    return float(np.degrees(best)), float(np.ptp(found)) if len(found) else np.nan


def crosstalk(kinematics: Kinematics, marker_set: MarkerSet) -> Iterator[Finding]:
    """Knees whose varus follows their flexion in swing, and knees whose axes are turned differently."""
    knees = {}
    for side in SIDES:
        joint = kinematics.joints.get(f"{side}_knee")
        swing = _swing(kinematics, side)
        found = knee_crosstalk((np.swapaxes(joint.R_GP, 1, 2) @ joint.R_GD)[swing], side) if joint else None
        if found is None:
            continue
        knees[side] = found
        if abs(found.correlation) >= MIN_CORRELATION and found.varus_range >= MIN_RANGE:
            offset = offset_without_crosstalk(kinematics, marker_set, side, swing)
            leg = _leg_of_extrapolated_hip(kinematics.calibration, side)
            yield _turned(side, found, str(marker_set.knee_axis_offset(side)), *offset, leg)
    if len(knees) == len(SIDES):
        yield from _unequal(knees)


def _grade(degrees: float) -> Grade:
    return "warning" if degrees > WARNED else "note"


def _leg_of_extrapolated_hip(calibration: Calibration, side: str) -> float:
    """Length of a leg, m, whose hip centre is by a regression on larger bodies; NaN for another one."""
    leg = calibration.values.get(f"leg_length_{side}", np.nan)
    is_by_size = calibration.centre_rules.get(f"{side}_hip") == "hip_regression" and calibration.hip_method != GIVEN
    return leg if is_by_size and leg < SMALL_LEG else np.nan


def _turned(side: str, found: Crosstalk, name: str, offset: float, left: float, small_leg: float) -> Finding:
    """The finding on a knee whose axis is turned; ``small_leg`` as from `_leg_of_extrapolated_hip`."""
    change = f"add {offset:+.0f} degrees to {name}_deg in subjects.tsv (varus then varies by {left:.0f} degrees)"
    known = np.isfinite(offset)
    remedy = f"correct the wand, or {change}" if known else "correct the markers of the knee"
    reason, grade = "its wand or marker", _grade(found.varus_range)
    if np.isfinite(small_leg):
        grade = "warning"
        reason = (
            f"the hip centre, by a regression on larger bodies than one with a leg of {small_leg:.2f} m, or {reason}"
        )
        remedy = f"choose another hip_centre in config.yaml (anatomy), or measure it (gait hips); otherwise {remedy}"
    return FindingWithError(
        grade="refusal" if abs(found.turn) > REFUSED_TURN else grade,
        subject=f"{side} knee",
        text=f"varus follows flexion in swing (correlation {found.correlation:.2f}) over {found.varus_range:.0f} "
        "degrees",
        value=found.varus_range,
        limit=MIN_RANGE,
        units="degrees",
        source="twice the varus range of healthy knees by radiography (PMC7477710)",
        cause=f"because {reason} turns the knee's axis by {abs(found.turn):.0f} degrees, which falsifies frontal and "
        "transverse results",
        remedy=remedy,
        error=BodyError(values={name: -float(np.radians(offset))}) if known else None,
    )


def _unequal(knees: dict[str, Crosstalk]) -> Iterator[Finding]:
    """Knees whose axes differ, if varus follows flexion on the side that is turned farther."""
    side = max(knees, key=lambda name: abs(knees[name].turn))
    apart = abs(knees["left"].turn - knees["right"].turn)
    if apart > MAX_UNEQUAL and abs(knees[side].correlation) >= MIN_UNEQUAL_CORRELATION:
        yield Finding(
            grade=_grade(apart),
            subject="knees",
            text=f"the flexion axis of the {side} knee is turned by {apart:.0f} degrees relative to the other one's",
            value=apart,
            limit=MAX_UNEQUAL,
            units="degrees",
            source="four walks; nine tenths of 28 are below 20 degrees",
            cause=f"because the wand or marker of the {side} knee was moved after the static trial or is placed "
            "wrongly, which falsifies hip and knee rotation",
            remedy="compare the wands of both sides in both trials",
            angle_error=apart,
            angle_of=f"{side} hip rotation",
        )


def _swing(kinematics: Kinematics, side: str) -> np.ndarray:
    """Frames (T,) of the side's swings within its cycles."""
    swing = np.zeros(len(kinematics.time), dtype=bool)
    for cycle in kinematics.cycles:
        if cycle.side == side:
            swing |= (kinematics.time >= cycle.foot_off) & (kinematics.time < cycle.next_initial_contact)
    return swing
