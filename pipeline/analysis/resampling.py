"""Resampling of curves over time to percents of a gait cycle, and means of curves that are known in part."""

from __future__ import annotations

import numpy as np

PERCENT = np.linspace(0.0, 100.0, 101)
"""The percents of a cycle, or of stance, at which curves are given."""


def resample(values: np.ndarray, time: np.ndarray, start: float, stop: float) -> np.ndarray:
    """Values (T, ...) at the 101 percents of a cycle, linear between frames; NaN next to a missing frame.

    Unknown percents between an end of the cycle and the first frame within it are extrapolated from this frame and the
    next one: the loads of a leg end at the next contact with the floor, which is between frames.
    """
    instants = start + PERCENT / 100.0 * (stop - start)
    position = np.interp(instants, time, np.arange(len(time)), left=np.nan, right=np.nan)
    inside = np.isfinite(position)
    lower = np.floor(np.where(inside, position, 0)).astype(int)
    upper = np.minimum(lower + 1, len(time) - 1)
    share = (np.where(inside, position, np.nan) - lower).reshape(-1, *[1] * (values.ndim - 1))
    curve = np.where(share == 0.0, values[lower], (1.0 - share) * values[lower] + share * values[upper])
    for end, inwards in ((0, 1), (-1, -1)):
        near = inwards * int(np.floor(inwards * position[end]) + 1) if inside[end] else -2
        if 0 <= near + inwards < len(time):
            beyond = inwards * position < inwards * near
            way = (position[beyond] - near).reshape(-1, *[1] * (values.ndim - 1))
            slope = inwards * (values[near + inwards] - values[near])
            curve[beyond] = np.where(np.isnan(curve[beyond]), values[near] + way * slope, curve[beyond])
    return curve


def mean_where_known(curves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sample standard deviation (N,) of each value over the curves (n, N) in which it is known; NaN where
    there are too few."""
    count = np.isfinite(curves).sum(axis=0)
    mean = np.where(count > 0, np.nansum(curves, axis=0) / np.maximum(count, 1), np.nan)
    squares = np.nansum((curves - mean) ** 2, axis=0)
    return mean, np.where(count > 1, np.sqrt(squares / np.maximum(count - 1, 1)), np.nan)
