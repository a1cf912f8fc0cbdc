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
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf

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
    A: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    penalty: float,
    tolerance: float = 1e-6,
) -> QPSolution:
    """Solve the program.

    Args:
        H: (n, n) positive definite.
        g: (n,).
        A: (m, n).
        lower, upper: (m,), infinite where there is no bound.
        penalty: price of a unit violation.
        tolerance: on stationarity relative to g and penalty, and on complementarity relative to the objective.
    """
    has_upper, has_lower = np.flatnonzero(np.isfinite(upper)), np.flatnonzero(np.isfinite(lower))
    row = np.concatenate([has_upper, has_lower])
    sign = np.concatenate([np.ones(len(has_upper)), -np.ones(len(has_lower))])
    bound = np.concatenate([upper[has_upper], -lower[has_lower]])
    m = len(A)
    if not len(row):
        return QPSolution(-cho_solve((_factor(H, A, np.zeros(m)), True), g), np.zeros(m), 0, True)

    d = np.zeros(len(g))
    # Slack s and excess e of ``sign * A d - bound = e - s``, centred: lambda s = (penalty - lambda) e.
    gap = np.clip(np.max(-bound, initial=0.0), 3e-3, 1.0)
    e, s = np.maximum(-bound, 0.0) + gap, np.maximum(bound, 0.0) + gap
    lam = penalty * e / (e + s)

    def gather(values: np.ndarray) -> np.ndarray:
        return np.bincount(row, sign * values, minlength=m)

    scale = 1.0 + np.abs(g).max(initial=0.0)
    # Rows about to hold exactly would weigh without limit; this keeps the factor well posed, and the residual
    # carried along takes its small error out again.
    softness = 1e-12 / (np.trace(H) / len(H))
    for iteration in range(MAX_ITERATIONS):
        mu_e = penalty - lam
        Hd = H @ d
        stationarity = Hd + g + A.T @ gather(lam)
        gap_sum = lam @ s + mu_e @ e
        value = abs(g @ d + 0.5 * d @ Hd) + penalty * e.sum()
        if np.abs(stationarity).max() < tolerance * scale and gap_sum < tolerance * (1.0 + value):
            return QPSolution(d, gather(lam), iteration, True)

        residual = sign * (A @ d)[row] - bound - e + s
        w = 1.0 / (e / mu_e + s / lam + softness)
        factor = _factor(H, A, np.bincount(row, w, minlength=m))

        def newton(
            rc_s: np.ndarray,
            rc_e: np.ndarray,
            stationarity: np.ndarray = stationarity,
            factor: np.ndarray = factor,
            w: np.ndarray = w,
            mu_e: np.ndarray = mu_e,
            residual: np.ndarray = residual,
        ) -> tuple[np.ndarray, ...]:
            shift = residual + rc_e / mu_e - rc_s / lam
            dd = cho_solve((factor, True), -stationarity - A.T @ gather(w * shift))
            dlam = w * (sign * (A @ dd)[row] + shift)
            return dd, dlam, (-rc_s - s * dlam) / lam, (-rc_e + e * dlam) / mu_e

        mean = gap_sum / (2 * max(len(row), 1))
        dd, dlam, ds, de = newton(lam * s, mu_e * e)
        a = _longest(lam, dlam, s, ds, e, de, mu_e)
        ahead = (lam + a * dlam) @ (s + a * ds) + (mu_e - a * dlam) @ (e + a * de)
        target = mean * (ahead / gap_sum) ** 3
        dd, dlam, ds, de = newton(lam * s + dlam * ds - target, mu_e * e - dlam * de - target)
        a = min(1.0, STEP_TO_BOUNDARY * _longest(lam, dlam, s, ds, e, de, mu_e))
        d, lam, s, e = d + a * dd, lam + a * dlam, s + a * ds, e + a * de
    return QPSolution(d, gather(lam), MAX_ITERATIONS, False)


def _factor(H: np.ndarray, A: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Lower Cholesky factor of H + A' W A; rows that weigh nothing beside H are left out."""
    matters = w > 1e-7 * np.trace(H) / len(H)
    weighted = np.sqrt(w[matters])[:, None] * A[matters]
    system = dsyrk(1.0, weighted.T, beta=1.0, c=np.array(H, order="F"), lower=1)
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


def _longest(*pairs: np.ndarray) -> float:
    """Longest step that keeps lambda, s, e and the excess multipliers positive."""
    lam, dlam, s, ds, e, de, mu_e = pairs
    longest = 1.0 / STEP_TO_BOUNDARY
    for value, change in ((lam, dlam), (s, ds), (e, de), (mu_e, -dlam)):
        shrinking = change < 0
        if shrinking.any():
            longest = min(longest, float(np.min(-value[shrinking] / change[shrinking])))
    return longest
