"""Quantities of the coordinates alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from pipeline.optimisation.node_values import NodeValues

Quantity = Callable[[Any], NodeValues]
"""A function of the motion at the nodes."""

Order = Literal["q", "qd", "qdd", "qddd"]


def coordinates(joints: Sequence[int] | np.ndarray, order: Order = "q") -> Quantity:
    """Coordinates of some joints, or their rates, accelerations or jerks."""
    joints = np.asarray(joints, dtype=int)

    def quantity(at: Any) -> NodeValues:
        states = at.states
        every = getattr(states, order)
        pick = np.broadcast_to(np.eye(every.shape[1])[joints], (len(every), len(joints), every.shape[1]))
        return NodeValues(every[:, joints], **{f"d{order}": pick})

    return quantity


def difference(measured: Callable[[np.ndarray], np.ndarray], joints: Sequence[int] | np.ndarray) -> Quantity:
    """Coordinates of some joints minus measured ones; ``measured`` gives (K, r) at times (K,)."""
    follow = coordinates(joints)

    def quantity(at: Any) -> NodeValues:
        values = follow(at)
        return NodeValues(values.value - measured(at.states.time), values.dq)

    return quantity


def total(quantity: Quantity, weights: np.ndarray) -> Quantity:
    """Weighted sums (r', r) of the rows of a quantity."""

    def summed(at: Any) -> NodeValues:
        return quantity(at).transformed(weights)

    return summed
