"""Quantities used in objectives and constraints: coordinates with their rates, and joint torques.

A quantity is a function of the evaluated motion at the nodes, ``at``, which has ``at.states`` (`States`) and, if
torques are used, ``at.tau`` (`NodeValues`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from pipeline.optimisation.node_values import NodeValues

Quantity = Callable[[Any], NodeValues]
"""A function of the motion at the nodes."""

Order = Literal["q", "qd", "qdd", "qddd"]


def coordinates(joints: Sequence[int] | np.ndarray, order: Order = "q") -> Quantity:
    """Coordinates of some joints, or their velocities, accelerations or jerks; (K, r)."""
    joints = np.asarray(joints, dtype=int)

    def quantity(at: Any) -> NodeValues:
        values = getattr(at.states, order)
        if at.states.gradient is None:
            return NodeValues(values[:, joints])
        selection = np.broadcast_to(np.eye(values.shape[1])[joints], (len(values), len(joints), values.shape[1]))
        return NodeValues(values[:, joints], **{f"d{order}": selection})

    return quantity


def difference(reference: Callable[[np.ndarray], np.ndarray], joints: Sequence[int] | np.ndarray) -> Quantity:
    """Coordinates of some joints minus a reference; ``reference`` gives (K, r) at times (K,) s."""
    own = coordinates(joints)

    def quantity(at: Any) -> NodeValues:
        values = own(at)
        return NodeValues(values.value - reference(at.states.time), values.dq)

    return quantity


def torques(joints: Sequence[int] | np.ndarray, limits: np.ndarray | None = None) -> Quantity:
    """Torques (forces for prismatic joints) of some joints, divided by their limits (r,) if these are given."""
    joints = np.asarray(joints, dtype=int)

    def quantity(at: Any) -> NodeValues:
        values = at.tau.rows(joints)
        return values if limits is None else values.scaled(1.0 / np.asarray(limits))

    return quantity
