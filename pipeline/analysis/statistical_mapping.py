"""One-dimensional statistical parametric mapping of two sets of curves (Pataky 2010, J Biomech 43(10), 1976-1982).

It needs spm1d, an optional dependency because its licence is the GPL-3: ``pip install .[spm]``.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pipeline.analysis.cycles import WHOLE
from pipeline.analysis.resampling import PERCENT
from pipeline.analysis.summary import side_curves
from pipeline.analysis.variables import CYCLE_VARIABLES, SIDES_TESTED
from pipeline.conventions import SIDES
from pipeline.errors import PipelineError
from pipeline.trial import Cluster, GaitCycles, StatisticalMap

ALPHA = 0.05
"""Probability that smooth random curves without a difference exceed the threshold anywhere."""

MIN_CURVES = 3
"""Minimum number of curves in a set for a meaningful variance."""


class MappingError(PipelineError):
    """The curves cannot be compared, or spm1d is not installed."""


def installed() -> bool:
    """Whether spm1d can be imported."""
    return importlib.util.find_spec("spm1d") is not None


def paired(one: np.ndarray, other: np.ndarray) -> StatisticalMap:
    """Paired t test of curves that belong together row by row, such as measured walks and their predictions.

    Args:
        one, other: (J, N) curves.

    Raises:
        MappingError: spm1d is not installed, or the curves are too few, do not vary, or have missing values.
    """
    if np.shape(one) != np.shape(other):
        raise MappingError(f"curves of the shapes {np.shape(one)} and {np.shape(other)} do not form pairs")
    _check(one, other, np.subtract(one, other))
    return _inference(_spm1d().stats.ttest_paired(one, other), one, other)


def two_sample(one: np.ndarray, other: np.ndarray) -> StatisticalMap:
    """Student's t test of two sets, (J, N) and (K, N), such as both sides' cycles; otherwise as `paired`.

    Both sets are assumed to have equal variances: without this assumption, spm1d 0.4 keeps the pooled statistic and
    changes only the degrees of freedom, which is not Welch's test.
    """
    if np.shape(one)[1:] != np.shape(other)[1:]:
        raise MappingError(f"curves of {np.shape(one)[1]} and {np.shape(other)[1]} nodes cannot be compared")
    _check(one, other, one, other)
    return _inference(_spm1d().stats.ttest2(one, other, equal_var=True), one, other)


def sides_compared(walks: Sequence[GaitCycles]) -> dict[str, StatisticalMap]:
    """All complete cycles of the left side against all of the right, by variable, for those that can be compared.

    Raises:
        MappingError: spm1d is not installed.
    """
    _spm1d()
    found = {}
    for name in SIDES_TESTED:
        left, right = (
            np.array(
                [
                    values
                    for walk in walks
                    for cycle, _ in side_curves(walk.cycles, side, name)
                    if np.isfinite(values := CYCLE_VARIABLES[name].averaged(cycle)).mean() >= WHOLE
                ]
            ).reshape(-1, len(PERCENT))
            for side in SIDES
        )
        try:
            found[name] = over_common_percents(two_sample, left, right)
        except MappingError:
            continue
    return found


def over_common_percents(
    test: Callable[[np.ndarray, np.ndarray], StatisticalMap],
    one: np.ndarray,
    other: np.ndarray,
    until: int | None = None,
) -> StatisticalMap:
    """A test of curves (J, 101) and (K, 101) over the percents that all have; some may be missing at either end.

    Args:
        test: `paired` or `two_sample`.
        one, other: the curves.
        until: number of percents from the start that are compared; all by default.

    Raises:
        MappingError: as for the test, or a curve is interrupted.
    """
    both = np.concatenate([one, other])[:, :until]
    common = np.flatnonzero(np.isfinite(both).all(axis=0)) if len(both) else np.empty(0, dtype=int)
    first, last = (int(common[0]), int(common[-1]) + 1) if len(common) else (0, len(PERCENT))
    found = test(one[:, first:last], other[:, first:last])
    t = np.full(len(PERCENT), np.nan)
    t[first:last] = found.t
    clusters = tuple(replace(c, start=c.start + first, stop=c.stop + first) for c in found.clusters)
    return replace(found, t=t, clusters=clusters)


def mapped_scalars(found: StatisticalMap) -> Iterator[tuple[str, float, str]]:
    """Scalars of a comparison for tables: names, values and units."""
    yield "t threshold", found.threshold, "1"
    yield "t degrees of freedom", found.degrees, "1"
    yield "curves of the first", found.first, "1"
    yield "curves of the second", found.second, "1"
    for number, cluster in enumerate(found.clusters, start=1):
        yield f"cluster {number} start", cluster.start, "%"
        yield f"cluster {number} stop", cluster.stop, "%"
        yield f"cluster {number} p", cluster.p, "1"


def mean_within(curve: np.ndarray, cluster: Cluster) -> float:
    """Mean of a curve (N,) over the nodes within a cluster, or its value at the nearest node if it has none."""
    nodes = np.arange(np.ceil(cluster.start), np.floor(cluster.stop) + 1, dtype=int)
    return float(np.mean(curve[nodes if len(nodes) else round(0.5 * (cluster.start + cluster.stop))]))


def _check(one: np.ndarray, other: np.ndarray, *varying: np.ndarray) -> None:
    if min(len(one), len(other)) < MIN_CURVES:
        raise MappingError(f"{len(one)} and {len(other)} curves are too few: {MIN_CURVES} of each are needed")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise MappingError("a curve has missing values")
    if any((np.ptp(values, axis=0) == 0.0).any() for values in varying):
        raise MappingError("the curves do not vary at some node, so they have no statistic there")


def _spm1d() -> Any:
    try:
        import spm1d
    except ImportError:
        raise MappingError("spm1d is not installed", remedy="Install it with: pip install .[spm]") from None
    return spm1d


def _inference(statistic: Any, one: np.ndarray, other: np.ndarray) -> StatisticalMap:
    found = statistic.inference(ALPHA, two_tailed=True)
    clusters = [Cluster(float(c.endpoints[0]), float(c.endpoints[1]), float(c.P)) for c in found.clusters]
    return StatisticalMap(
        t=np.asarray(found.z, dtype=float),
        threshold=float(found.zstar),
        clusters=tuple(sorted(clusters, key=lambda cluster: cluster.start)),
        degrees=float(found.df[1]),
        first=len(one),
        second=len(other),
    )
