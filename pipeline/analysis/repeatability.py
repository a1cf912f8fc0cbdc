"""Repeatability of a value over visits, or observers, of several subjects: reliability, error and limits of agreement.

Two-way analysis of variance of subjects and visits without replication. Intraclass correlation: Shrout PE, Fleiss JL
(1979) Psychol Bull 86:420-428, ICC(2,1): one visit, absolute agreement, visits as a random sample. Standard error of
measurement and minimal detectable change: Weir JP (2005) J Strength Cond Res 19:231-240. Limits of agreement: Bland
JM, Altman DG (1986) Lancet 327:307-310.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import f as f_distribution

from pipeline.conventions import BAND_95, array_of
from pipeline.errors import PipelineError

MIN_SUBJECTS = 3
"""Fewer tell nothing about the spread between subjects."""

_ROUNDING = 1e-9
"""Differences over the mean that are rounding errors of equal values."""


@dataclass(frozen=True)
class Repeatability:
    """Repeatability of one value; all but counts and correlations are in its units.

    Attributes:
        subjects, visits: how many.
        mean: over all subjects and visits.
        icc, icc_low, icc_high: intraclass correlation (2,1) and its 95 % confidence interval; NaN if no visit shows a
            difference between the subjects, the interval also if each subject has the same value at all visits.
        sem: standard error of measurement, the root of the residual mean square. A constant change from visit to visit
            is not in it.
        mdc: smallest change of a subject between two visits that is beyond errors of measurement, at 95 %.
        bias: mean change from the first to the last visit.
        low, high: limits within which 95 % of these changes are expected.
    """

    subjects: int
    visits: int
    mean: float
    icc: float
    icc_low: float
    icc_high: float
    sem: float
    mdc: float
    bias: float
    low: float
    high: float


def repeatability(values: np.ndarray) -> Repeatability:
    """Repeatability of values (n, k) of n subjects at k visits without treatment, or by k observers.

    Raises:
        PipelineError: there are fewer than `MIN_SUBJECTS` subjects or two visits, or a value is missing.
    """
    values = array_of("values", values, ("n", "k"), where="repeatability")
    n, k = values.shape
    if n < MIN_SUBJECTS or k < 2 or not np.isfinite(values).all():
        problem = f"{n} subjects with {k} visits, {np.sum(~np.isfinite(values))} values missing"
        remedy = f"Give at least two values of each of at least {MIN_SUBJECTS} subjects"
        raise PipelineError(problem, where="repeatability", remedy=remedy)
    mean, of_subjects, of_visits = values.mean(), values.mean(axis=1), values.mean(axis=0)
    subjects = k * np.sum((of_subjects - mean) ** 2) / (n - 1)
    visits = n * np.sum((of_visits - mean) ** 2) / (k - 1)
    residual = np.sum((values - of_subjects[:, None] - of_visits + mean) ** 2) / ((n - 1) * (k - 1))
    sem = float(np.sqrt(residual))
    change = values[:, -1] - values[:, 0]
    bias, half = float(change.mean()), BAND_95 * float(change.std(ddof=1))
    correlation = (np.nan,) * 3
    if max(subjects, residual) > (_ROUNDING * mean) ** 2:
        correlation = _correlation(n, k, float(subjects), float(visits), float(residual))
    mdc = BAND_95 * float(np.sqrt(2.0)) * sem
    return Repeatability(n, k, float(mean), *correlation, sem, mdc, bias, bias - half, bias + half)


def _correlation(n: int, k: int, subjects: float, visits: float, residual: float) -> tuple[float, float, float]:
    """ICC(2,1) and its 95 % interval from the mean squares (Shrout and Fleiss 1979, pages 423 and 424)."""
    total = subjects + (k - 1) * residual + k * (visits - residual) / n
    icc = (subjects - residual) / total
    if not icc < 1.0:
        return icc, np.nan, np.nan
    ratio, within = k * icc / (n * (1.0 - icc)), 1.0 + k * icc * (n - 1) / (n * (1.0 - icc))
    scale = (ratio * visits) ** 2 / (k - 1) + (within * residual) ** 2 / ((n - 1) * (k - 1))
    freedom = (ratio * visits + within * residual) ** 2 / scale
    below, above = f_distribution.ppf(0.975, n - 1, freedom), f_distribution.ppf(0.975, freedom, n - 1)
    both = k * visits + (k * n - k - n) * residual
    with np.errstate(divide="ignore", invalid="ignore"):  # an unlimited quantile for fewer than one degree of freedom
        low = n * (subjects - below * residual) / (below * both + n * subjects)
        high = n * (above * subjects - residual) / (both + n * above * subjects)
    return icc, float(low), float(high)
