"""Sparse matrices whose rows have a few contiguous ranges of non-zero columns, stored as dense blocks.

B-splines have local support: a quantity at a node depends on the control points of the node's interval alone. Control
points are stored in order, so their columns are one contiguous range, or two where a periodic spline wraps. Products
with such blocks run at the speed of dense BLAS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.linalg.blas import dsyrk

MAX_RANGES = 3
"""With more ranges than this a row counts as dense."""


@dataclass(frozen=True)
class Support:
    """Contiguous column ranges in which some rows may differ from zero."""

    ranges: tuple[slice, ...]

    @classmethod
    def of(cls, columns: np.ndarray, n: int) -> Support:
        """From the columns (c,), increasing, of a matrix with n columns."""
        gaps = np.flatnonzero(np.diff(columns) > 1)
        starts, stops = columns[np.r_[0, gaps + 1]], columns[np.r_[gaps, len(columns) - 1]] + 1
        if len(starts) > MAX_RANGES:
            return cls.whole(n)
        return cls(tuple(slice(int(a), int(b)) for a, b in zip(starts, stops, strict=True)))

    @classmethod
    def whole(cls, n: int) -> Support:
        """All n columns."""
        return cls((slice(0, n),))

    @cached_property
    def local(self) -> tuple[slice, ...]:
        """Each range's position in an array of these columns alone."""
        ends = np.cumsum([0] + [part.stop - part.start for part in self.ranges])
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    def take(self, array: np.ndarray) -> np.ndarray:
        """The columns (last axis) of an array, contiguous."""
        return np.concatenate([array[..., part] for part in self.ranges], axis=-1)

    def add_to(self, total: np.ndarray, values: np.ndarray) -> None:
        """Add values (c,) at these columns of a total (n,)."""
        for part, local in zip(self.ranges, self.local, strict=True):
            total[part] += values[local]

    def add_lower(self, total: np.ndarray, values: np.ndarray) -> None:
        """Add a lower triangle (c, c) at these rows and columns of a lower triangle (n, n)."""
        for i, part in enumerate(self.ranges):
            for j in range(i + 1):
                total[part, self.ranges[j]] += values[self.local[i], self.local[j]]


class SparseRows:
    """A matrix (m, n) whose rows have known supports.

    Args:
        matrix: (m, n).
        supports: the distinct ones.
        which: (m,) index of each row's support.
    """

    def __init__(self, matrix: np.ndarray, supports: Sequence[Support], which: np.ndarray) -> None:
        self.shape = matrix.shape
        groups = [(support, np.flatnonzero(which == i)) for i, support in enumerate(supports)]
        self._blocks = [(support, rows, support.take(matrix[rows])) for support, rows in groups if len(rows)]

    @classmethod
    def dense(cls, matrix: np.ndarray) -> SparseRows:
        """A matrix without structure."""
        return cls(matrix, [Support.whole(matrix.shape[1])], np.zeros(len(matrix), dtype=int))

    def toarray(self) -> np.ndarray:
        """The dense matrix (m, n)."""
        out = np.zeros(self.shape)
        for support, rows, block in self._blocks:
            for part, local in zip(support.ranges, support.local, strict=True):
                out[rows, part] = block[:, local]
        return out

    def times(self, vector: np.ndarray) -> np.ndarray:
        """(m,) product with a vector (n,)."""
        out = np.zeros(self.shape[0])
        for support, rows, block in self._blocks:
            out[rows] = block @ support.take(vector)
        return out

    def transposed_times(self, vector: np.ndarray) -> np.ndarray:
        """(n,) product of the transpose with a vector (m,)."""
        out = np.zeros(self.shape[1])
        for support, rows, block in self._blocks:
            support.add_to(out, vector[rows] @ block)
        return out

    def add_gram(self, weights: np.ndarray, total: np.ndarray) -> None:
        """Add ``A' W A``, with W the diagonal matrix of the weights (m,), to the lower triangle of a total (n, n)."""
        for support, rows, block in self._blocks:
            weighted = np.sqrt(weights[rows])[:, None] * block
            support.add_lower(total, dsyrk(1.0, weighted.T, lower=1))
