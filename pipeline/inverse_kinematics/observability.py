"""Observability of joint coordinates from markers: rank, null space and uncertainty, by SVD of the marker Jacobian."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.skeleton import Skeleton, joint_axes, link_poses

MARKER_ERROR = 0.005
"""m; assumed error of a marker, about that of soft tissue."""

RELATIVE_RANK = 1e-9
"""A singular value below this fraction of the largest counts as zero."""

_PARTICIPATION = 0.1
"""Component, relative to the largest, above which a coordinate is named as part of an unobservable combination."""


@dataclass(frozen=True)
class Observability:
    """Observability of n coordinates in the least observable of some poses.

    Attributes:
        rank: number of independent combinations of coordinates that move a marker.
        unobservable: the n - rank combinations that move no marker, each as the names of its coordinates.
        uncertainty: (n,) rad or m, standard deviation of a coordinate for independent marker errors of `MARKER_ERROR`,
            without regularisation, in the pose in which it is largest among those that show most markers; infinite if
            it is part of an unobservable combination. It is large where two axes of a joint nearly coincide, such as
            those of the shoulder's adduction and rotation while the arm is held forward, or where axes of neighbours
            do, such as the shoulder's rotation and the forearm's pronation while the elbow is straight.
    """

    rank: int
    unobservable: tuple[tuple[str, ...], ...]
    uncertainty: np.ndarray


def observability(
    skeleton: Skeleton, model_markers: ModelMarkers, measured: np.ndarray, q: np.ndarray
) -> Observability:
    """Rank and null space from the singular values of the marker Jacobian in the pose of least rank, and uncertainties.

    Args:
        skeleton: tree of n joints.
        model_markers: K.
        measured: (T, K) whether each marker is measured.
        q: (T, n) poses.
    """
    jacobians = marker_jacobians(skeleton, model_markers, q) * measured[:, :, None, None]
    poses = [_decomposed(J.reshape(-1, len(skeleton))) for J in jacobians]
    rank, _, rows = least = min(poses, key=lambda pose: pose[0])
    seen = measured.sum(axis=1)  # gaps have notes of their own
    complete = [pose for pose, count in zip(poses, seen, strict=True) if count == seen.max()]
    uncertainty = np.max([_uncertainty(*pose) for pose in (least, *complete)], axis=0)
    return Observability(rank, _groups(skeleton, rows[rank:]), uncertainty)


def _uncertainty(rank: int, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    variance = ((MARKER_ERROR / values[:rank, None] * rows[:rank]) ** 2).sum(axis=0)
    return np.where((rows[rank:] ** 2).sum(axis=0) > 1e-12, np.inf, np.sqrt(variance))


def _decomposed(J: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    """Rank, singular values and right singular vectors (rows) of a Jacobian."""
    _, values, rows = np.linalg.svd(J, full_matrices=True)
    return int((values > RELATIVE_RANK * values[0]).sum()), values, rows


def marker_jacobians(skeleton: Skeleton, model_markers: ModelMarkers, q: np.ndarray) -> np.ndarray:
    """Derivatives (T, K, 3, n) of the model markers' positions in G with respect to the coordinates q (T, n)."""
    R, r = link_poses(skeleton, q)
    z, o = joint_axes(skeleton, q)
    positions = r[:, model_markers.joint] + np.einsum("tkij,kj->tki", R[:, model_markers.joint], model_markers.point)
    levers = positions[:, :, None, :] - o[:, None, :, :]
    revolute = np.array([kind == "R" for kind in skeleton.kind])
    axes = np.broadcast_to(z[:, None], levers.shape)
    columns = np.where(revolute[:, None], np.cross(axes, levers), axes)
    return np.swapaxes(columns * skeleton.is_ancestor.T[model_markers.joint][None, :, :, None], 2, 3)


def _groups(skeleton: Skeleton, null_space: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """Coordinates of each unobservable combination, in a sparse basis of the null space by Gaussian elimination.

    The pivots are those of the projector on the null space, which is the same for any basis; of equal ones, the first.
    """
    projector, pivots = null_space.T @ null_space, []
    for _ in null_space:
        pivots.append(int(np.argmax(np.round(np.diag(projector), 6))))
        column = projector[pivots[-1]]
        projector = projector - np.outer(column, column) / column[pivots[-1]]
    groups = []
    for row in np.linalg.solve(null_space[:, pivots], null_space):
        involved = np.abs(row) > _PARTICIPATION * np.abs(row).max()
        groups.append(tuple(np.array(skeleton.joint_names)[involved].tolist()))
    return tuple(sorted(groups, key=len))
