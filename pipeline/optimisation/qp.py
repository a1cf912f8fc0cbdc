"""Convex quadratic programs with l1-elastic rows, by a dense primal-dual interior-point method.

Minimise ``g d + d H d / 2 + penalty * (violations of lower <= A d <= upper)``. Every row may be violated at the price
of the penalty, so a solution always exists and the multipliers stay below the penalty. The slacks are eliminated
by hand, which keeps the linear system at the size of d: ``H + A' W A`` (Mehrotra's predictor-corrector; Nocedal and
Wright, Numerical Optimization, section 16.6). General libraries have to carry one more variable for each elastic row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_solve
from scipy.linalg.lapack import dpotrf

from pipeline.optimisation.supports import SupportedRows

MAX_ITERATIONS = 60
STEP_TO_BOUNDARY = 0.995


@dataclass(frozen=True)
class QPSolution:
    """Step and multipliers.

    Attributes:
        step: (n,) d.
        multipliers: (m,) of the rows; positive where the upper bound pushes.
        iterations: interior-point iterations.
        converged: whether the optimality conditions hold.
    """

    step: np.ndarray
    multipliers: np.ndarray
    iterations: int
    converged: bool


def solve_elastic_qp(
    H: np.ndarray,
    g: np.ndarray,
    A: np.ndarray | SupportedRows,
    lower: np.ndarray,
    upper: np.ndarray,
    penalty: float,
    tolerance: float = 1e-6,
) -> QPSolution:
    """Solve the program.

    Args:
        H: (n, n) positive definite.
        g: (n,).
        A: (m, n), with its zeros where they are known.
        lower, upper: (m,), infinite where there is no bound.
        penalty: price of a unit violation.
        tolerance: on stationarity relative to g and penalty, and on complementarity relative to the objective.
    """
    A = A if isinstance(A, SupportedRows) else SupportedRows.dense(A)
    rows = _OneSided.of(lower, upper)
    if not len(rows.bound):
        return QPSolution(-cho_solve((_factor(H, A, np.zeros(A.shape[0])), True), g), np.zeros(A.shape[0]), 0, True)
    d = np.zeros(len(g))
    # Slack s and excess e of ``sign * A d - bound = e - s``, centred: lambda s = (penalty - lambda) e.
    gap = np.clip(np.max(-rows.bound, initial=0.0), 3e-3, 1.0)
    e, s = np.maximum(-rows.bound, 0.0) + gap, np.maximum(rows.bound, 0.0) + gap
    lam = penalty * e / (e + s)
    scale = 1.0 + np.abs(g).max(initial=0.0)
    for iteration in range(MAX_ITERATIONS):
        mu = penalty - lam
        Hd = H @ d
        stationarity = Hd + g + A.transposed_times(rows.gather(lam))
        complementarity = lam @ s + mu @ e
        value = abs(g @ d + 0.5 * d @ Hd) + penalty * e.sum()
        if np.abs(stationarity).max() < tolerance * scale and complementarity < tolerance * (1.0 + value):
            return QPSolution(d, rows.gather(lam), iteration, True)
        newton = _Newton(H, A, rows, d, lam, s, e, mu, stationarity)
        dd, dlam, ds, de = newton.direction(lam * s, mu * e)
        a = _longest((lam, dlam), (s, ds), (e, de), (mu, -dlam))
        ahead = (lam + a * dlam) @ (s + a * ds) + (mu - a * dlam) @ (e + a * de)
        target = complementarity / (2 * len(lam)) * (ahead / complementarity) ** 3
        dd, dlam, ds, de = newton.direction(lam * s + dlam * ds - target, mu * e - dlam * de - target)
        a = min(1.0, STEP_TO_BOUNDARY * _longest((lam, dlam), (s, ds), (e, de), (mu, -dlam)))
        d, lam, s, e = d + a * dd, lam + a * dlam, s + a * ds, e + a * de
    return QPSolution(d, rows.gather(lam), MAX_ITERATIONS, False)


@dataclass(frozen=True)
class _OneSided:
    """Two-sided rows as one-sided ones, ``sign * (A d)[row] <= bound``, without copying A."""

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


class _Newton:
    """The linear system of one iterate, factored once for predictor and corrector."""

    def __init__(
        self,
        H: np.ndarray,
        A: SupportedRows,
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
        # Rows about to hold exactly would weigh without limit; the softness keeps the factor well posed, and the
        # residual carried along takes its small error out again.
        softness = 1e-12 * len(H) / np.trace(H)
        self.weight = 1.0 / (e / mu + s / lam + softness)
        self.factor = _factor(H, A, np.bincount(rows.row, self.weight, minlength=A.shape[0]))

    def direction(self, rc_s: np.ndarray, rc_e: np.ndarray) -> tuple[np.ndarray, ...]:
        """Changes of d, lambda, s and e that take the products lambda s and mu e down by rc_s and rc_e."""
        shift = self.residual + rc_e / self.mu - rc_s / self.lam
        dd = cho_solve(
            (self.factor, True), -self.stationarity - self.A.transposed_times(self.rows.gather(self.weight * shift))
        )
        dlam = self.weight * (self.rows.spread(self.A.times(dd)) + shift)
        return dd, dlam, (-rc_s - self.s * dlam) / self.lam, (-rc_e + self.e * dlam) / self.mu


def _factor(H: np.ndarray, A: SupportedRows, w: np.ndarray) -> np.ndarray:
    """Lower Cholesky factor of H + A' W A."""
    system = np.array(H, order="F")
    A.add_gram(w, system)
    shift = 0.0
    while True:
        factor, failed = dpotrf(system, lower=1)
        if not failed:
            return factor
        if not np.isfinite(system[failed - 1, failed - 1]) or shift > 1e-2:
            raise LinAlgError(f"leading minor {failed} of the quadratic program is not positive definite")
        # Rounding beside very heavy rows: a shift far below their weight, which later iterations make up for.
        grown = max(10.0 * shift, 1e-14)
        system[np.diag_indices_from(system)] += (grown - shift) * system.diagonal().max()
        shift = grown


def _longest(*pairs: tuple[np.ndarray, np.ndarray]) -> float:
    """Longest step that keeps all values positive under their changes."""
    longest = 1.0 / STEP_TO_BOUNDARY
    for value, change in pairs:
        shrinking = change < 0
        if shrinking.any():
            longest = min(longest, float(np.min(-value[shrinking] / change[shrinking])))
    return longest
