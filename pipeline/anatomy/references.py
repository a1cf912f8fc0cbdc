"""Check for undefined names within a marker set: of all subject values, frames, points and markers.

A marker needs no definition: a name that is not a point is a marker. So where a set only uses what it builds (ends of
segments, centres of joints, feet, origins of frames), the name must be that of a point or of a marker that the set
tracks. Elsewhere, a name similar to a point's is refused unless `aliases` or `skeleton` declare it as a marker.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pipeline.anatomy.hip_centre import hip_values
from pipeline.config import nearest
from pipeline.conventions import SIDES

if TYPE_CHECKING:
    from pipeline.anatomy.marker_set import MarkerSet

SEGMENTS = tuple(f"{side}_{name}" for name in ("thigh", "shank", "foot") for side in SIDES)
JOINTS = tuple(f"{side}_{name}" for name in ("hip", "knee", "ankle") for side in SIDES)
"""Names by which the stages find a leg's segments and joints; a set may lack some, or have additional ones."""

MISSPELT = 0.8
"""Similarity (difflib's ratio) at which a name counts as a misspelling of another: one wrong letter in five."""


def undefined_names(marker_set: MarkerSet) -> Iterator[str]:
    """A sentence for each undefined name, with the nearest defined one."""
    for kind, name, known in _uses(marker_set):
        if name not in known:
            yield f"{kind} names {name!r}, which is not defined; {nearest(name, known)}"
    yield from _landmarks(marker_set)
    for kind, names, known in (("segments", marker_set.segments, SEGMENTS), ("joints", marker_set.joints, JOINTS)):
        for name in names:
            if name not in known and (meant := _misspelt(name, known)):
                yield f"{kind} has {name!r}, which is not used; did you mean {meant!r}?"


def _uses(marker_set: MarkerSet) -> Iterator[tuple[str, str, Iterable[str]]]:
    """References to subject values, frames and points: what refers, the name, and where it must be defined."""
    values, frames = marker_set.subject_values, marker_set.frames
    yield "the table of inertias", "mass", values
    yield "the table of inertias", "height", values
    yield "the pelvis angles", "pelvis", frames
    for name, given in values.items():
        if given.otherwise and given.otherwise.linear:
            yield f"subject value {name}", given.otherwise.linear.of, values
        if given.otherwise and given.otherwise.alignment:
            yield f"subject value {name}", given.otherwise.alignment, marker_set.points
    for name, frame in frames.items():
        for direction in (*(frame.axes or {}).values(), *(frame.static or {}).values()):
            if direction.axis:
                yield f"frame {name}", direction.axis, frames
        for value in (frame.offsets or {}).values():
            yield f"frame {name}", value, values
        if frame.turned:
            yield f"frame {name}", frame.turned.frame, frames
            yield f"frame {name}", frame.turned.by, values
    for name, point in marker_set.points.items():
        if point.hip_regression:
            yield f"point {name}", point.hip_regression, frames
            yield from ((f"point {name}", value, values) for value in hip_values(name.split("_", 1)[0]))
        if point.fixed_in:
            yield f"point {name}", point.fixed_in, frames
        if point.chord:
            named = (point.chord.width, point.chord.rotation, point.chord.abduction)
            yield from ((f"point {name}", value, values) for value in named if value)
    for name, segment in marker_set.segments.items():
        yield f"segment {name}", segment.frame, frames
    for name, joint in marker_set.joints.items():
        yield f"joint {name}", joint.proximal, frames
        yield f"joint {name}", joint.distal, frames


def _landmarks(marker_set: MarkerSet) -> Iterator[str]:
    """Sentences on points and markers."""
    points = marker_set.points
    markers = (marker_set.labels | marker_set.alternatives | _measured_from(marker_set)) - set(points)
    declared = set(marker_set.aliases) | (set(marker_set.skeleton.markers) if marker_set.skeleton else set())
    known = {*points, *markers, *declared}
    for kind, name in _ends(marker_set):
        if name not in known:
            yield f"{kind} names {name!r}, which is neither a point nor a marker of the set; {nearest(name, known)}"
    for name in sorted(markers - declared):
        if meant := _misspelt(name, points):
            yield f"{name!r} is neither a point nor a marker of the set; did you mean the point {meant!r}?"


def _ends(marker_set: MarkerSet) -> Iterator[tuple[str, str]]:
    """References to points and markers that are used but not built from: what refers, and the name."""
    for name, frame in marker_set.frames.items():
        if frame.origin:
            yield f"frame {name}", frame.origin
    for name, segment in marker_set.segments.items():
        yield from ((f"segment {name}", end) for end in (segment.proximal, segment.distal, segment.heel) if end)
    for name, joint in marker_set.joints.items():
        yield f"joint {name}", joint.centre
    for side, foot in marker_set.feet.items():
        yield from ((f"the {side} foot", point) for point in (foot.heel, foot.toe, foot.pelvis))


def _measured_from(marker_set: MarkerSet) -> set[str]:
    """Points and markers of the static trial from which subject values are measured."""
    rules = [given.otherwise for given in marker_set.subject_values.values() if given.otherwise]
    return {end for rule in rules for ends in (rule.distance, rule.width, rule.path) for end in ends or ()}


def _misspelt(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, or None."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=MISSPELT)
    return close[0] if close else None
