"""Normal equations of a spline's coefficients, eliminated while they are made.

A span of the spline couples the few coefficients whose basis functions reach it. The first of them has no part in later
spans, so it is eliminated as soon as its span is in (block Cholesky of a band; Golub and Van Loan 2013, Matrix
computations, section 4.3): of the matrix there is never more than the window of one span, and of its factor a column of
blocks for each coefficient.

The columns are kept in single precision, for they are most of the memory that a long walk takes. Elimination and right
side have all digits; what the step loses in the substitution, some millionths of it, the next step makes good.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError
from scipy.linalg.blas import dsyrk, dtrsm
from scipy.linalg.lapack import dpotrf, dtrtrs


class Elimination:
    """Symmetric equations A x = b of ``count`` coefficients of n numbers each, made span by span.

    Args:
        count: of the coefficients.
        n: numbers of a coefficient.
        support: coefficients that a span couples: span s those from s on.
        damping: part of A's diagonal that is added to it.

    Attributes:
        window: (support n, support n) of which the lower triangle holds what is known of A for the span at hand, the
            eliminated coefficients taken out. To be added to between `open` and `close`.
        right: (support n,) likewise of b.
        gain: b' x, as far as coefficients are eliminated.
    """

    def __init__(self, count: int, n: int, support: int, damping: float) -> None:
        self.window, self.right = np.zeros((support * n, support * n), order="F"), np.zeros(support * n)
        self.gain = 0.0
        self._n, self._damping, self._done = n, damping, 0
        self._columns = np.empty((count, support * n, n), dtype=np.float32)
        self._reduced = np.empty((count, n))

    def open(self) -> None:
        """Begin with the next span."""
        self._before = self.window.diagonal().copy()

    def close(self) -> None:
        """End with this span: damp what was added, and eliminate the first coefficient."""
        diagonal = np.einsum("ii->i", self.window)
        diagonal += self._damping * (diagonal - self._before)
        self._eliminate()

    def solve(self) -> np.ndarray:
        """Solution (count, n), when all spans are in."""
        count, n = self._reduced.shape
        while self._done < count:
            self._eliminate()
        x = np.zeros((count + len(self.right) // n - 1, n))
        for s in range(count - 1, -1, -1):
            column = self._columns[s]
            rest = self._reduced[s] - x[s + 1 : s + len(column) // n].ravel() @ column[n:]
            x[s] = dtrtrs(column[:n], rest, lower=1, trans=1)[0]
        return x[:count]

    def _eliminate(self) -> None:
        """Take the first coefficient out of those that follow, and move the window on.

        Raises:
            LinAlgError: the matrix is not positive definite.
        """
        n = self._n
        own, fault = dpotrf(self.window[:n, :n], lower=1)
        if fault:
            raise LinAlgError(f"coefficient {self._done} of the spline is not determined")
        below = dtrsm(1.0, own, self.window[n:, :n], side=1, lower=1, trans_a=1)
        reduced = dtrtrs(own, self.right[:n], lower=1)[0]
        self.window[:-n, :-n] = dsyrk(-1.0, below, beta=1.0, c=self.window[n:, n:], lower=1)
        self.window[-n:] = 0.0
        self.right[:-n] = self.right[n:] - below @ reduced
        self.right[-n:] = 0.0
        self.gain += float(reduced @ reduced)
        self._columns[self._done, :n], self._columns[self._done, n:] = own, below
        self._reduced[self._done] = reduced
        self._done += 1
