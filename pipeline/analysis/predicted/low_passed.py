"""A predicted walk after the low-pass filter of a measured one, so that the curves compared are processed alike.

Measured loads and motion have passed a low-pass filter of about 6 Hz. It spreads the rise of the ground reaction over
half a tenth of a second before and after initial contact and lowers peaks. Predicted ones have not passed it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from scipy.interpolate import make_interp_spline

from pipeline.analysis.predicted.cycle import SEGMENTS
from pipeline.analysis.predicted.stride import whole_stride
from pipeline.math3d import Wrench, nearest_rotation
from pipeline.signals import low_pass
from pipeline.trial import LowPass, PredictedJoint, PredictedWalk, SegmentPose

MIN_SAMPLES = 400
"""Samples a stride: for frequencies up to 15 Hz the filter at that rate acts like one at the cameras' rate."""

SAMPLES_A_PERIOD = 8
"""Minimum number of samples in a period of the cut-off frequency."""


def low_passed(walk: PredictedWalk, filter: LowPass | None) -> PredictedWalk:
    """A walk with its segments, points, joints and ground reactions filtered like those of a measured walk.

    Orientations and points are filtered like the markers, and ground reactions like plate loads, which are zero outside
    contact. A joint's load is filtered in two parts: the share of the foot's ground reaction like plate loads, the rest
    like the motion. Coordinates of the skeleton and their loads stay as they are.

    Args:
        walk: the prediction.
        filter: of the measured walk; None, for curves of many walks, returns the walk as it is.
    """
    if filter is None:
        return walk
    stride = whole_stride(walk)
    motion, loads = (
        partial(_periodic, time=stride.time, frames=len(walk.time), cutoff=cutoff, order=filter.order)
        for cutoff in (filter.markers, filter.forces)
    )
    advance = np.outer(stride.time, [walk.task.speed, 0.0, 0.0])
    in_contact = {side: _in_contact(load)[: len(walk.time)] for side, load in stride.ground.items()}

    def load_of(side: str, load: Wrench) -> Wrench:
        """Force and moment about the point of application, which stays where it is."""
        force, moment = (np.where(in_contact[side], loads(one), 0.0) for one in (load.force_G, load.moment_G))
        return Wrench(force, moment, load.point_G[: len(walk.time)])

    def joint_of(name: str, joint: PredictedJoint) -> PredictedJoint:
        side, kind = name.split("_", 1)
        ground = stride.ground[side].about(stride.segments[f"{side}_{SEGMENTS[kind][1]}"].origin_G)
        force, moment = (
            motion(own + of_ground) - np.where(in_contact[side], loads(of_ground), 0.0)
            for own, of_ground in ((joint.force_G, ground.force_G), (joint.moment_G, ground.moment_G))
        )
        return PredictedJoint(force, moment, motion(joint.omega_G))

    def place_of(point: np.ndarray) -> np.ndarray:
        return motion(point - advance) + advance[: len(walk.time)]

    return replace(
        walk,
        segments={
            name: SegmentPose(nearest_rotation(motion(pose.R_GS)), place_of(pose.origin_G))
            for name, pose in stride.segments.items()
        },
        points={name: place_of(point) for name, point in stride.points.items()},
        ground={side: load_of(side, load) for side, load in stride.ground.items()},
        joints={name: joint_of(name, joint) for name, joint in stride.joints.items()},
    )


def _in_contact(load: Wrench) -> np.ndarray:
    """(N, 1) whether a foot is on the ground; its load is zero at initial contact and foot off themselves."""
    loaded = np.append((load.force_G[:-1] != 0.0).any(axis=1), False)
    loaded[-1] = loaded[0]
    around = loaded | np.append(loaded[1:], loaded[1]) | np.append(loaded[-2], loaded[:-1])
    return around[:, None]


def _periodic(values: np.ndarray, time: np.ndarray, frames: int, cutoff: float, order: int) -> np.ndarray:
    """The first frames of values (N, ...) of a periodic stride after the filter."""
    period = time[-1] - time[0]
    count = max(MIN_SAMPLES, int(np.ceil(SAMPLES_A_PERIOD * cutoff * period)))
    even = time[0] + period * np.arange(count + 1) / count
    stride = make_interp_spline(time, values, k=1)(even)[:-1]
    filtered = low_pass(np.concatenate([stride] * 3), count / period, cutoff, order)[count : 2 * count + 1]
    return make_interp_spline(even, filtered, k=1)(time[:frames])
