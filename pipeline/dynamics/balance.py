"""The whole body's balance: what a motion and the ground's loads leave over at the pelvis."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import GRAVITY_G, Y
from pipeline.dynamics.loads import Wrenches
from pipeline.dynamics.rnea import rnea
from pipeline.dynamics.sensitivities import rnea_sensitivities
from pipeline.math3d import Wrench
from pipeline.skeleton import Skeleton


class BalanceResidual:
    """Residual forces at the pelvis in body weights, times a weight, with their derivatives.

    A term for a spline fit (`pipeline.inverse_kinematics.spline_fit`), as residual reduction makes a motion consistent
    with the plates (Delp et al. 2007, IEEE Trans Biomed Eng 54:1940-1950; here the motion itself is adjusted within
    what the markers allow, instead of tracking a simulation).

    Args:
        skeleton: tree of n joints whose first three are the pelvis' translations.
        wrenches: loads of the ground by segment, (T, 3) each in G.
        weight: m per body weight: a residual of one body weight costs as much as one marker off by this much.
        frames: (T,) those in which all loads are known.
    """

    def __init__(self, skeleton: Skeleton, wrenches: Wrenches, weight: float, frames: np.ndarray) -> None:
        self.skeleton, self.wrenches = skeleton, wrenches
        self.scale = weight * frames / (skeleton.mass.sum() * -GRAVITY_G[Y])

    def __call__(
        self, frames: slice, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, derivatives: bool
    ) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray] | None]:
        """Weighted residual (F, 3) of some frames, and its derivatives (F, 3, n) by q, qd, qdd where asked for."""
        loads = {
            name: Wrench(wrench.force_G[frames], wrench.moment_G[frames], wrench.point_G[frames])
            for name, wrench in self.wrenches.items()
        }
        scale = self.scale[frames, None]
        residual = rnea(self.skeleton, q, qd, qdd, wrenches=loads).tau[:, :3] * scale
        if not derivatives:
            return residual, None
        by = rnea_sensitivities(self.skeleton, q, qd, qdd, wrenches=loads)
        by_q, by_qd, by_qdd = (part[:, :3] * scale[:, :, None] for part in (by.dtau_dq, by.dtau_dqd, by.dtau_dqdd))
        return residual, (by_q, by_qd, by_qdd)
