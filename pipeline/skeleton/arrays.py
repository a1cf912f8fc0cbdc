"""A skeleton's parameters packed into arrays for the compiled kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pipeline.skeleton.parameters import SkeletonParameters


class TreeArrays(NamedTuple):
    """Constants of a tree, with sines and cosines of the fixed angles computed once.

    Attributes:
        parent: (n,) index, -1 for the root.
        revolute: (n,) 1 for 'R', 0 for 'P'.
        dh: (n, 5) theta, d, a, cos alpha, sin alpha.
        turned: (n,) 1 if ``origin`` has a rotation or a translation.
        origin: (n, 12) rotation by rows, then translation.
        massive: (m,) joints whose links have mass.
        mass: (n,) kg.
        com: (n, 3) m, link frame.
        inertia: (n, 6) xx, yy, zz, xy, xz, yz about the centre of mass, link frame, kg m^2.
    """

    parent: np.ndarray
    revolute: np.ndarray
    dh: np.ndarray
    turned: np.ndarray
    origin: np.ndarray
    massive: np.ndarray
    mass: np.ndarray
    com: np.ndarray
    inertia: np.ndarray


def tree_arrays(skeleton: SkeletonParameters) -> TreeArrays:
    """Pack a skeleton for the kernels."""
    n = len(skeleton)
    inertia = skeleton.inertia
    return TreeArrays(
        parent=skeleton.parent.copy(),
        revolute=np.array([kind == "R" for kind in skeleton.kind], dtype=np.int64),
        dh=np.stack([skeleton.theta, skeleton.d, skeleton.a, np.cos(skeleton.alpha), np.sin(skeleton.alpha)], axis=1),
        turned=np.array([not np.array_equal(T, np.eye(4)) for T in skeleton.origin], dtype=np.int64),
        origin=np.concatenate([skeleton.origin[:, :3, :3].reshape(n, 9), skeleton.origin[:, :3, 3]], axis=1),
        massive=np.flatnonzero(skeleton.mass > 0),
        mass=skeleton.mass.copy(),
        com=skeleton.com.copy(),
        inertia=np.stack([inertia[:, i, k] for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))], axis=1),
    )
