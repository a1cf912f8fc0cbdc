"""Convex quadratic programs with l1-elastic constraints, by a dense primal-dual interior-point method.

    minimise  g'd + d'H d / 2 + penalty * (violations of lower <= A d <= upper)

Every row may be violated at a cost linear in the violation, so a solution always exists and no multiplier exceeds the
penalty (elastic mode; Gill, Murray and Saunders 2005, SIAM Review 47:99-131). With one-sided rows ``a_i d <= b_i``,
slacks s and elastic variables e, the optimality conditions are

===================== ==============================================
``stationarity``      H d + g + A' lam = 0
``residual``          A d - b - e + s = 0
``lam s = 0``         complementarity of lam >= 0 and s >= 0
``mu e = 0``          with mu = penalty - lam >= 0 and e >= 0
===================== ==============================================

Newton's step for them eliminates s, e and lam, which leaves ``H + A' W A`` of the size of d, with
``W = 1 / (e / mu + s / lam)``; predictor and corrector follow Mehrotra (1992; Nocedal and Wright, Numerical
Optimization, section 16.6). General libraries carry one more variable for each elastic row. If multipliers of a similar
program are given, the iterations start with the rows active that were active there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dpotrf, dpotrs

from pipeline.optimisation.sparse_rows import SparseRows

MAX_ITERATIONS = 60
STEP_TO_BOUNDARY = 0.995

WARM_SHARE = 0.02
"""Share of the penalty by which given multipliers are kept away from 0 and from the penalty when the products lam s and
mu e of the start are set."""


@dataclass(frozen=True)
class QPSolution:
    """Step and multipliers.

    Attributes:
        step: (n,) d.
        multipliers: (m,) of the rows; positive at the upper bound, negative at the lower.
        iterations: interior-point iterations.
        converged: whether the optimality conditions hold within the tolerance.
    """

    step: np.ndarray
    multipliers: np.ndarray
    iterations: int
    converged: bool


def solve_elastic_qp(
    H: np.ndarray,
    g: np.ndarray,
    A: np.ndarray | SparseRows,
    lower: np.ndarray,
    upper: np.ndarray,
    penalty: float,
    tolerance: float = 1e-6,
    multipliers: np.ndarray | None = None,
    product: float = 3e-4,
) -> QPSolution:
    """Solve the program.

    Args:
        H: (n, n) positive definite.
        g: (n,).
        A: (m, n).
        lower, upper: (m,), infinite if there is no bound.
        penalty: cost of a unit violation.
        tolerance: on stationarity relative to g and penalty, and on complementarity relative to the objective.
        multipliers: (m,) of a similar program, to start from.
        product: lam s and mu e of every row at such a start; the more similar the programs, the smaller it should be.
    """
    A = A if isinstance(A, SparseRows) else SparseRows.dense(A)
    rows = _OneSided.of(lower, upper)
    if not len(rows.bound):
        factor = _factor(H, A, np.zeros(A.shape[0]))
        return QPSolution(-dpotrs(factor, g, lower=1)[0], np.zeros(A.shape[0]), 0, True)
    d = np.zeros(len(g))
    lam, s, e = _cold_start(rows, penalty) if multipliers is None else _warm_start(rows, penalty, multipliers, product)
    # Updated separately: penalty - lam would lose all digits when lam comes near the penalty.
    mu = penalty - lam
    scale = 1.0 + np.abs(g).max(initial=0.0)
    for iteration in range(MAX_ITERATIONS):
        Hd = H @ d
        stationarity = Hd + g + A.transposed_times(rows.gather(lam))
        complementarity = lam @ s + mu @ e
        value = abs(g @ d + 0.5 * d @ Hd) + penalty * e.sum()
        if np.abs(stationarity).max() < tolerance * scale and complementarity < tolerance * (1.0 + value):
            return QPSolution(d, rows.gather(lam), iteration, True)
        newton = _Newton(H, A, rows, d, lam, s, e, mu, stationarity)
        dd, dlam, ds, de = newton.direction(lam * s, mu * e)
        a = _max_step((lam, dlam), (s, ds), (e, de), (mu, -dlam))
        affine = (lam + a * dlam) @ (s + a * ds) + (mu - a * dlam) @ (e + a * de)
        target = complementarity / (2 * len(lam)) * (affine / complementarity) ** 3
        dd, dlam, ds, de = newton.direction(lam * s + dlam * ds - target, mu * e - dlam * de - target)
        a = min(1.0, STEP_TO_BOUNDARY * _max_step((lam, dlam), (s, ds), (e, de), (mu, -dlam)))
        d, lam, s, e, mu = d + a * dd, lam + a * dlam, s + a * ds, e + a * de, mu - a * dlam
    return QPSolution(d, rows.gather(lam), MAX_ITERATIONS, False)


@dataclass(frozen=True)
class _OneSided:
    """Two-sided rows as one-sided rows, ``sign * (A d)[row] <= bound``, without copying A."""

    row: np.ndarray
    sign: np.ndarray
    bound: np.ndarray
    n_rows: int

    @classmethod
    def of(cls, lower: np.ndarray, upper: np.ndarray) -> _OneSided:
        above, below = np.flatnonzero(np.isfinite(upper)), np.flatnonzero(np.isfinite(lower))
        sign = np.concatenate([np.ones(len(above)), -np.ones(len(below))])
        return cls(np.concatenate([above, below]), sign, np.concatenate([upper[above], -lower[below]]), len(lower))

    def gather(self, values: np.ndarray) -> np.ndarray:
        """Signed sum of one-sided values over each two-sided row."""
        return np.bincount(self.row, self.sign * values, minlength=self.n_rows)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Signed one-sided values of two-sided rows."""
        return self.sign * values[self.row]


