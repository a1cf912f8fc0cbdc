"""Speeds of a treadmill's belts, one under each foot, from the feet that stand on them, and their travel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.acquisition import MIN_BELT
from pipeline.conventions import SIDES, X
from pipeline.signals.contact import Foot
from pipeline.signals.finite import finite_mean, finite_median

ROLLING = 0.1
"""m/s; a flat foot over ground moves back more slowly: by up to 0.08 on twenty published walks."""


def backward_speed(foot: Foot, time: np.ndarray, start: float, end: float) -> float:
    """Mean speed, m/s, at which heel and toe move back between two instants, s; NaN if neither is seen at both."""
    ends = np.array([np.interp([start, end], time, part[:, X], np.nan, np.nan) for part in (foot.heel, foot.toe)])
    return float(finite_mean(ends[:, 0] - ends[:, 1])) / (end - start)


def belt_travel(belt: float, time: np.ndarray) -> np.ndarray:
    """Displacement (T, 3) m to add to a point at times (T,) s, for one at rest on a belt of a speed in m/s to be at
    rest in G."""
    return np.outer(belt * time, np.eye(3)[X])


def belt_speeds(flat: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Speed, m/s, of the belt under each foot; zero for both unless both feet move back, one as on a treadmill.

    One foot alone does so over ground, on the way back of a walk there and back if the events of its side are wrong.

    Args:
        flat: by side, the speed at which each flat foot moves back. A side without any gets the other one's belt.
    """
    speeds = {side: float(finite_median(np.array(flat.get(side, ())))) for side in SIDES}
    known = [speed for speed in speeds.values() if np.isfinite(speed)]
    if not known or max(known) <= MIN_BELT or min(known) <= ROLLING:
        return dict.fromkeys(SIDES, 0.0)
    return {side: speed if np.isfinite(speed) else known[0] for side, speed in speeds.items()}
