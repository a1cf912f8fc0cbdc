"""Velocity of a treadmill's belt from the lowest markers: those of feet on the ground move back with it.

Marker labels are not used.
"""

from __future__ import annotations

import numpy as np

MIN_BELT = 0.25
"""m/s; without a treadmill, a foot on the ground moves back more slowly: by up to 0.08 on twenty published walks."""

MAX_TRAVEL = 0.3
"""Fraction of the belt's path: a subject who travels farther walks over ground."""

LOW = 0.15
"""m: a marker belongs to the feet if its height in stance exceeds that of the lowest marker by less than this."""

IN_STANCE = 0.3
"""Fraction of the frames, those in which a marker is lowest, taken as stance; stance is a larger part of the cycle."""

STEP = 0.03
"""s before and after a frame over which velocity is computed."""


def belt_velocity(positions_L: np.ndarray, up: np.ndarray, rate: float, travel: np.ndarray) -> np.ndarray:
    """Median horizontal velocity (3,) m/s of the foot markers while they are low; zero if not on a treadmill.

    Args:
        positions_L: (T, K, 3) m; NaN where not seen.
        up: (3,) unit vector.
        rate: Hz.
        travel: (3,) m, horizontal displacement of the body over the recording.
    """
    step = max(1, round(STEP * rate))
    none = np.zeros(3)
    if len(positions_L) < 10 * step:
        return none
    velocity = (positions_L[2 * step :] - positions_L[: -2 * step]) * (rate / (2 * step))
    height = (positions_L @ up)[step:-step]
    seen = np.isfinite(height) & np.isfinite(velocity).all(axis=2)
    mostly = np.flatnonzero(seen.mean(axis=0) > 0.5)
    if not len(mostly):
        return none
    limits = {k: float(np.quantile(height[seen[:, k], k], IN_STANCE)) for k in mostly.tolist()}
    lowest = min(limits.values())
    of_feet = [velocity[seen[:, k] & (height[:, k] <= limit), k] for k, limit in limits.items() if limit < lowest + LOW]
    belt = np.median(np.concatenate(of_feet), axis=0)
    belt = belt - (belt @ up) * up
    speed = float(np.linalg.norm(belt))
    way = speed * len(positions_L) / rate
    return belt if speed > MIN_BELT and np.linalg.norm(travel) < MAX_TRAVEL * way else none
