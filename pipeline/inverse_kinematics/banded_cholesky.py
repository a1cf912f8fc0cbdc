"""Block-banded Cholesky factorisation of a spline's normal equations, factorised while they are assembled.

A span of the spline couples the few coefficients whose basis functions reach it. The first of them does not occur in
later spans, so it is eliminated as soon as its span is assembled (Golub and Van Loan 2013, Matrix computations, section
4.3). Only the window of one span of the matrix is in memory, and one column of blocks of the factor per coefficient.

The factor is stored in single precision, since it takes most of the memory for a long walk. Factorisation and
right-hand side are in double precision; the relative error of some 1e-6 in a step's substitution is corrected by the
next step.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError
from scipy.linalg.blas import dsyrk, dtrsm
from scipy.linalg.lapack import dpotrf, dtrtrs


class BlockBandedCholesky:
    """Symmetric equations A x = b for ``count`` coefficients of n numbers each, assembled span by span.

    Args:
        count: number of coefficients.
        n: numbers per coefficient.
        support: number of coefficients that a span couples; span s couples those from s on.
        damping: added to A's diagonal, relative to it.

    Attributes:
        window: (support n, support n), lower triangle of A for the current span after elimination of the coefficients
            before it; the span's terms are added between `begin_span` and `end_span`.
        rhs: (support n,) the same part of b.
        decrease: b' x for the coefficients eliminated so far.
    """

    def __init__(self, count: int, n: int, support: int, damping: float) -> None:
        self.window, self.rhs = np.zeros((support * n, support * n), order="F"), np.zeros(support * n)
        self.decrease = 0.0
        self._n, self._damping, self._done = n, damping, 0
        self._columns = np.empty((count, support * n, n), dtype=np.float32)
        self._reduced = np.empty((count, n))

    def begin_span(self) -> None:
        """Begin the assembly of the next span."""
        self._before = self.window.diagonal().copy()

    def end_span(self) -> None:
        """Damp the span's terms and eliminate its first coefficient."""
        diagonal = np.einsum("ii->i", self.window)
        diagonal += self._damping * (diagonal - self._before)
        self._eliminate()

    def solve(self) -> np.ndarray:
        """Solution (count, n), after all spans."""
        count, n = self._reduced.shape
        while self._done < count:
            self._eliminate()
        x = np.zeros((count + len(self.rhs) // n - 1, n))
        for s in range(count - 1, -1, -1):
            column = self._columns[s]
            rest = self._reduced[s] - x[s + 1 : s + len(column) // n].ravel() @ column[n:]
            x[s] = dtrtrs(column[:n], rest, lower=1, trans=1)[0]
        return x[:count]

    def _eliminate(self) -> None:
        """Eliminate the first coefficient of the window, and move the window by one.

        Raises:
            LinAlgError: the matrix is not positive definite.
        """
        n = self._n
        diagonal, fault = dpotrf(self.window[:n, :n], lower=1)
        if fault:
            raise LinAlgError(f"coefficient {self._done} of the spline is not determined")
        below = dtrsm(1.0, diagonal, self.window[n:, :n], side=1, lower=1, trans_a=1)
        reduced = dtrtrs(diagonal, self.rhs[:n], lower=1)[0]
        self.window[:-n, :-n] = dsyrk(-1.0, below, beta=1.0, c=self.window[n:, n:], lower=1)
        self.window[-n:] = 0.0
        self.rhs[:-n] = self.rhs[n:] - below @ reduced
        self.rhs[-n:] = 0.0
        self.decrease += float(reduced @ reduced)
        self._columns[self._done, :n], self._columns[self._done, n:] = diagonal, below
        self._reduced[self._done] = reduced
        self._done += 1
