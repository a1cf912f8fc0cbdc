"""The load on one foot that a motion needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.dynamics import rnea
from pipeline.math3d import Wrench
from pipeline.skeleton import Skeleton


def balancing_load(skeleton: Skeleton, states: Sequence[np.ndarray], foot: str, point_G: np.ndarray) -> Wrench:
    """The load about points (T, 3) with which no force on the pelvis is left, of coordinates and their derivatives.

    The pelvis' forces are linear in the load, so that six unit loads tell how; no equation of a simulation is used.
    """

    def on_pelvis(**wrenches: Wrench) -> np.ndarray:
        return rnea(skeleton, *states, wrenches=wrenches).tau[:, :6]

    alone, columns = on_pelvis(), []
    for row in np.eye(6):
        unit = np.tile(row, (len(point_G), 1))
        columns.append(on_pelvis(**{foot: Wrench(unit[:, :3], unit[:, 3:], point_G)}) - alone)
    needed = np.linalg.solve(np.stack(columns, axis=-1), -alone[..., None])[..., 0]
    return Wrench(needed[:, :3], needed[:, 3:], point_G)
