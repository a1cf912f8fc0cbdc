"""Mean and median over the frames in which a signal is known."""

from __future__ import annotations

import numpy as np


def finite_mean(values: np.ndarray) -> np.ndarray:
    """Mean (...) of values (T, ...) over the frames that have all components; NaN where there is none."""
    return _complete(values).mean(axis=0)


def finite_median(values: np.ndarray) -> np.ndarray:
    """Median (...) of values (T, ...) over the frames that have all components; NaN where there is none."""
    return np.median(_complete(values), axis=0)


def _complete(values: np.ndarray) -> np.ndarray:
    complete = values[np.isfinite(values).all(axis=tuple(range(1, values.ndim)))]
    return complete if len(complete) else np.full((1, *values.shape[1:]), np.nan)
