"""Least-squares multipliers: those with which a point comes nearest to the conditions of Karush, Kuhn and Tucker.

The multipliers of a quadratic program belong to the point before its step. At the point after it, those that minimise
the Lagrangian's gradient are as good a certificate (Nocedal and Wright, Numerical Optimization, equation 18.21), and
there they leave a gradient several times smaller.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from pipeline.optimisation.evaluation import Evaluation

NONE = 1e-5
"""Share of the largest multiplier at or below which a row counts as having none."""

ROUNDS = 4
"""Number of times that rows whose multiplier has the wrong sign are left out."""

REGULARISATION = 1e-10
"""Over the mean square of a row: keeps dependent rows near the given multipliers."""


def least_squares_multipliers(at: Evaluation, multipliers: np.ndarray) -> np.ndarray:
    """Multipliers (m,) of the active rows that minimise the squared gradient of the Lagrangian at a point.

    Args:
        at: the point.
        multipliers: (m,) estimates. Rows without one, and rows that are further from their bound of that sign than
            their tolerance, get none; so do rows whose multiplier would change its sign.
    """
    sizes, bounds = np.abs(multipliers), at.problem.bounds
    sign = np.where(sizes > NONE * sizes.max(initial=0.0), np.sign(multipliers), 0.0)
    slack = np.where(sign > 0, bounds.upper - at.rows, at.rows - bounds.lower)
    active = (sign != 0) & (np.abs(slack) <= bounds.scale * bounds.tolerance)
    lower, upper = at.problem.variable_bounds
    inside = (at.x > lower) & (at.x < upper)
    rows = np.flatnonzero(active)
    A, known = sign[rows, None] * at.jacobian_of(active).toarray() * inside, sizes[rows]
    found = known
    for _ in range(ROUNDS):
        gram = A @ A.T
        gram[np.diag_indices_from(gram)] += REGULARISATION * np.trace(gram) / max(len(gram), 1)
        found = known - cho_solve(cho_factor(gram), A @ (at.gradient * inside + known @ A))
        right = found >= 0.0
        if right.all():
            break
        rows, A, known, found = rows[right], A[right], known[right], found[right]
    out = np.zeros(len(multipliers))
    out[rows] = sign[rows] * found
    return out
