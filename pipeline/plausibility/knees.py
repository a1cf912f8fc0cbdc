"""Knee markers beside the axis about which the knee flexes, and knees too wide for the room between them.

A marker at a distance c in front of the axis, on skin that follows the shank, moves down as the knee flexes by f: its
distance from the hip's centre grows by c sin(f). This reveals a shift of the marker at a right angle to the leg after
the static trial, which changes no distance in standing.

The inner side of a knee is one width from the base of its marker, through the joint's centre. As one leg passes the
other, the inner sides must stay apart: knees of the given widths cannot pass through each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import SIDES, X, Z
from pipeline.math3d import unit
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.trial import Finding, Kinematics

MAX_OFFSET = 16.0
"""mm: -5 to 10 on sixteen knees of eight people, 9 and 15 on two with a marker set that puts the markers elsewhere."""

_MIN_FLEXION = 30.0
"""Degrees of flexion through which the knee must move."""

MIN_CLEARANCE = -10.0
"""mm; 5 and more on seven walks. Skin gives way by some millimetres."""

PASSING = 0.03
"""m, along the pelvis's forward axis, within which the knees count as passing each other."""


def knee_markers(kinematics: Kinematics, marker_set: MarkerSet) -> Iterator[Finding]:
    """Knee markers whose distance from the hip follows flexion."""
    for side in SIDES:
        knee = marker_set.points.get(f"{side}_knee")
        if knee is None or knee.chord is None or knee.chord.marker not in kinematics.marker_names:
            continue
        marker = knee.chord.marker
        offset = offset_from_axis(kinematics, side, marker, knee.chord.proximal)
        if abs(offset) > MAX_OFFSET:
            place = "in front of" if offset > 0.0 else "behind"
            forward_G = kinematics.segments[f"{side}_thigh"].R_GS[:, :, X]
            yield FindingWithError(
                subject=f"marker {marker}",
                text=f"its distance from the hip {'grows' if offset > 0.0 else 'shrinks'} by {abs(offset):.0f} mm as "
                f"the knee flexes, as for a marker that far {place} the knee's axis",
                value=offset,
                limit=math.copysign(MAX_OFFSET, offset),
                units="mm",
                source="sixteen knees of eight people",
                cause="because it was attached there, or moved after the static trial, which falsifies knee and hip "
                "angles",
                remedy="compare its position in both trials, and palpate the epicondyle again",
                error=BodyError({marker: 0.001 * offset * forward_G}),
            )


def offset_from_axis(kinematics: Kinematics, side: str, marker: str, proximal: str) -> float:
    """Slope, mm, of the distance from proximal joint to marker over the sine of knee flexion; NaN without flexion."""
    track = kinematics.markers_G[:, kinematics.marker_names.index(marker)]
    distance = 1000.0 * np.linalg.norm(track - kinematics.points[proximal], axis=1)
    flexion = kinematics.angles[f"{side}_knee"][:, 0]
    seen = np.isfinite(distance) & np.isfinite(flexion)
    if not seen.any() or np.degrees(np.ptp(flexion[seen])) < _MIN_FLEXION:
        return np.nan
    return float(np.polyfit(np.sin(flexion[seen]), distance[seen], 1)[0])


def knee_clearance(kinematics: Kinematics, marker_set: MarkerSet) -> Iterator[Finding]:
    """Knees that are too wide to pass each other."""
    room = clearance(kinematics, marker_set)
    if room < MIN_CLEARANCE:
        own = {f"knee_width_{side}": kinematics.calibration.values[f"knee_width_{side}"] for side in SIDES}
        widths = " and ".join(f"{1000.0 * width:.0f}" for width in own.values())
        yield FindingWithError(
            subject="knee widths",
            text=f"with {widths} mm the knees would overlap by {-room:.0f} mm as they pass each other",
            value=room,
            limit=MIN_CLEARANCE,
            units="mm",
            source="seven walks: 5 mm apart and more",
            cause="because a width was measured or entered wrongly, or a knee marker stands off the skin",
            remedy="correct knee_width_left_mm and knee_width_right_mm in subjects.tsv: they move the joint centres",
            error=BodyError(values={max(own, key=lambda name: own[name]): -0.001 * room}),
        )


def clearance(kinematics: Kinematics, marker_set: MarkerSet) -> float:
    """Smallest mediolateral distance, mm, between the inner sides of the knees as they pass; NaN if unknown."""
    joint = next((joint for name, joint in kinematics.joints.items() if name.endswith("_hip")), None)
    chords = [marker_set.points[f"{s}_knee"].chord if f"{s}_knee" in marker_set.points else None for s in SIDES]
    if joint is None or not all(chord and chord.marker in kinematics.marker_names for chord in chords):
        return np.nan
    inner = []
    for side, chord in zip(SIDES, chords, strict=True):
        assert chord
        marker = kinematics.markers_G[:, kinematics.marker_names.index(chord.marker)]
        centre = kinematics.points[f"{side}_knee"]
        inner.append(centre + 0.5 * kinematics.calibration.values[chord.width] * unit(centre - marker))
    apart = np.einsum("tji,tj->ti", joint.R_GP, inner[1] - inner[0])
    passing = np.abs(apart[:, X]) < PASSING  # False if a point is missing
    return 1000.0 * float(apart[passing, Z].min()) if passing.any() else np.nan
