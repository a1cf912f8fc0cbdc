"""Sparse matrices whose rows have a few contiguous ranges of non-zero columns, stored as dense blocks.

B-splines have local support: a quantity at a node depends only on the control points of the node's interval. Control
points are stored in order, so their columns are one contiguous range, or two if a periodic spline wraps. Products with
such blocks run at the speed of dense BLAS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.linalg.blas import dsyrk

from pipeline.optimisation.triangle_kernels import add_lower, mirror_lower

MAX_RANGES = 3
"""A row with more ranges than this counts as dense."""


def symmetric(lower: np.ndarray) -> np.ndarray:
    """(n, n) the symmetric matrix with a lower triangle, which is completed in place."""
    mirror_lower(lower)
    return lower


@dataclass(frozen=True)
class Support:
    """Contiguous column ranges in which some rows may be non-zero."""

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
    def columns(self) -> np.ndarray:
        """(c,) all columns in order."""
        return np.concatenate([np.arange(part.start, part.stop) for part in self.ranges])

    @property
    def width(self) -> int:
        """Number c of columns."""
        return len(self.columns)

    @cached_property
    def local(self) -> tuple[slice, ...]:
        """Position of each range in an array of these columns only."""
        ends = np.cumsum([0] + [part.stop - part.start for part in self.ranges])
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    def take(self, array: np.ndarray) -> np.ndarray:
        """These columns (last axis) of an array, contiguous."""
        return np.concatenate([array[..., part] for part in self.ranges], axis=-1)

    def add_to(self, total: np.ndarray, values: np.ndarray) -> None:
        """Add values (c,) at these columns of a total (n,)."""
        for part, local in zip(self.ranges, self.local, strict=True):
            total[part] += values[local]


@dataclass(frozen=True)
class Supports:
    """The supports of many rows, few of which are distinct.

    Attributes:
        kinds: the distinct supports.
        which: (m,) index of each row's support.
        n: columns of the whole matrix.
    """

    kinds: tuple[Support, ...]
    which: np.ndarray
    n: int

    @classmethod
    def of(cls, nonzero: np.ndarray) -> Supports:
        """From the entries (m, n) that may be non-zero."""
        patterns, which = np.unique(nonzero, axis=0, return_inverse=True)
        n = nonzero.shape[1]
        return cls(tuple(Support.of(np.flatnonzero(pattern), n) for pattern in patterns), which, n)

    @property
    def width(self) -> int:
        """Columns of the widest support."""
        return max(kind.width for kind in self.kinds)

    def local(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """(e,) positions of entries (e,), given by row and column of the matrix, among their row's own columns."""
        position = np.zeros((len(self.kinds), self.n), dtype=int)
        for i, kind in enumerate(self.kinds):
            position[i, kind.columns] = np.arange(kind.width)
        return position[self.which[rows], columns]

    def compact(self, rows: np.ndarray) -> np.ndarray:
        """(m, width) rows (m, n) reduced to their own columns; narrower rows are padded with zeros at the end."""
        out = np.zeros((len(rows), self.width))
        for i, kind in enumerate(self.kinds):
            out[self.which == i, : kind.width] = kind.take(rows[self.which == i])
        return out


Block = tuple[Support, np.ndarray, np.ndarray]
"""Rows with the same support: the support with its c columns, row indices (r,) and values (r, c)."""


class SparseRows:
    """A matrix (m, n) in blocks of rows with known supports; rows in no block are zero.

    Args:
        shape: m and n.
        blocks: with disjoint rows; blocks without rows are dropped.
    """

    def __init__(self, shape: tuple[int, int], blocks: Sequence[Block]) -> None:
        self.shape, self.blocks = shape, tuple(block for block in blocks if len(block[1]))

    @classmethod
    def compact(cls, values: np.ndarray, supports: Supports, which: np.ndarray) -> SparseRows:
        """From the values (m, width) of rows at their own columns.

        Args:
            values: arranged as by `Supports.compact`.
            supports: of a coarser set of rows, such as the nodes.
            which: (m,) for each row, the one of that set whose support it has; negative for rows of other blocks.
        """
        kind = np.where(which < 0, -1, supports.which[which])
        groups = [(support, np.flatnonzero(kind == i)) for i, support in enumerate(supports.kinds)]
        blocks = [(support, rows, values[rows, : support.width]) for support, rows in groups]
        return cls((len(values), supports.n), blocks)

    @classmethod
    def dense(cls, matrix: np.ndarray) -> SparseRows:
        """A matrix without structure, as one block."""
        return cls(matrix.shape, [(Support.whole(matrix.shape[1]), np.arange(len(matrix)), matrix)])

    @classmethod
    def stacked(cls, parts: Sequence[SparseRows]) -> SparseRows:
        """Matrices of n columns stacked vertically."""
        first = np.cumsum([0] + [part.shape[0] for part in parts])
        blocks = [
            (support, rows + start, values)
            for part, start in zip(parts, first, strict=False)
            for support, rows, values in part.blocks
        ]
        return cls((int(first[-1]), parts[0].shape[1]), blocks)

    def chosen(self, keep: np.ndarray) -> SparseRows:
        """Some of the rows, by a mask (m,)."""
        position = np.cumsum(keep) - 1
        blocks = [(support, position[rows[keep[rows]]], values[keep[rows]]) for support, rows, values in self.blocks]
        return SparseRows((int(keep.sum()), self.shape[1]), blocks)

    def toarray(self) -> np.ndarray:
        """The dense matrix (m, n)."""
        out = np.zeros(self.shape)
        for support, rows, block in self.blocks:
            out[rows[:, None], support.columns] = block
        return out

    def times(self, vector: np.ndarray) -> np.ndarray:
        """(m,) product with a vector (n,)."""
        out = np.zeros(self.shape[0])
        for support, rows, block in self.blocks:
            out[rows] = block @ support.take(vector)
        return out

    def transposed_times(self, vector: np.ndarray) -> np.ndarray:
        """(n,) product of the transpose with a vector (m,)."""
        out = np.zeros(self.shape[1])
        for support, rows, block in self.blocks:
            support.add_to(out, vector[rows] @ block)
        return out

    def add_gram(self, weights: np.ndarray | float, total: np.ndarray) -> None:
        """Add ``A' W A`` to the lower triangle of a total (n, n).

        W is the diagonal matrix of the weights (m,), or of one weight for all rows.
        """
        for support, rows, block in self.blocks:
            if isinstance(weights, np.ndarray):
                gram = dsyrk(1.0, (np.sqrt(weights[rows])[:, None] * block).T, lower=1)
            else:
                gram = dsyrk(weights, block.T, lower=1)
            add_lower(total, support.columns, gram)
