"""One-dimensional statistical parametric mapping of two sets of curves (Pataky 2010, J Biomech 43(10), 1976-1982).

It needs spm1d, whose licence, the GPL-3, is not this program's; it is therefore no part of it, and installed by whoever
wants it: ``pip install .[spm]``.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.comparison.summary import side_curves
from pipeline.conventions import SIDES
from pipeline.errors import PipelineError
from pipeline.trial import Cluster, GaitCycles, StatisticalMap

ALPHA = 0.05
"""Probability with which smooth random curves of no difference exceed the threshold anywhere."""

FEWEST = 3
"""Curves of a set below which its spread says nothing."""


MAPPED = (
    *("pelvic_tilt", "hip_flexion", "knee_flexion", "ankle_dorsiflexion"),
    *("hip_extensor_moment", "knee_extensor_moment", "ankle_plantarflexor_moment"),
)
"""Variables in which the sides are compared; each has its own threshold."""


class MappingError(PipelineError):
    """The curves cannot be compared, or spm1d is not installed."""


def installed() -> bool:
    """Whether spm1d can be imported."""
    return importlib.util.find_spec("spm1d") is not None


def paired(one: np.ndarray, other: np.ndarray, alpha: float = ALPHA) -> StatisticalMap:
    """Paired t test of curves that belong together row by row, such as measured walks and their predictions.

    Args:
        one, other: (J, N) curves.
        alpha: see `ALPHA`.

    Raises:
        MappingError: spm1d is not installed, or the curves are too few, do not vary, or have missing values.
    """
    if np.shape(one) != np.shape(other):
        raise MappingError(f"curves of the shapes {np.shape(one)} and {np.shape(other)} do not form pairs")
    _check(one, other, np.subtract(one, other))
    return _inference(_spm1d().stats.ttest_paired(one, other), alpha, (len(one), len(other)))


def two_sample(one: np.ndarray, other: np.ndarray, alpha: float = ALPHA) -> StatisticalMap:
    """Student's t test of two sets, (J, N) and (K, N), such as the left and the right side's cycles; else as `paired`.

    Both sets are taken to have one variance: otherwise spm1d 0.4 keeps the pooled statistic and changes the degrees
    of freedom alone, which is not Welch's test.
    """
    if np.shape(one)[1:] != np.shape(other)[1:]:
        raise MappingError(f"curves of {np.shape(one)[1]} and {np.shape(other)[1]} nodes cannot be compared")
    _check(one, other, one, other)
    return _inference(_spm1d().stats.ttest2(one, other, equal_var=True), alpha, (len(one), len(other)))


def sides_compared(walks: Sequence[GaitCycles]) -> dict[str, StatisticalMap]:
    """All whole cycles of the left side against all of the right, by variable; without those that cannot be compared.

    Raises:
        MappingError: spm1d is not installed.
    """
    _spm1d()
    found = {}
    for name in MAPPED:
        left, right = (
            np.array([v for walk in walks for _, v in side_curves(walk.cycles, side, name) if np.isfinite(v).all()])
            for side in SIDES
        )
        try:
            found[name] = two_sample(left, right)
        except MappingError:
            continue
    return found


def _check(one: np.ndarray, other: np.ndarray, *varying: np.ndarray) -> None:
    if min(len(one), len(other)) < FEWEST:
        raise MappingError(f"{len(one)} and {len(other)} curves are too few: {FEWEST} of each are needed")
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


def _inference(statistic: Any, alpha: float, counts: tuple[int, int]) -> StatisticalMap:
    found = statistic.inference(alpha, two_tailed=True)
    clusters = [Cluster(float(c.endpoints[0]), float(c.endpoints[1]), float(c.P)) for c in found.clusters]
    return StatisticalMap(
        t=np.asarray(found.z, dtype=float),
        threshold=float(found.zstar),
        clusters=tuple(sorted(clusters, key=lambda cluster: cluster.start)),
        degrees=float(found.df[1]),
        first=counts[0],
        second=counts[1],
    )
