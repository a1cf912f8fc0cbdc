"""A walk with another cut-off frequency, other markers or another calibration; events, stances and cycles are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from pipeline.anatomy import MarkerSet, body_motion
from pipeline.config import EventSettings, FilterSettings
from pipeline.conventions import GRAVITY
from pipeline.kinematics.walk import plate_loads, prepare
from pipeline.signals import low_pass
from pipeline.trial import Calibration, Kinematics, RawTrial


def refiltered(
    walk: RawTrial,
    kinematics: Kinematics,
    marker_set: MarkerSet,
    filter: FilterSettings,
    frequencies: Iterable[float],
    events: EventSettings,
) -> Iterator[Kinematics]:
    """Yield the walk for each cut-off frequency of the markers.

    Args:
        walk: recording.
        kinematics: of the same walk.
        marker_set: the set used for its calibration.
        filter: section of the configuration; the forces' cut-off is the markers' unless given there.
        frequencies: Hz.
        events: thresholds of the plates.
    """
    prepared = prepare(walk, filter)
    walk = prepared.walk
    events = events.for_weight(kinematics.calibration.values["mass"] * GRAVITY)
    for chosen in map(filter.low_pass, frequencies):
        markers_G = low_pass(prepared.filled_G, walk.rate, chosen.markers, chosen.order)
        plates, _ = plate_loads(walk, chosen, events, kinematics.stances)
        smooth = displaced(kinematics, marker_set, kinematics.calibration, markers_G)
        yield replace(smooth, plates=plates, low_pass=chosen)


def displaced(
    kinematics: Kinematics, marker_set: MarkerSet, calibration: Calibration, markers_G: np.ndarray
) -> Kinematics:
    """The walk with other filtered markers (T, K, 3) or another calibration; everything else is kept."""
    markers = {name: markers_G[:, k] for k, name in enumerate(kinematics.marker_names)}
    motion = body_motion(markers, kinematics.rate, marker_set, calibration)
    return replace(
        kinematics,
        markers_G=markers_G,
        points=motion.points,
        segments=motion.segments,
        joints=motion.joints,
        angles=motion.angles,
        calibration=calibration,
    )
