"""Knee markers in front of or behind the axis about which the knee flexes.

A marker at a distance c in front of the axis, on skin that follows the shank, moves down as the knee flexes by f: its
distance from the hip's centre grows by c sin(f). This reveals a shift of the marker at a right angle to the leg after
the static trial, which changes no distance in standing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import SIDES, X
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.trial import Finding, Kinematics

MAX_OFFSET = 16.0
"""mm: -5 to 10 on sixteen knees of eight people, 9 and 15 on two with a marker set that puts the markers elsewhere."""

_MIN_FLEXION = 30.0
"""Degrees of flexion through which the knee must move."""


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
