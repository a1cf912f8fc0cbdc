"""Marker and joint centre positions in the static pose: medians of the static trial, or one frame of a moving trial."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.anatomy import Attachments, BodyPose, MarkerSet
from pipeline.conventions import SIDES
from pipeline.trial import MarkersAndPlates, MotionAndPlates, Note

MAX_TRAVEL = 0.05
"""m; if the median marker travels farther, the trial is a walk, and one of its frames serves as static pose."""


def static_positions(
    static: MarkersAndPlates, marker_set: MarkerSet, definition: Attachments, kinematics: MotionAndPlates
) -> tuple[dict[str, np.ndarray], list[Note]]:
    """Positions (3,) m in G of markers and joint centres in the static pose, by name, and a note if one was assumed.

    They are medians over the frames. If the trial moves, they are those of the frame with the straightest legs (largest
    distances from hip to ankle) among the frames with the most markers.
    """
    calibration = kinematics.calibration
    markers = {name: static.marker(name) for name in static.marker_names}
    pose = BodyPose(marker_set, markers, calibration.values, calibration.hip_method)
    points = {name: pose.point(name) for name in definition.centres} | markers
    known = {name: track[np.isfinite(track).all(axis=1)] for name, track in points.items()}
    travel = float(np.linalg.norm(np.median([np.ptp(known[n], axis=0) for n in markers if len(known[n])], axis=0)))
    if travel <= MAX_TRAVEL:
        return {name: np.median(track, axis=0) for name, track in known.items() if len(track)}, []
    frame = _straightest_legs(pose, points)
    text = (
        f"the static trial moves by {travel:.2f} m, so its frame {frame + 1}, with the straightest legs, is taken as "
        "standing upright, and all angles share its error (on published walks up to 5 degrees for pelvis and legs, 10 "
        "for ankle inversion and 15 for the arms): record a static trial"
    )
    return {name: track[frame] for name, track in points.items()}, [Note("assumed", static.name, text)]


def _straightest_legs(pose: BodyPose, points: Mapping[str, np.ndarray]) -> int:
    """Frame with the largest hip to ankle distances among the frames with the most points (T, 3)."""
    count = np.isfinite(np.stack(list(points.values()), axis=1)).all(axis=2).sum(axis=1)
    joints = pose.marker_set.joints
    centres = {name: pose.point(joint.centre) for name, joint in joints.items() if name.endswith(("_hip", "_ankle"))}
    legs = [
        np.linalg.norm(centres[f"{side}_hip"] - centres[f"{side}_ankle"], axis=1)
        for side in SIDES
        if {f"{side}_hip", f"{side}_ankle"} <= set(centres)
    ]
    return int(np.argmax(np.where(count == count.max(), np.nan_to_num(legs).sum(axis=0), -1.0)))
