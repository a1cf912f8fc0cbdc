"""A module with the interface of spm1d that the pipeline uses; its threshold is that of one test, not of a field."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from scipy import stats as scipy_stats


class _Statistic:
    def __init__(self, t: np.ndarray, degrees: float) -> None:
        self.t, self.degrees = t, degrees

    def inference(self, alpha: float, two_tailed: bool) -> SimpleNamespace:
        assert two_tailed
        threshold = float(scipy_stats.t.isf(0.5 * alpha, self.degrees))
        edges = np.flatnonzero(np.diff(np.concatenate([[False], np.abs(self.t) > threshold, [False]]).astype(int)))
        clusters = [SimpleNamespace(endpoints=(a, b - 1), P=0.01) for a, b in edges.reshape(-1, 2)]
        return SimpleNamespace(z=self.t, zstar=threshold, df=(1.0, self.degrees), clusters=clusters)


def _paired(one: np.ndarray, other: np.ndarray) -> _Statistic:
    return _Statistic(scipy_stats.ttest_rel(one, other).statistic, len(one) - 1.0)


def _two_sample(one: np.ndarray, other: np.ndarray, equal_var: bool) -> _Statistic:
    return _Statistic(scipy_stats.ttest_ind(one, other, equal_var=equal_var).statistic, len(one) + len(other) - 2.0)


stats = SimpleNamespace(ttest_paired=_paired, ttest2=_two_sample)
