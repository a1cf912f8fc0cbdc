r"""Flexion axes of the knees from a trial in which they are bent: symmetrical axis of rotation approach (SARA; Ehrig et
al. 2007, J Biomech 40, 2150-2157).

The axis is given by the directions :math:`a_1` in the thigh and :math:`a_2` in the shank that stay closest to parallel:
:math:`\min \sum_t |R_1 a_1 - R_2 a_2|^2` with :math:`|a_1|^2 + |a_2|^2 = 1`, that is, the right singular vector of the
smallest singular value of the rows :math:`[R_1, -R_2]`. Only the direction of the axis is found; it is taken to pass
through the joint centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.anatomy.chord import rotation_of_wand
from pipeline.anatomy.cluster import cluster_pose, cluster_shape
from pipeline.anatomy.functional_hip import CUTOFF
from pipeline.anatomy.marker_set import Chord, MarkerSet
from pipeline.anatomy.pose import BodyPose
from pipeline.conventions import LATERAL_SIGN, SIDES, X, Z
from pipeline.errors import AnatomyError
from pipeline.signals import low_pass
from pipeline.trial import Calibration, RawTrial

MIN_FLEXION = 50.0
"""Degrees; smallest range of knee flexion. On synthetic trials of five marker sets with skin movement of 4 mm, the axis
was off by 1.0 degrees (root mean square) for 90 degrees of flexion, by 1.7 for 50 and by 2.7 for 30."""

MAX_SPREAD = 7.0
"""Degrees, root mean square angle between the axes in thigh and shank. On those trials, and on others with 2 and 8 mm,
the axis was off by at most 6 degrees if the angle was below this, and by up to 8 if above."""


@dataclass(frozen=True)
class FunctionalKnee:
    """A knee's flexion axis, and the evidence for it.

    Attributes:
        name, value: the subject value that aligns the thigh's axis with it, and its amount, rad.
        turn: degrees about the thigh's long axis from the axis of the calibration; positive turns the front inwards.
        flexion: range of knee flexion, degrees.
        spread: degrees, root mean square angle between the axes in thigh and shank.
    """

    name: str
    value: float
    turn: float
    flexion: float
    spread: float


def common_axis(R_G1: np.ndarray, R_G2: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The direction that two moving bodies share best: unit vectors (3,) in the axes of each body, and the root mean
    square angle (rad) between them.

    Args:
        R_G1, R_G2: (T, 3, 3) orientations; finite.
    """
    rows = np.concatenate([R_G1, -R_G2], axis=2).reshape(-1, 6)
    _, size, Vt = np.linalg.svd(rows, full_matrices=False)
    a_1, a_2 = (part / np.linalg.norm(part) for part in (Vt[-1, :3], Vt[-1, 3:]))
    return a_1, a_2, float(size[-1] * np.sqrt(2.0 / len(R_G1)))


def turn_about(axis_1: np.ndarray, axis_2: np.ndarray, R_12: np.ndarray) -> np.ndarray:
    """Angle (T,) rad of body 2 in body 1, R_12 (T, 3, 3), about an axis (3,) given in the axes of both."""
    across = np.cross(axis_2, np.eye(3)[np.argmin(np.abs(axis_2))])
    e = np.cross(axis_1, np.eye(3)[np.argmin(np.abs(axis_1))])
    seen = R_12 @ across
    return np.unwrap(np.arctan2(seen @ np.cross(axis_1, e), seen @ e))


def functional_knees(
    trial: RawTrial, static: RawTrial, marker_set: MarkerSet, calibration: Calibration
) -> dict[str, FunctionalKnee]:
    """Knee axes by side from a trial in which both knees are bent.

    Args:
        trial: knees flexed and extended, standing on one leg or sitting.
        static: the static trial of the same markers.
        marker_set: a set with an offset of the thigh frame about its long axis: a rotation of the wand, or a turn.
        calibration: of the static trial.

    Raises:
        AnatomyError: the set has no such offset or no markers that follow the segments, no frame shows both, a knee
            moves too little, or thigh and shank share no axis.
    """
    smooth_G = low_pass(trial.markers_G, trial.rate, CUTOFF, 4)
    moving, standing = (
        BodyPose.calibrated(marker_set, dict(zip(names, np.swapaxes(tracks, 0, 1), strict=True)), calibration, name)
        for names, tracks, name in (
            (trial.marker_names, smooth_G, trial.name),
            (static.marker_names, static.markers_G, static.name),
        )
    )
    return {side: _knee(moving, standing, side) for side in SIDES}


