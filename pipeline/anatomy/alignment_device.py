"""Knee alignment devices of a static trial: three markers in place of the knee's, which show its place and axis.

The device's three wires stand at right angles and are of one length, so that its markers are the corners of an
equilateral triangle, and the knee's marker would be where the wires meet: above the triangle's middle by its side over
the square root of six, on the side of the body. The wire to the first marker lies along the knee's flexion axis (Davis
et al. 1991; as in Plug-in Gait).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.anatomy.chord import rotation_of_wand
from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.pose import BodyPose
from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.math3d import unit
from pipeline.trial import Note, RawTrial

MAX_UNEQUAL = 0.15
"""Part of their mean by which the triangle's sides may differ: 1 % on four devices of two people."""


def with_device_corners(trial: RawTrial, marker_set: MarkerSet) -> RawTrial:
    """The recording with the markers that alignment devices stand for, where it lacks them, and a note on each."""
    columns, notes = {}, []
    body = _middle(trial.markers_G)
    for label, device in marker_set.alignment_devices.items():
        if label in trial.marker_names or not set(device.labels) <= set(trial.marker_names):
            continue
        markers = np.array([trial.marker(name) for name in device.labels])
        sides = np.linalg.norm(markers - np.roll(markers, 1, axis=0), axis=2)
        mean = sides[:, np.isfinite(sides).all(axis=0)].mean(axis=1) if np.isfinite(sides).all(axis=0).any() else sides
        listed = ", ".join(device.labels)
        if not np.ptp(mean) < MAX_UNEQUAL * np.mean(mean):
            lengths = ", ".join(f"{1000 * side:.0f}" for side in np.atleast_2d(mean.T)[0])
            text = f"not built from {listed}: they are {lengths} mm apart, no corners of an alignment device"
            notes.append(Note("warning", label, f"{text}; check their labels"))
            continue
        columns[label] = corner(markers, body)
        notes.append(Note("info", label, f"built from the alignment device {listed}"))
    if not columns:
        return replace(trial, notes=(*trial.notes, *notes)) if notes else trial
    return replace(
        trial,
        marker_names=(*trial.marker_names, *columns),
        markers_G=np.concatenate([trial.markers_G, np.stack(list(columns.values()), axis=1)], axis=1),
        notes=(*trial.notes, *notes),
    )


def corner(markers: np.ndarray, body: np.ndarray) -> np.ndarray:
    """Where the wires of a device meet, (T, 3) m.

    Args:
        markers: (3, T, 3) m.
        body: (T, 3) m, a point on the side of the triangle that the wires come from.
    """
    first, second, third = markers
    middle, normal = markers.mean(axis=0), unit(np.cross(second - first, third - first))
    side = np.linalg.norm(markers - np.roll(markers, 1, axis=0), axis=2).mean(axis=0)
    towards = np.sign(np.sum((body - middle) * normal, axis=1))
    return middle + (towards * side / np.sqrt(6.0))[:, None] * normal


def rotation_by_device(pose: BodyPose, point: str) -> float | None:
    """The offset, rad, of a chord's wand with which its centre is in the plane of proximal joint, marker and the
    device's axis; None where no device shows it."""
    marker_set, chord = pose.marker_set, pose.marker_set.points[point].chord
    device = marker_set.alignment_devices.get(chord.marker) if chord else None
    if chord is None or device is None or not set(device.labels) <= set(pose.markers) or chord.width not in pose.values:
        return None
    proximal, marker, wand = (pose.point(name) for name in (chord.proximal, chord.marker, chord.wand))
    markers = np.array([pose.point(name) for name in device.labels])
    distance = 0.5 * pose.values[chord.width] + pose.marker_radius
    turn = rotation_of_wand(proximal, marker, wand, distance, markers[0] - corner(markers, proximal))
    seen = turn[np.isfinite(turn)]
    side = next(name for name in SIDES if point.startswith(name))
    return float(-LATERAL_SIGN[side] * seen.mean()) if len(seen) else None


def _middle(markers_G: np.ndarray) -> np.ndarray:
    """Middle (T, 3) m of the markers that each frame shows."""
    seen = np.isfinite(markers_G).all(axis=2, keepdims=True)
    count = np.maximum(seen.sum(axis=1), 1)
    return np.where(seen, markers_G, 0.0).sum(axis=1) / count
