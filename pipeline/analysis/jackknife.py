"""Standard error of a statistic of independent items by leaving out one at a time; Welch's interval of a difference.

The jackknife (Tukey 1958, Ann Math Stat 29, 614; Efron and Tibshirani 1993, ch. 11) needs no random numbers. For the
mean it gives the usual standard error, so that the interval of two means is Welch's (1947, Biometrika 34, 28-35).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

T = TypeVar("T")

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A statistic with its standard error, arrays of one shape.

    Attributes:
        value: over all items.
        error: standard error; NaN if fewer than two items have a value.
        count: number of items that have a value.
        parts: (N, ...) part of each item in the error, whose squares sum to that of the error; zero for an item without
            a value.
        known: (N, ...) whether an item has a value.
    """

    value: np.ndarray
    error: np.ndarray
    count: np.ndarray
    parts: np.ndarray
    known: np.ndarray

    def row(self, index: int) -> Estimate:
        """The estimate of one row of the value, such as that of a side."""
        own = self.value[index], self.error[index], self.count[index]
        return Estimate(*own, self.parts[:, index], self.known[:, index])


def jackknife(items: Sequence[T], statistic: Callable[[Sequence[T]], np.ndarray], known: np.ndarray) -> Estimate:
    """A statistic of all items and its standard error.

    Args:
        items: independent of each other, such as the walks of a session; not the cycles of one walk.
        statistic: of any subset of them, an array (...).
        known: (N, ...) whether an item contributes to each value; the other items do not change it.
    """
    value = np.asarray(statistic(items), dtype=float)
    count = known.sum(axis=0)
    if len(items) < 2:
        return Estimate(value, np.full(value.shape, np.nan), count, np.zeros(known.shape), known)
    without = np.array([statistic([*items[:k], *items[k + 1 :]]) for k in range(len(items))], dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = np.where(known, without, 0.0).sum(axis=0) / count
        parts = np.sqrt((count - 1) / count) * np.where(known, without - middle, 0.0)
        error = np.where(count > 1, np.sqrt((parts**2).sum(axis=0)), np.nan)
    return Estimate(value, error, count, parts, known)


def half_width(*estimates: Estimate) -> np.ndarray:
    """Half the 95 % confidence interval of one estimate, or of the difference of two independent ones.

    Uses Student's t with Welch's degrees of freedom; for a single estimate these are the number of items minus one.
    """
    from scipy.stats import t

    variances = [estimate.error**2 for estimate in estimates]
    together = sum(variances)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = (own**2 / (each.count - 1) for own, each in zip(variances, estimates, strict=True))
        wide = t.ppf(0.5 + 0.5 * CONFIDENCE, together**2 / sum(shares)) * np.sqrt(together)
    return np.where(together == 0.0, 0.0, wide)


def half_width_of_same(one: Estimate, other: Estimate) -> np.ndarray:
    """Half the 95 % confidence interval of the difference of two estimates from the same items, such as both sides of
    the same walks; an item may have a value in one of them alone.

    If all items have both values, this is the interval of the paired differences; if none has both, it is Welch's. In
    between, Student's t has the degrees of freedom of the estimate with fewer items.
    """
    from scipy.stats import t

    variance = ((other.parts - one.parts) ** 2).sum(axis=0)
    with np.errstate(invalid="ignore"):
        wide = t.ppf(0.5 + 0.5 * CONFIDENCE, np.minimum(one.count, other.count) - 1.0) * np.sqrt(variance)
    paired = np.where(np.isfinite(one.error + other.error), np.where(variance == 0.0, 0.0, wide), np.nan)
    return np.where((one.known & other.known).any(axis=0), paired, half_width(one, other))
