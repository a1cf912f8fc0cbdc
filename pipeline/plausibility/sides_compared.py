"""Sizes of the left side against the right: distances of markers on feet and pelvis, and given widths.

The two feet of a person are alike to some millimetres, and so are the places of their markers; a marker that stands
wrong on one side, or a width that was entered wrongly, is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import SIDES
from pipeline.plausibility.limits import Limits
from pipeline.trial import Finding, Kinematics

LENGTHS = (("ankle", "heel"), ("ankle", "toe"), ("heel", "toe"))
"""Points of a foot between which distances are compared. Thighs and shanks differ by up to 19 mm on the reference
walks, which only a marker at the wrong joint exceeds."""

WIDTHS = ("knee_width", "ankle_width")

LESS = ", left less right"


def sides_compared(kinematics: Kinematics, marker_set: MarkerSet, limits: Limits) -> Iterator[Finding]:
    """Distances and widths that differ between the sides."""
    for name, apart in side_differences(kinematics, marker_set).items():
        limit = limits.crossed(name, apart)
        if limit is None:
            continue
        what, larger = name.removesuffix(LESS), "left" if apart > 0.0 else "right"
        width = what.endswith("width")
        yield Finding(
            grade="warning",
            subject=what,
            text=f"{abs(apart):.0f} {'%' if width else 'mm'} larger on the {larger} side",
            value=apart,
            limit=limit,
            units="%" if width else "mm",
            source=limits.source(name),
            cause="as it was measured or entered wrongly on one side"
            if width
            else "as a marker of one side stands wrong, unless the sides of the body differ",
            remedy="measure it again" if width else "compare the places of both sides' markers",
            residual=name,
        )


def side_differences(kinematics: Kinematics, marker_set: MarkerSet) -> dict[str, float]:
    """Left less right by residual, mm, of widths in % of their mean; of each what is known on both sides."""
    points, values = kinematics.points, kinematics.calibration.values
    found = {}
    for one, other in LENGTHS:
        if all(f"{side}_{part}" in points for side in SIDES for part in (one, other)):
            left, right = (_distance(points[f"{side}_{one}"], points[f"{side}_{other}"]) for side in SIDES)
            found[f"distance from {one} to {other}{LESS}"] = 1000.0 * (left - right)
    for what, (left, right) in _of_pelvis(kinematics, marker_set).items():
        found[f"{what}{LESS}"] = 1000.0 * (left - right)
    for width in WIDTHS:
        left, right = (values.get(f"{width}_{side}", np.nan) for side in SIDES)
        found[f"{width.replace('_', ' ')}{LESS}"] = 200.0 * (left - right) / (left + right)
    return {name: apart for name, apart in found.items() if np.isfinite(apart)}


def _of_pelvis(kinematics: Kinematics, marker_set: MarkerSet) -> Mapping[str, tuple[float, float]]:
    definition = marker_set.subject_values.get("inter_asis")
    ends = definition.otherwise.distance if definition and definition.otherwise else None
    names = kinematics.marker_names
    if ends is None or "sacrum" not in kinematics.points or not set(ends) <= set(names):
        return {}
    left, right = (_distance(kinematics.markers_G[:, names.index(end)], kinematics.points["sacrum"]) for end in ends)
    return {"distance from ASIS to sacrum": (left, right)}


def _distance(one: np.ndarray, other: np.ndarray) -> float:
    """Median distance, m, of points (T, 3); NaN where they are never seen together."""
    apart = np.linalg.norm(one - other, axis=1)
    seen = apart[np.isfinite(apart)]
    return float(np.median(seen)) if len(seen) else np.nan
