"""Joint angles of the static trial, in which the subject may face any direction."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.anatomy import BodyPose, MarkerSet, body_motion
from pipeline.conventions import X, Y
from pipeline.math3d import rotation_from_axes
from pipeline.trial import Calibration, MarkersAndPlates

_UP = np.eye(3)[Y]


def standing_angles(
    calibration: Calibration, static: MarkersAndPlates, marker_set: MarkerSet
) -> Mapping[str, np.ndarray]:
    """Angles (T, 3) rad by joint; those of the pelvis refer to the direction that it faces on average.

    Tilt and obliquity in G are those of the pelvis only if the subject faces along the progression; if the subject
    faces the other way, both change sign.
    """
    markers = {name: static.marker(name) for name in static.marker_names}
    R_GP = BodyPose.calibrated(marker_set, markers, calibration).frame("pelvis")
    seen = np.isfinite(R_GP).all(axis=(1, 2))
    facing = R_GP[seen, :, X].mean(axis=0) if seen.any() else np.eye(3)[X]
    R_FG = rotation_from_axes(_UP, facing, "yx").T
    turned = {name: track @ R_FG.T for name, track in markers.items()}
    return body_motion(turned, static.rate, marker_set, calibration).angles
