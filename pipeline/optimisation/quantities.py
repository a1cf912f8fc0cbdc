"""Quantities used in objectives and constraints: coordinates with their rates, and joint torques.

A quantity is a function of the evaluated motion at the nodes, ``at``, which has ``at.states`` (`States`) and, if
torques are used, ``at.tau`` (`NodeValues`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from pipeline.optimisation.node_values import NodeValues
from pipeline.optimisation.transcription import States

Quantity = Callable[[Any], NodeValues]
"""A function of the motion at the nodes."""

Order = Literal["q", "qd", "qdd", "qddd"]


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Coordinates of some joints, or their rates, minus a reference and times factors: linear in the control points.

    Attributes:
        joints: (r,) indices.
        order: of the rate.
        reference: (K, r) at times (K,) s; none if zero.
        factor: a number, or one of each component (r,), node (K, 1), or both (K, r).
    """

    joints: np.ndarray
    order: Order = "q"
    reference: Callable[[np.ndarray], np.ndarray] | None = None
    factor: np.ndarray | float = 1.0

    def __call__(self, motion: Any) -> NodeValues:
        """(K, r) at the nodes of a motion, with derivatives if it has them."""
        return self.at(motion.states)

    def at(self, states: States) -> NodeValues:
        """(K, r) at the nodes, with derivatives if the states have a gradient."""
        if states.gradient is None:
            return NodeValues(self.value(states))
        selection = np.eye(states.q.shape[1])[self.joints] * np.expand_dims(self.factor, -1)
        shape = len(states.q), len(self.joints), states.q.shape[1]
        return NodeValues(self.value(states), **{f"d{self.order}": np.broadcast_to(selection, shape)})

    def value(self, states: States) -> np.ndarray:
        """(K, r) at the nodes."""
        values = getattr(states, self.order)[:, self.joints]
        return self.factor * (values if self.reference is None else values - self.reference(states.time))

    def scaled(self, factor: np.ndarray | float) -> Coordinates:
        """Multiplied by a constant, as `NodeValues.scaled`."""
        return replace(self, factor=self.factor * np.asarray(factor))


def coordinates(joints: Sequence[int] | np.ndarray, order: Order = "q") -> Coordinates:
    """Coordinates of some joints, or their velocities, accelerations or jerks; (K, r)."""
    return Coordinates(np.asarray(joints, dtype=int), order)


def difference(reference: Callable[[np.ndarray], np.ndarray], joints: Sequence[int] | np.ndarray) -> Coordinates:
    """Coordinates of some joints minus a reference; ``reference`` gives (K, r) at times (K,) s."""
    return Coordinates(np.asarray(joints, dtype=int), reference=reference)


def torques(joints: Sequence[int] | np.ndarray, limits: np.ndarray | None = None) -> Quantity:
    """Torques (forces for prismatic joints) of some joints, divided by their limits (r,) if these are given."""
    joints = np.asarray(joints, dtype=int)

    def quantity(at: Any) -> NodeValues:
        values = at.tau.rows(joints)
        return values if limits is None else values.scaled(1.0 / np.asarray(limits))

    return quantity
