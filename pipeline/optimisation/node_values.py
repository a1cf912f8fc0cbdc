"""A quantity at the nodes and its partial derivatives, propagated in forward mode through the operations used here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class NodeValues:
    """A quantity at K nodes and its partial derivatives by coordinates, velocities, accelerations and jerks.

    Attributes:
        value: (K, r).
        dq, dqd, dqdd, dqddd: (K, r, n); None if the quantity does not depend on them or only values were computed.
    """

    value: np.ndarray
    dq: np.ndarray | None = None
    dqd: np.ndarray | None = None
    dqdd: np.ndarray | None = None
    dqddd: np.ndarray | None = None

    @property
    def partials(self) -> tuple[np.ndarray | None, ...]:
        """The partial derivatives in order."""
        return self.dq, self.dqd, self.dqdd, self.dqddd

    def directional(self, changes: np.ndarray) -> np.ndarray:
        """(K, r) directional derivative for changes (4, K, n) of q, qd, qdd and qddd."""
        total = np.zeros_like(self.value)
        for part, change in zip(self.partials, changes, strict=True):
            if part is not None:
                total += np.einsum("krn,kn->kr", part, change)
        return total

    def rows(self, select: Any) -> NodeValues:
        """Some of the r components."""
        return NodeValues(self.value[:, select], *(p if p is None else p[:, select] for p in self.partials))

    def scaled(self, factor: np.ndarray | float) -> NodeValues:
        """Multiplied by a constant: a scalar, one for each component (r,), or for each node and component (K, r)."""
        column = np.asarray(factor, dtype=float)[..., None]
        return NodeValues(self.value * column[..., 0], *(p if p is None else p * column for p in self.partials))

    def transformed(self, matrix: np.ndarray) -> NodeValues:
        """Linear combinations of the components: the quantity times a matrix (s, r), or one per node (K, s, r)."""
        return NodeValues(
            (matrix @ self.value[..., None])[..., 0], *(p if p is None else matrix @ p for p in self.partials)
        )

    def times(self, other: NodeValues) -> NodeValues:
        """Product (K, r) with another quantity, component by component."""
        return self._product(self.value * other.value, other, lambda values, part: values[:, :, None] * part)

    def dot(self, other: NodeValues) -> NodeValues:
        """Scalar product (K, 1) with another quantity of r components."""
        value = np.sum(self.value * other.value, axis=1, keepdims=True)
        return self._product(value, other, lambda values, part: values[:, None, :] @ part)

    def _product(
        self, value: np.ndarray, other: NodeValues, times: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> NodeValues:
        """A product's value with its partial derivatives by the product rule, from values (K, r) times partials."""

        def product_rule(own: np.ndarray | None, others: np.ndarray | None) -> np.ndarray | None:
            pairs = ((other.value, own), (self.value, others))
            terms = [times(values, part) for values, part in pairs if part is not None]
            return sum(terms[1:], start=terms[0]) if terms else None

        return NodeValues(value, *map(product_rule, self.partials, other.partials))

    @property
    def direction(self) -> NodeValues:
        """(K, r) unit vector along a vector of r components."""
        length = np.linalg.norm(self.value, axis=1, keepdims=True)
        unit = self.value / length

        def across(part: np.ndarray) -> np.ndarray:
            return (part - unit[:, :, None] * (unit[:, None, :] @ part)) / length[:, :, None]

        return NodeValues(unit, *(p if p is None else across(p) for p in self.partials))

    def __add__(self, other: NodeValues) -> NodeValues:
        return self - other.scaled(-1.0)

    def __sub__(self, other: NodeValues) -> NodeValues:
        def minus(own: np.ndarray | None, others: np.ndarray | None) -> np.ndarray | None:
            if others is None:
                return own
            return -others if own is None else own - others

        return NodeValues(self.value - other.value, *map(minus, self.partials, other.partials))
