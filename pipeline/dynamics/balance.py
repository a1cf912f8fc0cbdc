"""Residual force at the pelvis for given ground reactions, with its derivatives, as a least-squares term."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import GRAVITY
from pipeline.dynamics.loads import Wrenches, at_frames
from pipeline.dynamics.rnea import rnea
from pipeline.dynamics.sensitivities import rnea_sensitivities
from pipeline.skeleton import Skeleton


class ResidualForce:
    """Weighted residual force at the pelvis in body weights, with its derivatives.

    An additional residual of a spline fit (`pipeline.inverse_kinematics.spline_fit`), used in residual reduction.

    Args:
        skeleton: tree of n joints whose first three are the pelvis' translations.
        wrenches: ground loads by segment, (T, 3) each in G.
        weight: m per body weight: a residual of one body weight costs as much as one marker error of this size.
        frames: (T,) frames in which all loads are known.
    """

    def __init__(self, skeleton: Skeleton, wrenches: Wrenches, weight: float, frames: np.ndarray) -> None:
        self.skeleton, self.wrenches = skeleton, wrenches
        self.scale = weight * frames / (skeleton.mass.sum() * GRAVITY)

    def __call__(
        self, frames: slice, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Weighted residual (F, 3) of some frames, and its derivatives (F, 3, n) by q, qd and qdd."""
        loads, scale = at_frames(self.wrenches, frames), self.scale[frames, None]
        residual = rnea(self.skeleton, q, qd, qdd, wrenches=loads).tau[:, :3] * scale
        by = rnea_sensitivities(self.skeleton, q, qd, qdd, wrenches=loads)
        return residual, [part[:, :3] * scale[:, :, None] for part in (by.dtau_dq, by.dtau_dqd, by.dtau_dqdd)]