def _cold_start(rows: _OneSided, penalty: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """lam, s and e at d = 0, centred: lam s = (penalty - lam) e."""
    gap = np.clip(np.max(-rows.bound, initial=0.0), 3e-3, 1.0)
    e, s = np.maximum(-rows.bound, 0.0) + gap, np.maximum(rows.bound, 0.0) + gap
    return penalty * e / (e + s), s, e


def _warm_start(
    rows: _OneSided, penalty: float, multipliers: np.ndarray, product: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """lam, s and e at d = 0 from the multipliers of a similar program, kept off the bounds by small products."""
    known, margin = rows.spread(multipliers), WARM_SHARE * penalty
    s = np.maximum(rows.bound, 0.0) + product / np.maximum(known, margin)
    lam = np.minimum(np.maximum(known, product / s), penalty - margin)
    return lam, s, np.maximum(-rows.bound, 0.0) + product / (penalty - lam)


class _Newton:
    """The linear system of one iterate, factored once for both predictor and corrector."""

    def __init__(
        self,
        H: np.ndarray,
        A: SparseRows,
        rows: _OneSided,
        d: np.ndarray,
        lam: np.ndarray,
        s: np.ndarray,
        e: np.ndarray,
        mu: np.ndarray,
        stationarity: np.ndarray,
    ) -> None:
        self.A, self.rows, self.lam, self.s, self.e, self.mu = A, rows, lam, s, e, mu
        self.stationarity = stationarity
        self.residual = rows.spread(A.times(d)) - rows.bound - e + s
        # The weights of active rows grow without bound. The regularisation keeps the factorisation well posed; the
        # residual is computed without it, so later iterations remove its small error.
        regularisation = 1e-12 * len(H) / np.trace(H)
        self.weight = 1.0 / (e / mu + s / lam + regularisation)
        self.factor = _factor(H, A, np.bincount(rows.row, self.weight, minlength=A.shape[0]))

    def direction(self, rc_s: np.ndarray, rc_e: np.ndarray) -> tuple[np.ndarray, ...]:
        """Newton steps of d, lam, s and e that reduce the products lam s and mu e by rc_s and rc_e."""
        shift = self.residual + rc_e / self.mu - rc_s / self.lam
        slope = self.stationarity + self.A.transposed_times(self.rows.gather(self.weight * shift))
        dd = -dpotrs(self.factor, slope, lower=1)[0]
        dlam = self.weight * (self.rows.spread(self.A.times(dd)) + shift)
        return dd, dlam, (-rc_s - self.s * dlam) / self.lam, (-rc_e + self.e * dlam) / self.mu


def _factor(H: np.ndarray, A: SparseRows, w: np.ndarray) -> np.ndarray:
    """Lower Cholesky factor of H + A' W A; the upper triangle is arbitrary."""
    shift = 0.0
    while True:
        system = np.array(H if H.flags.f_contiguous else H.T, order="F")
        A.add_gram(w, system)
        largest = system.diagonal().max()
        system[np.diag_indices_from(system)] += shift * largest
        factor, failed = dpotrf(system, lower=1, clean=0, overwrite_a=1)
        if not failed:
            return factor
        if not np.isfinite(largest) or shift > 1e-2:
            raise LinAlgError(f"leading minor {failed} of the quadratic program is not positive definite")
        # Rounding errors of large weights: a far smaller shift, whose error is removed by later iterations.
        shift = max(10.0 * shift, 1e-14)


def _max_step(*pairs: tuple[np.ndarray, np.ndarray]) -> float:
    """Largest step that keeps all values positive under their changes."""
    fastest = max(float(np.max(-change / value)) for value, change in pairs)
    return 1.0 / max(fastest, STEP_TO_BOUNDARY)
