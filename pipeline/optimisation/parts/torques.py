"""Joint torques and forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipeline.optimisation.node_values import NodeValues


def torques(joints: Sequence[int] | np.ndarray, limits: np.ndarray | None = None) -> Callable[[Any], NodeValues]:
    """Torques (forces of prismatic joints) of some joints, as shares of their limits (r,) where these are given."""
    joints = np.asarray(joints, dtype=int)

    def quantity(at: Any) -> NodeValues:
        values = at.tau.rows(joints)
        return values if limits is None else values.scaled(1.0 / np.asarray(limits))

    return quantity
