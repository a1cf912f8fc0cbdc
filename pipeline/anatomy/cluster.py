r"""Pose of a rigid cluster of markers by least squares (Kabsch 1976; Söderkvist and Wedin 1993, J Biomech 26, 1473).

With positions :math:`a_i` in the cluster's own axes and :math:`p_i` in a frame, both minus their means, the rotation
that minimises :math:`\sum_i |R a_i - p_i|^2` is :math:`R = V \mathrm{diag}(1, 1, \det(V U^T)) U^T`, with
:math:`\sum_i a_i p_i^T = U \Sigma V^T`. Markers not seen in a frame are left out of its sum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MIN_MARKERS = 3

MIN_WIDTH = 0.01
"""m; smallest second singular value of the positions about their mean: below it the markers are nearly on one line,
and rotation of the cluster about that line is not observable."""

_ROUNDS = 3
"""Iterations of the mean shape. If all markers are seen, it is final after one; each gap adds a small change."""


@dataclass(frozen=True)
class ClusterPose:
    """Pose of a cluster in frames (T,); NaN where it is not determined.

    Attributes:
        R_GS: (T, 3, 3) rotation from the cluster's axes to G.
        origin: (T, 3) m in G.
        residual: (T,) m, root mean square distance of the markers from the rigid cluster.
    """

    R_GS: np.ndarray
    origin: np.ndarray
    residual: np.ndarray


def cluster_pose(shape: np.ndarray, points: np.ndarray) -> ClusterPose:
    """Fit a cluster to the frames of a recording.

    Args:
        shape: (K, 3) m, positions in the cluster's axes; NaN for an unknown marker.
        points: (T, K, 3) m in G; NaN where not seen.
    """
    seen = np.isfinite(points).all(axis=2) & np.isfinite(shape).all(axis=1)
    weight = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    known, measured = np.nan_to_num(shape), np.where(seen[..., None], np.nan_to_num(points), 0.0)
    middle, centre = weight @ known, np.einsum("tk,tki->ti", weight, measured)
    a = (known - middle[:, None]) * seen[..., None]
    p = (measured - centre[:, None]) * seen[..., None]
    width = np.linalg.svd(a, compute_uv=False)[:, 1] if a.shape[1] > 1 else np.zeros(len(a))
    U, _, Vt = np.linalg.svd(np.einsum("tki,tkj->tij", a, p))
    V = np.swapaxes(Vt, 1, 2)
    V[:, :, 2] *= np.linalg.det(V @ np.swapaxes(U, 1, 2))[:, None]
    R_GS = V @ np.swapaxes(U, 1, 2)
    squared = np.sum((p - a @ np.swapaxes(R_GS, 1, 2)) ** 2, axis=2)
    determined = (seen.sum(axis=1) >= MIN_MARKERS) & (width >= MIN_WIDTH)
    R_GS = np.where(determined[:, None, None], R_GS, np.nan)
    origin = centre - np.einsum("tij,tj->ti", R_GS, middle)
    residual = np.where(determined, np.sqrt(np.einsum("tk,tk->t", weight, squared)), np.nan)
    return ClusterPose(R_GS, origin, residual)


def cluster_shape(points: np.ndarray) -> np.ndarray:
    """Mean shape (K, 3) m of markers (T, K, 3) m, about the mean of the known ones.

    Its axes are those of G in the first of the frames that show the most markers. NaN for a marker that is not seen in
    any frame that can be fitted.
    """
    count = np.isfinite(points).all(axis=2).sum(axis=1)
    shape = points[int(np.argmax(count))].copy() if len(points) else np.full(points.shape[1:], np.nan)
    for _ in range(_ROUNDS):
        pose = cluster_pose(shape, points)
        local = np.einsum("tji,tkj->tki", pose.R_GS, points - pose.origin[:, None])
        seen = np.isfinite(local).all(axis=2)
        total = np.where(seen[..., None], local, 0.0).sum(axis=0)
        shape = np.where(seen.any(axis=0)[:, None], total / np.maximum(seen.sum(axis=0), 1)[:, None], np.nan)
    known = np.isfinite(shape).all(axis=1)
    return shape - shape[known].mean(axis=0) if known.any() else shape
