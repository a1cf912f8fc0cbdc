"""Distances between points of one rigid segment: static trial against walk, and variation over the walk.

Skin moves markers by millimetres. A label on another marker, a marker that was moved, and another person's static trial
change distances by centimetres.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np

from pipeline.anatomy import BodyPose, MarkerSet
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.trial import Finding, Kinematics, MarkersAndPlates

MAX_CHANGE = {"pelvis": 6.0, "thigh": 14.0, "shank": 7.0, "foot": 14.0}
"""mm, mean over the walk against the static trial, by segment. On measured walks it is at most 2.4 (pelvis), 9.3
(thigh, over the wand), 6.6 (shank) and 11 (foot, which bends); it is 7.3 on a shank with a knee moment that changed
with it."""

MAX_OTHER_CHANGE = 10.0
"""mm, for other segments."""

MAX_SPREAD = 18.0
"""mm, standard deviation over the walk: at most 9 on measured walks."""

MIN_DISTANCE = 8.0
"""mm between two markers: they are 9 mm wide and more."""

IMPOSSIBLE = 40.0
"""mm; beyond it two points are not on one segment."""

MEASURED = "three measured walks"


Pair = tuple[str, str]


def rigid_groups(marker_set: MarkerSet) -> dict[str, tuple[str, ...]]:
    """Markers and hip centres that keep their distances, by segment, with "pelvis" among the segments.

    A wand belongs to the segment above the joint whose centre it shows; a joint's own marker belongs to both segments.
    """
    groups = {}
    hips = [point for point in marker_set.points.values() if point.hip_regression]
    if hips:
        axes = (marker_set.frames[str(hips[0].hip_regression)].axes or {}).values()
        ends = [str(end) for axis in axes for end in (axis.start, axis.end)]
        groups["pelvis"] = {label for end in ends for label in _markers_of(marker_set, end, wand=False)}
    for name, segment in marker_set.segments.items():
        ends = [segment.proximal, *([segment.heel] if segment.heel else [])]
        own = {label for end in ends for label in _markers_of(marker_set, end, wand=False)}
        groups[name] = own | _markers_of(marker_set, segment.distal, wand=True)
    groups |= {name: set(frame.cluster) for name, frame in marker_set.frames.items() if frame.cluster}
    return {name: tuple(sorted(group)) for name, group in groups.items() if len(group) > 1}


def _markers_of(marker_set: MarkerSet, name: str, *, wand: bool) -> set[str]:
    """Markers that show a point: the parts of a mean, marker and wand of a chord; a hip centre stands for itself."""
    point = marker_set.points.get(name)
    if point is None or point.hip_regression:
        return {name}
    if point.mean:
        parts = (*point.mean, *([point.otherwise] if point.otherwise else []))
        return {label for part in parts for label in _markers_of(marker_set, part, wand=wand)}
    if point.chord:
        return {point.chord.marker, *([point.chord.wand] if wand else [])}
    return set()


def segment_distances(kinematics: Kinematics, static: MarkersAndPlates, marker_set: MarkerSet) -> Iterator[Finding]:
    """Distances that differ between static trial and walk, or vary over the walk; the worst of each segment."""
    in_walk = {name: kinematics.markers_G[:, k] for k, name in enumerate(kinematics.marker_names)} | kinematics.points
    markers = {name: static.marker(name) for name in static.marker_names}
    standing = BodyPose.calibrated(marker_set, markers, kinematics.calibration)
    for segment, names in rigid_groups(marker_set).items():
        pairs = list(combinations([name for name in names if name in in_walk], 2))
        walk = {(a, b): _distances(in_walk[a], in_walk[b]) for a, b in pairs}
        yield from _coincident(segment, walk)
        yield from _spreads(segment, walk)
        if static.name != kinematics.name:
            still = {(a, b): _distances(standing.point(a), standing.point(b)) for a, b in pairs}
            for finding, (marker, other), change in _changes(segment, walk, still, static.name):
                placed = marker if marker in kinematics.marker_names else other
                shift_G = 0.001 * change * _line(in_walk, (other, marker) if placed == marker else (marker, other))
                error = BodyError({placed: shift_G}) if placed in kinematics.marker_names else None
                yield replace(finding, error=error)


def _line(points: Mapping[str, np.ndarray], pair: Pair) -> np.ndarray:
    """Unit vectors (T, 3) from the first point to the second."""
    apart = points[pair[1]] - points[pair[0]]
    return apart / np.linalg.norm(apart, axis=1, keepdims=True)


def _distances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distances (N,) mm in the frames in which both points are seen."""
    apart = 1000.0 * np.linalg.norm(a - b, axis=1)
    return apart[np.isfinite(apart)]


