"""Rows that depend on a few runs of the design variables: products that skip the zeros.

A spline is local: what happens at a node depends on the control points of the interval that the node lies in. Control
points are stored one after the other, so these are one run of design variables, or two where a periodic spline wraps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.linalg.blas import dsyrk

MOST_RUNS = 3


@dataclass(frozen=True)
class Support:
    """Runs of columns that some rows depend on; all columns where the runs are many."""

    runs: tuple[slice, ...]

    @classmethod
    def of(cls, columns: np.ndarray, n: int) -> Support:
        """From the columns (c,), increasing, of a matrix with n columns."""
        gaps = np.flatnonzero(np.diff(columns) > 1)
        starts, stops = columns[np.r_[0, gaps + 1]], columns[np.r_[gaps, len(columns) - 1]] + 1
        if len(starts) > MOST_RUNS:
            return cls.whole(n)
        return cls(tuple(slice(int(a), int(b)) for a, b in zip(starts, stops, strict=True)))

    @classmethod
    def whole(cls, n: int) -> Support:
        """All n columns."""
        return cls((slice(0, n),))

    def take(self, array: np.ndarray) -> np.ndarray:
        """The columns (last axis) of an array, contiguous."""
        return np.concatenate([array[..., run] for run in self.runs], axis=-1)

    def add_to(self, total: np.ndarray, values: np.ndarray) -> None:
        """Add values (c,) at these columns of a total (n,)."""
        for run, own in zip(self.runs, self.own, strict=True):
            total[run] += values[own]

    def add_lower(self, total: np.ndarray, values: np.ndarray) -> None:
        """Add a lower triangle (c, c) at these rows and columns of a lower triangle (n, n)."""
        for i, run in enumerate(self.runs):
            for j in range(i + 1):
                total[run, self.runs[j]] += values[self.own[i], self.own[j]]

    @cached_property
    def own(self) -> tuple[slice, ...]:
        """Where each run lies in an array of these columns alone."""
        ends = np.cumsum([0] + [run.stop - run.start for run in self.runs])
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))


class SupportedRows:
    """A matrix (m, n) whose rows have supports.

    Args:
        matrix: (m, n).
        supports: the different ones.
        which: (m,) index of each row's support.
    """

    def __init__(self, matrix: np.ndarray, supports: Sequence[Support], which: np.ndarray) -> None:
        self.shape = matrix.shape
        chosen = [(support, np.flatnonzero(which == i)) for i, support in enumerate(supports)]
        self._blocks = [(support, rows, support.take(matrix[rows])) for support, rows in chosen if len(rows)]

    @classmethod
    def dense(cls, matrix: np.ndarray) -> SupportedRows:
        """A matrix without structure."""
        return cls(matrix, [Support.whole(matrix.shape[1])], np.zeros(len(matrix), dtype=int))

    def toarray(self) -> np.ndarray:
        """The dense matrix (m, n)."""
        out = np.zeros(self.shape)
        for support, rows, block in self._blocks:
            for run, own in zip(support.runs, support.own, strict=True):
                out[rows, run] = block[:, own]
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
        """Add ``A' W A`` to the lower triangle of a total."""
        for support, rows, block in self._blocks:
            weighted = np.sqrt(weights[rows])[:, None] * block
            support.add_lower(total, dsyrk(1.0, weighted.T, lower=1))
