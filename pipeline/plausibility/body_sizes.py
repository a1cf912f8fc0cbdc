"""Given body sizes against one another and against markers of the static trial: joint widths, stature, legs, ASIS."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import SIDES
from pipeline.plausibility.distances import median_distance
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.trial import Finding, Kinematics, MarkersAndPlates

MAX_DIFFERENCE = 35.0
"""mm between a leg's length and the distance between its markers at ASIS and malleolus: -23 to 18 on four subjects."""

MAX_WIDTH_DIFFERENCE = 12.0
"""mm between a joint's width and the distance between its lateral and medial markers less their diameter: skin is soft,
and calipers press it by some millimetres."""

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
            text=_than(value, given, f"between {ends[0]} and {ends[1]}", static),
            **beyond,
            units="mm",
            cause="because it was measured or entered wrongly",
            remedy="correct inter_asis_mm in subjects.tsv: it moves the hip joint centres",
            error=BodyError(values={"inter_asis": 0.001 * (value - limits.typical(ASIS))}),
        )


def leg_lengths(kinematics: Kinematics, static: MarkersAndPlates, marker_set: MarkerSet) -> Iterator[Finding]:
    """Legs whose given length is contradicted by the markers."""
    for side, (asis, ankle) in _ends(marker_set).items():
        given = kinematics.calibration.values.get(f"leg_length_{side}", np.nan)
        if not {asis, ankle} <= set(static.marker_names):
            continue
        difference = 1000.0 * (given - median_distance(static.marker(asis), static.marker(ankle)))
        if abs(difference) > MAX_DIFFERENCE:
            yield FindingWithError(
                subject=f"{side} leg length",
                text=_than(difference, given, f"from {asis} to {ankle}", static),
                value=difference,
                limit=math.copysign(MAX_DIFFERENCE, difference),
                units="mm",
                source="four subjects",
                cause="because it was measured or entered wrongly, or the subject does not stand upright there",
                remedy=f"correct leg_length_{side}_mm in subjects.tsv: it moves the hip joint centre",
                error=BodyError(values={f"leg_length_{side}": 0.001 * difference}),
            )


def joint_widths(kinematics: Kinematics, static: MarkersAndPlates, marker_set: MarkerSet) -> Iterator[Finding]:
    """Widths of knees and ankles contradicted by a medial marker in the static trial."""
    values = kinematics.calibration.values
    diameter = values.get("marker_diameter", 2.0 * marker_set.marker_radius)
    for name, definition in marker_set.subject_values.items():
        ends = definition.otherwise.width if definition.otherwise else None
        if not ends or not set(ends) <= set(static.marker_names) or name not in values:
            continue
        measured = median_distance(*map(static.marker, ends)) - diameter
        difference = 1000.0 * (values[name] - measured)
        if abs(difference) > MAX_WIDTH_DIFFERENCE:
            yield FindingWithError(
                subject=name.replace("_", " "),
                text=_than(difference, values[name], f"between {ends[0]} and {ends[1]}", static),
                value=difference,
                limit=math.copysign(MAX_WIDTH_DIFFERENCE, difference),
                units="mm",
                source="soft tissue under calipers and markers",
                cause="because it was measured or entered wrongly, or the medial marker is off the joint's axis",
                remedy=f"correct {name}_mm in subjects.tsv: it moves the joint centre by half of that",
                error=BodyError(values={name: 0.001 * difference}),
            )


def _than(difference: float, given: float, places: str, static: MarkersAndPlates) -> str:
    """The text on a size, m, that differs by so much, mm, from the distance of two markers in standing."""
    more = "more" if difference > 0.0 else "less"
    return f"{1000.0 * given:.0f} mm, {abs(difference):.0f} mm {more} than {places} in {static.name}"


def _ends(marker_set: MarkerSet) -> dict[str, tuple[str, str]]:
    """Markers at ASIS and ankle of each side; empty if the marker set has none."""
    hip, ankles = marker_set.points.get("left_hip"), [marker_set.points.get(f"{side}_ankle") for side in SIDES]
    frame = marker_set.frames.get(str(hip.hip_regression)) if hip else None
    across = (frame.axes or {}).get("z") if frame else None
    if across is None or across.start is None or across.end is None:
        return {}
    labels = (across.start, across.end)
    return {
        side: (asis, point.chord.marker)
        for side, asis, point in zip(SIDES, labels, ankles, strict=True)
        if point and point.chord
    }
