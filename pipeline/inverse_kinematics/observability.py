"""Which coordinates a set of markers shows, and how well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.skeleton.points import joint_axes, link_poses
from pipeline.skeleton.tree import Skeleton

MARKER_ERROR = 0.005
"""m; soft tissue lets a marker stray by about this much."""

RELATIVE_RANK = 1e-9
"""A singular value below this fraction of the largest is zero to rounding."""

_TAKES_PART = 0.1
"""Least part of a unit vector by which a coordinate counts among those that move together unseen."""


@dataclass(frozen=True)
class Observability:
    """What markers show of n coordinates in the worst of the postures asked about.

    Attributes:
        rank: number of independent combinations that move a marker.
        unseen: combinations (n - rank) that move none, each the names of the coordinates that take part.
        uncertainty: (n,) rad or m by which a coordinate may be off when each marker is off by `MARKER_ERROR`, without
            any reference to hold it; infinite where it is part of an unseen combination.
    """

    rank: int
    unseen: tuple[tuple[str, ...], ...]
    uncertainty: np.ndarray


def observability(skeleton: Skeleton, attachments: ModelMarkers, seen: np.ndarray, q: np.ndarray) -> Observability:
    """Singular values of the markers' Jacobian in some postures.

    Args:
        skeleton: tree of n joints.
        attachments: of K markers.
        seen: (T, K) markers that are there.
        q: (T, n) postures.
    """
    jacobians = marker_jacobians(skeleton, attachments, q) * seen[:, :, None, None]
    worst = None
    for J in jacobians:
        _, values, rows = np.linalg.svd(J.reshape(-1, len(skeleton)), full_matrices=True)
        rank = int((values > RELATIVE_RANK * values[0]).sum())
        if worst is None or rank < worst[0]:
            worst = (rank, values, rows)
    assert worst is not None
    rank, values, rows = worst
    hidden = rows[rank:]
    variance = ((MARKER_ERROR / values[:rank, None] * rows[:rank]) ** 2).sum(axis=0)
    part = (hidden**2).sum(axis=0)
    uncertainty = np.where(part > 1e-12, np.inf, np.sqrt(variance))
    return Observability(rank, _groups(skeleton, hidden), uncertainty)


def marker_jacobians(skeleton: Skeleton, attachments: ModelMarkers, q: np.ndarray) -> np.ndarray:
    """Derivatives (T, K, 3, n) of the markers' places in G by the coordinates q (T, n)."""
    R, r = link_poses(skeleton, q)
    z, o = joint_axes(skeleton, q)
    places = r[:, attachments.joint] + np.einsum("tkij,kj->tki", R[:, attachments.joint], attachments.point)
    arms = places[:, :, None, :] - o[:, None, :, :]
    revolute = np.array([kind == "R" for kind in skeleton.kind])
    axes = np.broadcast_to(z[:, None], arms.shape)
    columns = np.where(revolute[:, None], np.cross(axes, arms), axes)
    return np.swapaxes(columns * skeleton.is_ancestor.T[attachments.joint][None, :, :, None], 2, 3)


def _groups(skeleton: Skeleton, hidden: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """Coordinates of each unseen combination; combinations of the same coordinates are separated by elimination.

    The pivots are those of the projector on what is hidden, the same for any basis of it; of equal ones the first.
    """
    projector, pivots = hidden.T @ hidden, []
    for _ in hidden:
        pivots.append(int(np.argmax(np.round(np.diag(projector), 6))))
        column = projector[pivots[-1]]
        projector = projector - np.outer(column, column) / column[pivots[-1]]
    groups = []
    for row in np.linalg.solve(hidden[:, pivots], hidden):
        takes_part = np.abs(row) > _TAKES_PART * np.abs(row).max()
        groups.append(tuple(np.array(skeleton.joint_names)[takes_part].tolist()))
    return tuple(sorted(groups, key=len))
