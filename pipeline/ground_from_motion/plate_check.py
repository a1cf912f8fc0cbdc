"""Plates that contradict the motion: the force measured in each step against the force estimated for the same step.

The estimate does not use the plate. A wrong scale of one channel, or a wrong body mass, therefore shows as the ratio of
the two over the step.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.conventions import X, Y
from pipeline.trial import Note, Stance

RANGES = (
    ("fore-aft", X, 0.65, 1.35, "0.82 to 1.15", "its channel's scale is wrong"),
    ("vertical", Y, 0.9, 1.1, "0.96 to 1.06", "its scale or the body mass is wrong"),
)
"""Direction, axis of G, limits, range in 56 clean steps of 23 walks, and a likely cause. Steps on a plate known to be
wrong have 0.41 to 0.55 fore-aft; steps of a walk with another person's mass 1.18 to 1.22 vertically. Lateral forces are
too small: 0.1 to 1.3 on clean steps."""


def force_ratios(measured_G: np.ndarray, estimated_G: np.ndarray) -> np.ndarray:
    """Least-squares ratio (3,) of measured to estimated force (F, 3), along X, Y and Z of G; NaN without a frame."""
    known = np.isfinite(measured_G).all(axis=1) & np.isfinite(estimated_G).all(axis=1)
    if not known.any():
        return np.full(3, np.nan)
    return np.sum(measured_G[known] * estimated_G[known], axis=0) / np.sum(estimated_G[known] ** 2, axis=0)


def contradictions(stance: Stance, measured_G: np.ndarray, estimated_G: np.ndarray) -> Iterator[Note]:
    """A warning for each direction in which a step's plate measured another force (T, 3) N than the motion needs."""
    frames = slice(stance.start, stance.stop)
    ratios = force_ratios(measured_G[frames], estimated_G[frames])
    for direction, axis, low, high, typical, cause in RANGES:
        if not np.isnan(ratios[axis]) and not low <= ratios[axis] <= high:
            text = (
                f"the {direction} force of the {stance.side} foot's step at {stance.onset:.2f} s is {ratios[axis]:.2f} "
                f"of what the motion of the whole body needs (limits {low:g} and {high:g}; {typical} on clean steps), "
                f"probably because {cause}: check plate and mass"
            )
            yield Note("warning", stance.on, text)