def _knee(moving: BodyPose, standing: BodyPose, side: str) -> FunctionalKnee:
    where = f"trial {moving.where}, {side} knee"
    thigh, shank = (_bodies(moving, standing, side, joint, where) for joint in ("knee", "ankle"))
    seen = np.all([np.isfinite(R).all(axis=(1, 2)) for R in (thigh[0], shank[0])], axis=0)
    if not seen.any():
        raise AnatomyError(
            "no frame shows thigh and shank", where=where, remedy="Check the labels against the marker set"
        )
    R_1, R_2 = thigh[0][seen], shank[0][seen]
    a_1, a_2, spread = common_axis(R_1, R_2)
    flexion = float(np.degrees(np.ptp(turn_about(a_1, a_2, np.swapaxes(R_1, 1, 2) @ R_2))))
    spread = float(np.degrees(spread))
    if flexion < MIN_FLEXION:
        raise AnatomyError(
            f"it bends by {flexion:.0f} degrees (limit {MIN_FLEXION:g}), which does not determine its axis",
            where=where,
            remedy="Record a trial in which each knee is flexed and extended several times",
        )
    if spread > MAX_SPREAD:
        raise AnatomyError(
            f"thigh and shank share no axis within {spread:.1f} degrees (limit {MAX_SPREAD:g}); the knee rotated, skin "
            "moved the markers, or a label is wrong",
            where=where,
            remedy="Check the labels in this trial, or only flex and extend the knee",
        )
    axis_G = thigh[1] @ a_1
    lateral = standing.frame(standing.marker_set.joints[f"{side}_knee"].proximal)
    axis_G = axis_G * np.sign(np.nanmean(np.sum(axis_G * lateral[:, :, Z], axis=1)))
    name, value = _offset(standing, side, axis_G, where)
    return FunctionalKnee(name, value, LATERAL_SIGN[side] * np.degrees(_turn(lateral, axis_G)), flexion, spread)


def _bodies(moving: BodyPose, standing: BodyPose, side: str, joint: str, where: str) -> tuple[np.ndarray, np.ndarray]:
    """Orientations (T, 3, 3) of the segment above a joint in both trials, from the markers that follow it."""
    joints, points = moving.marker_set.joints, moving.marker_set.points
    name = f"{side}_{joint}"
    point = points.get(joints[name].centre) if name in joints else None
    if point and point.chord:
        labels = _above(moving.marker_set, point.chord)
        standing_tracks, moving_tracks = (
            np.stack([pose.point(label) for label in labels], axis=1) for pose in (standing, moving)
        )
        shape = cluster_shape(standing_tracks)
        return cluster_pose(shape, moving_tracks).R_GS, cluster_pose(shape, standing_tracks).R_GS
    parts = (point.mean or ()) if point else ()
    fixed = [points[part].fixed_in for part in parts if part in points and points[part].fixed_in]
    if not fixed:
        raise AnatomyError(
            f"marker set {moving.marker_set.name} has no markers that follow the segment above the {joint}",
            where=where,
            remedy="Use a set with a wand or a cluster on thigh and shank",
        )
    return moving.frame(str(fixed[0])), standing.frame(str(fixed[0]))


def _above(marker_set: MarkerSet, chord: Chord) -> Sequence[str]:
    """Three points of the segment above a joint: the marker of the joint above it, or the hip centre; the wand; and the
    joint's own marker."""
    above = marker_set.points.get(chord.proximal)
    return (above.chord.marker if above and above.chord else chord.proximal, chord.wand, chord.marker)


def _offset(standing: BodyPose, side: str, axis_G: np.ndarray, where: str) -> tuple[str, float]:
    """Name and amount of the subject value that aligns the thigh's axis with axis_G (T, 3), pointing to the right."""
    marker_set = standing.marker_set
    joint = marker_set.joints[f"{side}_knee"]
    name, chord = marker_set.knee_axis_offset(side), marker_set.points[joint.centre].chord
    if name is None:
        raise AnatomyError(
            f"marker set {marker_set.name} has no offset for the thigh's axis",
            where=where,
            remedy="Give the knee's chord a 'rotation', or make the thigh's frame a 'turned' one",
        )
    if chord:
        proximal, marker, wand = (standing.point(label) for label in (chord.proximal, chord.marker, chord.wand))
        distance = 0.5 * standing.values[chord.width] + standing.marker_radius
        turn = float(np.nanmean(rotation_of_wand(proximal, marker, wand, distance, LATERAL_SIGN[side] * axis_G)))
    else:
        turned = marker_set.frames[joint.proximal].turned
        turn = _turn(standing.frame(turned.frame if turned else ""), axis_G)
    return name, -LATERAL_SIGN[side] * turn


def _turn(R_GS: np.ndarray, axis_G: np.ndarray) -> float:
    """Mean angle (rad) about y from a frame's z to an axis (T, 3)."""
    axis_S = np.einsum("tji,tj->ti", R_GS, axis_G)
    return float(np.nanmean(np.arctan2(axis_S[:, X], axis_S[:, Z])))
