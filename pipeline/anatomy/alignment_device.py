"""Knee alignment devices in a static trial: three markers replace the knee marker and show its position and axis.

The device's three wires are orthogonal and of equal length, so its markers are the corners of an equilateral triangle.
The knee marker would be where the wires meet: at a height of side / sqrt(6) above the triangle's middle. Wires from the
other side of the triangle would end at the same markers. Of the two possible positions, the one on the side of the
contralateral knee is taken, because the wire to the first marker points outwards along the knee's flexion axis (Davis
et al. 1991; as in Plug-in Gait), however the other two are rotated about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pipeline.anatomy.chord import rotation_of_wand
from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.pose import BodyPose, side_of
from pipeline.conventions import LATERAL_SIGN, Y
from pipeline.math3d import unit
from pipeline.trial import Note, RawTrial

MIN_ASIDE, MAX_OFF = np.sin(np.radians(12.0)), 60.0
"""Sine of the angle between the triangle and the direction to the other knee, below which it is uncertain which of the
two positions is right: 0.40 or more for six devices on three people, 0.58 if the axis points to the other knee. Angle
of the first wire from that direction, degrees, beyond which the wire is not along the flexion axis."""

MIN_APART = 45.0
"""Degrees by which the first wire must point closer to outwards from the position taken than from the other one: 57 to
69 for six devices on three people, 71 if it points exactly outwards, and less by up to twice its deviation. A device
with an axis off by 48 to 57 degrees, for which the wrong position is taken, is therefore reported; one that is off by
less than 13 degrees never is."""

MAX_UNEQUAL = 0.15
"""Largest difference of the triangle's sides as a fraction of their mean; 1 % for four devices on two people."""


def with_device_corners(trial: RawTrial, marker_set: MarkerSet) -> RawTrial:
    """The recording with the markers that alignment devices replace, if it lacks them, and a note on each."""
    columns: dict[str, np.ndarray] = {}
    notes: list[Note] = []
    tracks = {name: trial.markers_G[:, k] for k, name in enumerate(trial.marker_names)}
    for label, device in marker_set.alignment_devices.items():
        if not set(device.labels) <= set(trial.marker_names):
            continue
        markers, inward = np.array([tracks[name] for name in device.labels]), _inward(tracks, label, marker_set)
        sides = np.linalg.norm(markers - np.roll(markers, 1, axis=0), axis=2)
        sides = sides[:, np.isfinite(sides).all(axis=0)]
        mean = sides.mean(axis=1) if sides.size else np.full(3, np.nan)
        listed = ", ".join(device.labels)
        own = label in trial.marker_names
        if np.ptp(mean) < MAX_UNEQUAL * np.mean(mean):
            notes += _warnings(markers, inward, label, device.labels)
        elif not own:
            lengths = ", ".join(f"{1000 * side:.0f}" for side in mean)
            apart = f"they are {lengths} mm apart, not the corners of an alignment device"
            why = apart if sides.size else "no frame shows all three"
            notes.append(Note("warning", label, f"not built from {listed}: {why}; check their labels"))
            continue
        if own:
            continue
        columns[label] = corner(markers, inward)
        notes.append(Note("info", label, f"built from the alignment device {listed}"))
    if not notes:
        return trial
    return replace(
        trial,
        marker_names=(*trial.marker_names, *columns),
        markers_G=np.concatenate([trial.markers_G, *(track[:, None] for track in columns.values())], axis=1),
        notes=(*trial.notes, *notes),
    )


def corner(markers: np.ndarray, inward: np.ndarray) -> np.ndarray:
    """Where the wires of a device meet, (T, 3) m.

    Args:
        markers: (3, T, 3) m.
        inward: (3,) direction from the device to the side of the triangle from which the wires come; of any length.
    """
    middle, normal = markers.mean(axis=0), _normal(markers)
    side = np.linalg.norm(markers - np.roll(markers, 1, axis=0), axis=2).mean(axis=0)
    return middle + (np.sign(normal @ inward) * side / np.sqrt(6.0))[:, None] * normal


def _normal(markers: np.ndarray) -> np.ndarray:
    first, second, third = markers
    return unit(np.cross(second - first, third - first))


def _inward(tracks: Mapping[str, np.ndarray], label: str, marker_set: MarkerSet) -> np.ndarray:
    """Horizontal direction (3,) from the device of a label to the other side's device, to the marker that the latter
    replaces, or to the middle of all markers."""
    devices = marker_set.alignment_devices
    others = [labels for name in devices if name != label for labels in (devices[name].labels, (name,))]
    there = next((labels for labels in others if _shown(labels, tracks)), tuple(tracks))
    own = devices[label].labels
    if not _shown(own, tracks):
        return np.full(3, np.nan)
    towards = _middle([tracks[name] for name in there]) - _middle([tracks[name] for name in own])
    towards[Y] = 0.0
    return unit(towards)


def _warnings(markers: np.ndarray, inward: np.ndarray, label: str, labels: tuple[str, str, str]) -> Iterator[Note]:
    """Warnings that the point where the wires meet is uncertain, or that the first wire is not along a flexion axis."""
    axis, other = (unit(markers[0] - corner(markers, sign * inward)) @ inward for sign in (1.0, -1.0))
    aside, seen = np.abs(_normal(markers) @ inward), np.isfinite(axis)
    if not seen.any():
        return
    off, off_else = (float(np.degrees(np.arccos(-cosine[seen].mean()))) for cosine in (axis, other))
    listed, remedy = ", ".join(labels), "check its labels, and the knee's rotation and adduction in the static trial"
    if aside[seen].mean() < MIN_ASIDE or (off <= MAX_OFF and off_else - off < MIN_APART):
        text = f"the wires of {listed} may meet on either side of these markers, so the knee's axis is uncertain"
        yield Note("warning", label, f"{text}; {remedy}")
    elif off > MAX_OFF:
        text = f"the wire to {labels[0]} points {off:.0f} degrees off the direction from knee to knee"
        yield Note("warning", label, f"{text}, unlike any knee's flexion axis; {remedy}")


def rotation_by_device(pose: BodyPose, point: str) -> float | None:
    """Offset, rad, of a chord's wand that puts the centre in the plane of proximal joint, marker and the device's axis;
    None without a device."""
    marker_set, chord = pose.marker_set, pose.marker_set.points[point].chord
    device = marker_set.alignment_devices.get(chord.marker) if chord else None
    if chord is None or device is None or not set(device.labels) <= set(pose.markers) or chord.width not in pose.values:
        return None
    proximal, marker, wand = (pose.point(name) for name in (chord.proximal, chord.marker, chord.wand))
    markers = np.array([pose.point(name) for name in device.labels])
    distance = 0.5 * pose.values[chord.width] + pose.marker_radius
    axis = markers[0] - corner(markers, _inward(pose.markers, chord.marker, marker_set))
    turn = rotation_of_wand(proximal, marker, wand, distance, axis)
    seen = turn[np.isfinite(turn)]
    return float(-LATERAL_SIGN[side_of(point)] * seen.mean()) if len(seen) else None


def _middle(tracks: Sequence[np.ndarray]) -> np.ndarray:
    """Middle (3,) m of markers (T, 3), each averaged over the frames that show it."""
    return np.mean([track[np.isfinite(track).all(axis=1)].mean(axis=0) for track in tracks if _seen(track)], axis=0)


def _seen(track: np.ndarray) -> bool:
    return bool(np.isfinite(track).all(axis=1).any())


def _shown(labels: Iterable[str], tracks: Mapping[str, np.ndarray]) -> bool:
    return all(label in tracks and _seen(tracks[label]) for label in labels)
