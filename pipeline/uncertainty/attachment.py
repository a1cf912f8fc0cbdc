"""Segments to which the markers are attached, from marker set and walk, and their orientations in a recording."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.anatomy import BodyPose, MarkerSet
from pipeline.trial import Calibration, Kinematics, RawTrial

PELVIS = "pelvis"


def attached_segments(marker_set: MarkerSet, motion: Kinematics, static: RawTrial) -> dict[str, str]:
    """Segment, or "pelvis", to which each marker used to build bodies is attached.

    It is the segment with axes defined by the marker, the proximal one of two: epicondyles belong to the thigh,
    malleoli to the shank, also medial ones of the static trial alone. Other markers, such as wands, belong to the
    segment in which they move least. A marker that is never seen together with a segment is left out.
    """
    pose = _pose(marker_set, motion.calibration, motion)
    names = set(motion.marker_names)
    frames = _frames(marker_set)
    attached_to: dict[str, str] = {}
    for name, frame in frames.items():  # from the pelvis to the feet
        attached_to = dict.fromkeys(_defining(marker_set, frame), name) | attached_to
    instead = {point.otherwise for point in marker_set.points.values() if point.otherwise}
    for label in sorted((marker_set.labels | instead) & names - set(attached_to)):
        moves = {name: _motion_within(pose, frame, label) for name, frame in frames.items()}
        if np.isfinite(list(moves.values())).any():
            attached_to[label] = min(moves, key=lambda name: moves[name] if np.isfinite(moves[name]) else np.inf)
    return {label: attached_to[label] for label in sorted(set(attached_to) & (names | set(static.marker_names)))}


def _frames(marker_set: MarkerSet) -> dict[str, str]:
    """Frame of the pelvis and of each segment."""
    return {PELVIS: PELVIS} | {name: segment.frame for name, segment in marker_set.segments.items()}


def _defining(marker_set: MarkerSet, frame: str) -> set[str]:
    """Labels that define a frame's own directions, themselves or through their means."""
    definition = marker_set.frames[frame]
    if definition.turned:
        return _defining(marker_set, definition.turned.frame)
    directions = (*(definition.axes or {}).values(), *(definition.static or {}).values())
    ends = {str(end) for direction in directions for end in (direction.start, direction.end) if end}
    means = {name: set(point.mean) for name, point in marker_set.points.items() if point.mean}
    return {label for end in ends for label in means.get(end, {end})} - set(marker_set.points)


def orientations(
    marker_set: MarkerSet, calibration: Calibration, recording: RawTrial | Kinematics
) -> dict[str, np.ndarray]:
    """R_GS (T, 3, 3) of the pelvis and of each segment in a recording."""
    pose = _pose(marker_set, calibration, recording)
    return {name: pose.frame(frame) for name, frame in _frames(marker_set).items()}


def shifted(
    recording: RawTrial | Kinematics,
    shifts: Mapping[str, np.ndarray],
    attached_to: Mapping[str, str],
    R_GS: Mapping[str, np.ndarray],
) -> np.ndarray:
    """Markers (T, K, 3) of a recording, some shifted by (3,) m in the axes of their segments.

    They are missing where the axes are missing; shifts of markers that the recording lacks have no effect.
    """
    out = recording.markers_G.copy()
    for k, label in enumerate(recording.marker_names):
        if label in shifts:
            out[:, k] += R_GS[attached_to[label]] @ shifts[label]
    return out


def _pose(marker_set: MarkerSet, calibration: Calibration, recording: RawTrial | Kinematics) -> BodyPose:
    markers_G = {name: recording.markers_G[:, k] for k, name in enumerate(recording.marker_names)}
    return BodyPose.calibrated(marker_set, markers_G, calibration)


def _motion_within(pose: BodyPose, frame: str, label: str) -> float:
    """Variance (m^2) of a marker's position in a frame's axes; NaN if the two are never seen together."""
    place = np.einsum("tji,tj->ti", pose.frame(frame), pose.point(label) - pose.origin(frame))
    seen = place[np.isfinite(place).all(axis=1)]
    return float(seen.var(axis=0).sum()) if len(seen) else np.nan
