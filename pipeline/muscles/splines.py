"""Cubic splines through points with the end conditions of Forsythe, Malcolm and Moler (1977), extrapolated linearly.

OpenSim's models use these functions (`SimmSpline`) for translations of joints and moving path points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy.interpolate import CubicSpline, PPoly


class Spline:
    """A function of one variable through points; two points are a straight line, one is a constant."""

    def __init__(self, x: Sequence[float] | np.ndarray, y: Sequence[float] | np.ndarray) -> None:
        self.x, self.y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)

    @classmethod
    def line(cls, slope: float, offset: float = 0.0) -> Spline:
        """slope x + offset."""
        return cls([0.0, 1.0], [offset, offset + slope])

    def __call__(self, at: np.ndarray, order: int = 0) -> np.ndarray:
        """Value, or derivative of first order."""
        at = np.asarray(at, dtype=float)
        if len(self.x) == 1:
            return np.full(at.shape, self.y[0] if order == 0 else 0.0)
        inside = np.clip(at, self.x[0], self.x[-1])
        slope = self._pieces(inside, 1)
        return self._pieces(inside) + slope * (at - inside) if order == 0 else slope

    @cached_property
    def _pieces(self) -> PPoly:
        """The second derivatives M solve the equations of a cubic spline; at both ends the third derivative is that of
        the cubic through the outermost four points."""
        x, y, n = self.x, self.y, len(self.x)
        h, rise = np.diff(x), np.diff(y) / np.diff(x)
        A, b = np.zeros((n, n)), np.zeros(n)
        for i in range(1, n - 1):
            A[i, i - 1 : i + 2] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
            b[i] = 6 * (rise[i] - rise[i - 1])
        A[0, :2] = A[-1, -2:] = -1.0, 1.0
        if n > 3:
            b[0], b[-1] = h[0] * _third_derivative(x[:4], y[:4]), h[-1] * _third_derivative(x[-4:], y[-4:])
        M = np.linalg.solve(A, b) if n > 2 else np.zeros(2)
        slopes = rise - h * (2 * M[:-1] + M[1:]) / 6
        return PPoly(np.stack([np.diff(M) / (6 * h), M[:-1] / 2, slopes, y[:-1]]), x)


def _third_derivative(x: np.ndarray, y: np.ndarray) -> float:
    """Third derivative of the cubic through four points."""
    return float(CubicSpline(x, y, bc_type="not-a-knot")(x[0], 3))