def _coincident(segment: str, walk: Mapping[Pair, np.ndarray]) -> Iterator[Finding]:
    for (a, b), values in walk.items():
        if len(values) and np.median(values) < MIN_DISTANCE:
            yield Finding(
                grade="refusal",
                subject=_named(segment),
                text=f"{_named(a)} and {_named(b)} are {np.median(values):.1f} mm apart",
                value=float(np.median(values)),
                limit=MIN_DISTANCE,
                units="mm",
                source="size of markers",
                cause="because one marker has both labels",
                remedy="correct the labelling in the recording software",
            )


def _spreads(segment: str, walk: Mapping[Pair, np.ndarray]) -> Iterator[Finding]:
    spread = {pair: float(values.std()) for pair, values in walk.items() if len(values)}
    if not spread or max(spread.values()) <= MAX_SPREAD:
        return
    (a, b), value = max(spread.items(), key=lambda item: item[1])
    yield Finding(
        grade="refusal" if value > IMPOSSIBLE else "warning",
        subject=_named(segment),
        text=f"the distance from {_named(a)} to {_named(b)} varies by {value:.0f} mm (SD) over the walk",
        value=value,
        limit=MAX_SPREAD,
        units="mm",
        source=MEASURED,
        cause=f"because {_any_of(_culprits(spread, MAX_SPREAD))} is mislabelled or does not follow the segment",
        remedy="correct its trajectory in the recording software",
    )


def _changes(
    segment: str, walk: Mapping[Pair, np.ndarray], static: Mapping[Pair, np.ndarray], name: str
) -> Iterator[tuple[FindingWithError, Pair, float]]:
    """The worst distance of a segment: the finding, the point that is likely wrong with the other one, and the change,
    mm."""
    change = {
        pair: float(values.mean() - static[pair].mean())
        for pair, values in walk.items()
        if len(values) and len(static[pair])
    }
    limit = MAX_CHANGE.get(segment.rpartition("_")[2], MAX_OTHER_CHANGE)
    size = {pair: abs(value) for pair, value in change.items()}
    if not size or max(size.values()) <= limit:
        return
    (a, b), value = max(size.items(), key=lambda item: item[1])
    longer = "longer" if change[a, b] > 0.0 else "shorter"
    culprits = _culprits(size, limit)
    found = FindingWithError(
        grade="refusal" if value > IMPOSSIBLE else "warning",
        subject=_named(segment),
        text=f"the distance from {_named(a)} to {_named(b)} is {value:.1f} mm {longer} than in {name}",
        value=value,
        limit=limit,
        units="mm",
        source=MEASURED,
        cause=f"because {_any_of(culprits)} was moved or labelled differently, or the static trial is of another "
        "person",
        remedy="compare the labels and the placement of these markers in both trials",
    )
    yield found, (a, b) if culprits[0] == a else (b, a), change[a, b]


def _culprits(size: Mapping[Pair, float], limit: float) -> list[str]:
    """The points common to all pairs beyond the limit, or otherwise those of the worst pair."""
    beyond = [set(pair) for pair, value in size.items() if value > limit]
    worst = max(size, key=lambda pair: size[pair])
    return sorted(set.intersection(*beyond) or worst)


def _any_of(points: Iterable[str]) -> str:
    return " or ".join(map(_named, points))


def _named(point: str) -> str:
    return point.replace("_", " ")
