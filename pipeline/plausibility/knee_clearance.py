"""Room between the knees: knees of the given widths cannot pass through each other.

The inner side of a knee is one width from the base of its marker, through the joint's centre. As one leg passes the
other, the inner sides must stay apart.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import SIDES, X, Z
from pipeline.math3d import unit
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.trial import Finding, Kinematics

MIN_CLEARANCE = -10.0
"""mm; 5 and more on seven walks. Skin gives way by some millimetres."""

PASSING = 0.03
"""m, along the pelvis's forward axis, within which the knees count as passing each other."""


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
