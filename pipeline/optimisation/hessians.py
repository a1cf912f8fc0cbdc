"""Hessians of the quadratic subproblems: BFGS updates, damped or curvature-raising, and Levenberg-Marquardt damping."""

from __future__ import annotations

import numpy as np

GOOD_RATIO, POOR_RATIO = 0.75, 0.25
"""Ratios of actual to predicted reduction above which damping falls and below which it rises."""

DECREASE, INCREASE = 10.0, 2.0
MIN_DAMPING = 1e-8
"""Over the initial damping: at 1e-5 of it, some walks ended 0.03 % higher than with less, after more iterations."""


class Damping:
    """Damping: a multiple of the identity, relative to the Hessian's mean diagonal.

    It is adapted to the accuracy of the quadratic model.

    Args:
        initial: the first value.
    """

    def __init__(self, initial: float) -> None:
        self.value, self.initial = initial, initial

    def applied_to(self, hessian: np.ndarray) -> np.ndarray:
        """(n, n) the damped Hessian."""
        damped = hessian.copy(order="K")
        damped[np.diag_indices_from(damped)] += self.value * max(float(np.trace(hessian)) / len(hessian), 1.0)
        return damped

    def decrease(self) -> None:
        """Allow longer steps."""
        self.value /= DECREASE

    def update(self, actual: float, predicted: float, length: float) -> None:
        """Adapt to the actual and predicted reduction of a step of some length, 0 to 1."""
        if length < 1.0:
            self.value /= max(length, 0.1)
        elif actual > GOOD_RATIO * predicted:
            self.value = max(self.value / DECREASE, MIN_DAMPING * self.initial)
        elif actual < POOR_RATIO * predicted:
            self.value *= INCREASE


MIN_CURVATURE_RATIO = 0.7
"""Measured curvature over the Hessian's along a step above which the measured one replaces it."""


def raised_curvature(B: np.ndarray, s: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The BFGS update of a positive definite matrix (n, n), made unless the curvature s'y of a step is far below s'B s.

    A Gauss-Newton Hessian lacks the curvature of the constraints. If its curvature is too small, steps overshoot and
    alternate; if it is too large, they are only shortened.

    Args:
        B: (n, n) the matrix.
        s: (n,) the step.
        y: (n,) change of the Lagrangian's gradient over the step.
    """
    Bs = B @ s
    sBs, sy = s @ Bs, s @ y
    if sBs < 1e-16 or sy < MIN_CURVATURE_RATIO * sBs:
        return B
    return B + np.outer(y, y) / sy - np.outer(Bs, Bs) / sBs


def damped_bfgs(B: np.ndarray, s: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Powell's damped update of a positive definite estimate (n, n) (Nocedal and Wright, procedure 18.2).

    Args:
        B: (n, n) the estimate.
        s: (n,) the step.
        y: (n,) change of the Lagrangian's gradient over the step.
    """
    Bs = B @ s
    sBs = s @ Bs
    if sBs < 1e-16:
        return B
    theta = 1.0 if s @ y >= 0.2 * sBs else 0.8 * sBs / (sBs - s @ y)
    r = theta * y + (1.0 - theta) * Bs
    return B + (np.outer(r, r) / (s @ r) - np.outer(Bs, Bs) / sBs)
