"""A quantity at the nodes with its partial derivatives there, and the few operations that quantities are built with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class NodeValues:
    """A quantity at nodes and its partial derivatives there.

    Attributes:
        value: (K, r).
        dq, dqd, dqdd, dqddd: (K, r, n), or None where the quantity does not depend on it, or nobody asked.
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

    def along(self, moved: np.ndarray) -> np.ndarray:
        """(K, r) change of the quantity for changes (4, K, n) of q, qd, qdd and qddd."""
        total = np.zeros_like(self.value)
        for part, change in zip(self.partials, moved, strict=True):
            if part is not None:
                total += np.einsum("krn,kn->kr", part, change)
        return total

    def rows(self, select: Any) -> NodeValues:
        """Some of the quantities."""
        return self._each(lambda part: part[:, select])

    def scaled(self, factor: np.ndarray | float) -> NodeValues:
        """Multiplied by a constant, or by one for each quantity (r,), or each node and quantity (K, r)."""
        column = np.asarray(factor, dtype=float)[..., None]
        return NodeValues(self.value * column[..., 0], *(p if p is None else p * column for p in self.partials))

    def transformed(self, matrix: np.ndarray) -> NodeValues:
        """Combinations of the quantities: times a matrix (s, r), or one for each node (K, s, r)."""
        return NodeValues(
            (matrix @ self.value[..., None])[..., 0], *(p if p is None else matrix @ p for p in self.partials)
        )

    def dot(self, other: NodeValues) -> NodeValues:
        """Scalar product (K, 1) with another quantity of r components."""

        def mixed(mine: np.ndarray | None, its: np.ndarray | None) -> np.ndarray | None:
            terms = [
                (values[:, None, :] @ part)
                for values, part in ((other.value, mine), (self.value, its))
                if part is not None
            ]
            return sum(terms[1:], start=terms[0]) if terms else None

        value = np.sum(self.value * other.value, axis=1, keepdims=True)
        return NodeValues(value, *map(mixed, self.partials, other.partials))

    def __sub__(self, other: NodeValues) -> NodeValues:
        def less(mine: np.ndarray | None, its: np.ndarray | None) -> np.ndarray | None:
            if its is None:
                return mine
            return -its if mine is None else mine - its

        return NodeValues(self.value - other.value, *map(less, self.partials, other.partials))

    def _each(self, change: Callable[[np.ndarray], np.ndarray]) -> NodeValues:
        return NodeValues(change(self.value), *(p if p is None else change(p) for p in self.partials))
