"""Agreement of two curves over the gait cycle: RMSE, offset, correlation, and difference and delay of the peak."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MIN_COUNT = 3
"""Number of values that both curves must have for any measure; fewer define no shape."""


@dataclass(frozen=True)
class Agreement:
    """Measures of a curve against a reference, over the percents at which both have values; NaN where undefined.

    Attributes:
        count: number of those percents.
        rmse: root mean square difference, in the curves' units.
        offset: mean of the curve minus that of the reference.
        rmse_shape: rmse after the offset is subtracted.
        nrmse: rmse over the range of the reference at those percents.
        r: Pearson's correlation; undefined for a constant curve.
        peak: peak of the curve minus that of the reference. The peak is the value farthest from zero in the reference,
            and the maximum in the same direction in the curve.
        reference_peak: peak of the reference.
        timing: percent of the cycle by which the curve's peak comes later, in [-50, 50): the cycle repeats.
    """

    count: int
    rmse: float
    offset: float
    rmse_shape: float
    nrmse: float
    r: float
    peak: float
    reference_peak: float
    timing: float


def curve_agreement(percent: np.ndarray, curve: np.ndarray, reference: np.ndarray) -> Agreement:
    """Compare two curves (N,) given at the same percents (N,) of the cycle."""
    both = np.isfinite(curve) & np.isfinite(reference)
    at, own, other = percent[both], curve[both], reference[both]
    if len(at) < MIN_COUNT:
        return Agreement(len(at), *[float("nan")] * 8)
    difference = own - other
    rmse, offset = float(np.sqrt(np.mean(difference**2))), float(difference.mean())
    extent = float(np.ptp(other))
    varies = min(extent, float(np.ptp(own))) > 0.0
    sign = 1.0 if other.max() >= -other.min() else -1.0
    own_peak, other_peak = int(np.argmax(sign * own)), int(np.argmax(sign * other))
    return Agreement(
        count=len(at),
        rmse=rmse,
        offset=offset,
        rmse_shape=float(np.sqrt(np.mean((difference - offset) ** 2))),
        nrmse=rmse / extent if extent > 0.0 else float("nan"),
        r=float(np.corrcoef(own, other)[0, 1]) if varies else float("nan"),
        peak=float(own[own_peak] - other[other_peak]),
        reference_peak=float(other[other_peak]),
        timing=float((at[own_peak] - at[other_peak] + 50.0) % 100.0 - 50.0),
    )
