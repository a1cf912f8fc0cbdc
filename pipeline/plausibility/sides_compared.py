"""The left side against the right: distances of markers on feet and pelvis, given widths, and motion.

The two feet of a person, and the positions of their markers, are alike to some millimetres, unless a marker is placed
wrongly on one side or a width was entered wrongly. If one side moves far less than the other, the gait is one-sided or
a marker does not follow its leg. A pelvis that is oblique on average stands on legs of unequal length, or one of its
markers is too high.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import SIDES
from pipeline.plausibility.distances import labels_of, median_distance
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.trial import Finding, GaitSummary, Kinematics

LENGTHS = (("ankle", "heel"), ("ankle", "toe"), ("heel", "toe"))
"""Points of a foot between which distances are compared. Thighs and shanks are not: they differ by up to 19 mm on the
reference walks, which only a marker at the wrong joint exceeds."""

WIDTHS = ("knee_width", "ankle_width")

LESS = ", left less right"

OBLIQUITY = "mean obliquity of the pelvis"

MIN_RATIO = 0.5
"""Range of the side that moves less over that of the other: 0.81 and more on seven walks, one with a stiff knee."""


def sides_compared(kinematics: Kinematics, marker_set: MarkerSet, limits: Limits) -> Iterator[Finding]:
    """Distances and widths that differ between the sides."""
    for name, apart in side_differences(kinematics, marker_set).items():
        if (beyond := limits.beyond(name, apart)) is None:
            continue
        what = name.removesuffix(LESS)
        larger: Literal["left", "right"] = "left" if apart > 0.0 else "right"
        width = what.endswith("width")
        yield FindingWithError(
            subject=what,
            text=f"{abs(apart):.0f} {'%' if width else 'mm'} larger on the {larger} side",
            **beyond,
            units="%" if width else "mm",
            cause="because it was measured or entered wrongly on one side"
            if width
            else "because a marker of one side is placed wrongly, unless the sides of the body differ",
            remedy="measure it again" if width else "compare the positions of both sides' markers",
            error=_error(kinematics, marker_set, what, larger, abs(apart)),
        )


def side_differences(kinematics: Kinematics, marker_set: MarkerSet) -> dict[str, float]:
    """Left minus right by residual, mm, or % of the mean for widths; only sizes known on both sides."""
    points, values = kinematics.points, kinematics.calibration.values
    found = {}
    for one, other in LENGTHS:
        if all(f"{side}_{part}" in points for side in SIDES for part in (one, other)):
            left, right = (median_distance(points[f"{side}_{one}"], points[f"{side}_{other}"]) for side in SIDES)
            found[f"distance from {one} to {other}{LESS}"] = 1000.0 * (left - right)
    ends, names = _asis(marker_set), kinematics.marker_names
    if ends and "sacrum" in points and set(ends) <= set(names):
        asis = (kinematics.markers_G[:, names.index(end)] for end in ends)
        left, right = (median_distance(marker, points["sacrum"]) for marker in asis)
        found[f"distance from ASIS to sacrum{LESS}"] = 1000.0 * (left - right)
    for width in WIDTHS:
        left, right = (values.get(f"{width}_{side}", np.nan) for side in SIDES)
        found[f"{width.replace('_', ' ')}{LESS}"] = 200.0 * (left - right) / (left + right)
    return {name: apart for name, apart in found.items() if np.isfinite(apart)}


def _error(
    kinematics: Kinematics, marker_set: MarkerSet, what: str, side: Literal["left", "right"], size: float
) -> BodyError | None:
    """Error of the larger side, all of the difference: its width, or the second point of its distance too far out."""
    if what.endswith("width"):
        width = f"{what.replace(' ', '_')}_{side}"
        return BodyError(values={width: 0.01 * size * kinematics.calibration.values[width]})
    start, end = what.removeprefix("distance from ").split(" to ")
    if start == "ASIS":
        label, place = _asis(marker_set)[SIDES.index(side)], kinematics.points["sacrum"]
    else:
        labels = labels_of(marker_set, getattr(marker_set.feet[side], end))
        label, place = labels[0] if len(labels) == 1 else "", kinematics.points[f"{side}_{start}"]
    if label not in kinematics.marker_names:
        return None
    line = kinematics.markers_G[:, kinematics.marker_names.index(label)] - place
    return BodyError({label: 0.001 * size * line / np.linalg.norm(line, axis=1, keepdims=True)})


def _asis(marker_set: MarkerSet) -> tuple[str, ...]:
    """Labels of the left and the right ASIS; empty if the marker set has none."""
    definition = marker_set.subject_values.get("inter_asis")
    return tuple(definition.otherwise.distance or ()) if definition and definition.otherwise else ()


def symmetry(summary: GaitSummary) -> Iterator[Finding]:
    """Joints that move far less on one side than on the other: a note, since one-sided gait does this as well."""
    for name in ("hip_flexion", "knee_flexion"):
        ranges = {side: float(np.ptp(own[name])) for side, own in summary.mean.items()}
        if not np.isfinite(list(ranges.values())).all():
            continue
        less, more = sorted(ranges, key=lambda side: ranges[side])
        ratio = ranges[less] / ranges[more]
        if ratio < MIN_RATIO:
            yield Finding(
                grade="note",
                subject=f"{less} {name.partition('_')[0]}",
                text=f"flexes over {ranges[less]:.0f} degrees, the {more} one over {ranges[more]:.0f}",
                value=ratio,
                limit=MIN_RATIO,
                units="1",
                source="seven walks, one with a stiff knee",
                cause="from a one-sided gait, or a marker that does not follow its leg",
                remedy=f"compare the markers of the {less} leg with the video if the gait does not explain it",
            )


def level_pelvis(summary: GaitSummary, limits: Limits) -> Iterator[Finding]:
    """A pelvis with one side higher over the whole gait cycle."""
    higher = {side: float(np.mean(own["pelvic_obliquity"])) for side, own in summary.mean.items()}
    value = 0.5 * (higher["left"] - higher["right"])
    if beyond := limits.beyond(OBLIQUITY, value):
        yield Finding(
            subject="pelvis",
            text=f"its {'left' if value > 0.0 else 'right'} side is {abs(value):.1f} degrees higher on average",
            **beyond,
            units="degrees",
            cause="because a marker of the pelvis is too high or too low, unless the legs differ in length",
            remedy="compare the positions of both sides' markers: hip angles and joint centres depend on them",
            angle_error=abs(value - limits.typical(OBLIQUITY)),
            angle_of="pelvis obliquity",
        )
