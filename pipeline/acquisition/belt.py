"""Velocity of a treadmill's belt, with which the lowest markers, of feet on the ground, go back; without labels."""

from __future__ import annotations

import numpy as np

MIN_BELT = 0.25
"""m/s; slower markers of a foot on the ground are noise, rolling or sliding."""

MAX_TRAVEL = 0.3
"""Of the way of the belt: who travels farther walks over ground."""

LOW = 0.15
"""m above the lowest marker up to which a marker is one of the feet, by the height below which it is in stance."""

IN_STANCE = 0.3
"""Part of the frames, the lowest of a marker, in which its foot is on the ground: stance is more of the cycle."""

STEP = 0.03
"""s before and after over which a velocity is taken."""


def belt_velocity(positions_L: np.ndarray, up: np.ndarray, rate: float, travel: np.ndarray) -> np.ndarray:
    """Median velocity (3,) m/s of the feet's markers while they are low; zero where that is no treadmill.

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
