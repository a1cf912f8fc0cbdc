"""Given body sizes against one another and against the markers: joint widths, stature, distance between the ASIS."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import SIDES
from pipeline.plausibility.distances import median_distance
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.trial import Finding, Kinematics, MarkersAndPlates

KNEE, ANKLE, ASIS = "knee width over stature", "ankle width over knee width", "distance of the ASIS"


def body_sizes(
    kinematics: Kinematics, static: MarkersAndPlates, marker_set: MarkerSet, limits: Limits
) -> Iterator[Finding]:
    """Joint widths that do not suit the stature, and an ASIS distance that the markers contradict."""
    values = kinematics.calibration.values
    height = values.get("height", np.nan)
    for side in SIDES:
        knee, ankle = (values.get(f"{joint}_width_{side}", np.nan) for joint in ("knee", "ankle"))
        for name, value, what in (
            (KNEE, 100.0 * knee / height, f"{1000.0 * knee:.0f} mm, {100.0 * knee / height:.1f} % of stature"),
            (ANKLE, 100.0 * ankle / knee, f"{1000.0 * ankle:.0f} mm, {100.0 * ankle / knee:.0f} % of the knee's"),
        ):
            if beyond := limits.beyond(name, value):
                joint, whole = ("knee", height) if name == KNEE else ("ankle", knee)
                yield FindingWithError(
                    subject=f"{side} {joint} width",
                    text=f"{what}, typically {limits.typical(name):.3g} %",
                    **beyond,
                    units="%",
                    cause="because it was measured or entered wrongly, or the widths of knee and ankle were exchanged",
                    remedy=f"correct {joint}_width_{side}_mm in subjects.tsv: it moves the joint centre by half of "
                    "the error",
                    error=BodyError(values={f"{joint}_width_{side}": 0.01 * (value - limits.typical(name)) * whole}),
                )
    yield from _asis(kinematics, static, marker_set, limits)


def _asis(kinematics: Kinematics, static: MarkersAndPlates, marker_set: MarkerSet, limits: Limits) -> Iterator[Finding]:
    definition = marker_set.subject_values.get("inter_asis")
    ends = definition.otherwise.distance if definition and definition.otherwise else None
    given = kinematics.calibration.values.get("inter_asis", np.nan)
    if ends is None or not set(ends) <= set(static.marker_names):
        return
    value = 1000.0 * (given - median_distance(*map(static.marker, ends)))
    if beyond := limits.beyond(ASIS, value):
        yield FindingWithError(
            subject="distance between the ASIS",
            text=f"{1000.0 * given:.0f} mm, {abs(value):.0f} mm {'more' if value > 0.0 else 'less'} than between "
            f"{ends[0]} and {ends[1]} in {static.name}",
            **beyond,
            units="mm",
            cause="because it was measured or entered wrongly",
            remedy="correct inter_asis_mm in subjects.tsv: it moves the hip joint centres",
            error=BodyError(values={"inter_asis": 0.001 * (value - limits.typical(ASIS))}),
        )
