"""Distances between points and markers, and the markers that show a point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.signals import finite_median


def median_distance(one: np.ndarray, other: np.ndarray) -> float:
    """Median distance, m, between points (T, 3); NaN if they are never seen together."""
    return float(finite_median(np.linalg.norm(one - other, axis=1)))


def labels_of(marker_set: MarkerSet, point: str) -> Sequence[str]:
    """Labels of the markers whose mean is a point of a foot, or of the marker itself; empty for another kind."""
    return (marker_set.points[point].mean or ()) if point in marker_set.points else (point,)
