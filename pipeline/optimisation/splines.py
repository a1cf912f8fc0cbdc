"""B-splines on the unit interval (de Boor, A Practical Guide to Splines): values and derivatives by s and by the knots.

Normalised time s runs from 0 to 1. With l intervals and degree d every spline has l + d control points. ``clamped``
ends repeat the end knots, so the curve starts at its first control point. ``wrapped`` ends continue the knots
periodically: tying the last d control points to the first d makes the curve periodic with d - 1 continuous
derivatives; tying them to those of the mirrored joint makes half a period, one step of a symmetric walk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.interpolate import BSpline

from pipeline.optimisation.errors import OptimisationError


@dataclass(frozen=True)
class Spline:
    """A family of B-splines with common knots.

    Attributes:
        degree: polynomial degree, 3 (cubic) or 5 (quintic) in this project.
        breaks: (l+1,) increasing knots of the unit interval, from 0 to 1.
        ends: ``clamped`` or ``wrapped``.
    """

    degree: int
    breaks: np.ndarray
    ends: Literal["clamped", "wrapped"] = "clamped"

    def __post_init__(self) -> None:
        breaks = np.array(self.breaks, dtype=float)
        object.__setattr__(self, "breaks", breaks)
        if self.degree < 1 or breaks.ndim != 1 or len(breaks) < 2:
            raise OptimisationError(f"degree {self.degree} with breaks of shape {breaks.shape}", where="spline")
        if breaks[0] != 0.0 or breaks[-1] != 1.0 or not np.all(np.diff(breaks) > 0):
            raise OptimisationError("the breaks must increase from 0 to 1", where="spline")
        if self.ends == "wrapped" and self.n_intervals < self.degree:
            raise OptimisationError(
                f"{self.n_intervals} intervals are too few to wrap a spline of degree {self.degree}",
                where="spline",
                remedy=f"Use at least {self.degree} intervals or clamped ends",
            )

    @classmethod
    def uniform(cls, degree: int, n_intervals: int, ends: Literal["clamped", "wrapped"] = "clamped") -> Spline:
        """A spline with equal intervals."""
        return cls.graded(degree, n_intervals, ends)

    @classmethod
    def graded(
        cls,
        degree: int,
        n_intervals: int,
        ends: Literal["clamped", "wrapped"] = "clamped",
        grading: float = 0.0,
        repeats: int = 1,
    ) -> Spline:
        """A spline whose intervals are shorter near both ends of a pattern, which may repeat.

        Args:
            degree: polynomial degree.
            n_intervals: of one pattern.
            ends: ``clamped`` or ``wrapped``.
            grading: share by which intervals are shorter than the mean at the ends of a pattern and longer in its
                middle; at least 0 and below 1. The breaks are s - grading sin(2 pi s) / (2 pi) of equally spaced s.
            repeats: number of patterns.

        Raises:
            OptimisationError: the grading is outside its range.
        """
        if not 0.0 <= grading < 1.0:
            raise OptimisationError(f"the grading is {grading:g}", where="spline", remedy="Give 0 or more, below 1")
        equal = np.linspace(0.0, 1.0, n_intervals + 1)
        pattern = equal - grading / (2.0 * np.pi) * np.sin(2.0 * np.pi * equal)
        breaks = np.concatenate([[0.0], *(turn + pattern[1:] for turn in range(repeats))]) / repeats
        breaks[-1] = 1.0
        return cls(degree, breaks, ends)

    @property
    def n_intervals(self) -> int:
        """Number of polynomial pieces l."""
        return len(self.breaks) - 1

    @property
    def n_points(self) -> int:
        """Number of control points l + d."""
        return self.n_intervals + self.degree

    @property
    def knots(self) -> np.ndarray:
        """(l + 2d + 1,) the full knot vector."""
        if self.ends == "clamped":
            return np.concatenate([np.zeros(self.degree), self.breaks, np.ones(self.degree)])
        d = self.degree
        return np.concatenate([self.breaks[-d - 1 : -1] - 1.0, self.breaks, self.breaks[1 : d + 1] + 1.0])

    def basis(self, s: np.ndarray, derivative: int = 0) -> np.ndarray:
        """(K, l+d) derivative of every basis function with respect to s, taken from the right at inner breaks."""
        return _evaluate(self.knots, np.eye(self.n_points), self.degree, s, derivative)

    def knot_gradient(self, points: np.ndarray, s: np.ndarray, derivative: int = 0) -> np.ndarray:
        """Derivative by each inner break of the curves, or of one of their derivatives, at fixed s, (K, n, l-1).

        The derivative of a spline with respect to a knot is a spline of the same degree on the knots with that knot
        repeated (Lyche and Morken, Spline Methods, on knot derivatives):
        ``-sum_i (c_i - c_{i-1}) / (t_{i+d} - t_i) B_i``, i from j - d to j.

        Args:
            points: (l+d, n) control points.
            s: (K,) normalised times.
            derivative: order of the derivative with respect to s.
        """
        knots, d = self.knots, self.degree
        gradient = np.zeros((len(s), points.shape[1], self.n_intervals - 1))
        for inner in range(1, self.n_intervals):
            for j in self._copies(inner):
                coefficients = np.zeros((self.n_points + 1, points.shape[1]))
                i = np.arange(max(1, j - d), min(j, self.n_points - 1) + 1)
                coefficients[i] = -(points[i] - points[i - 1]) / (knots[i + d] - knots[i])[:, None]
                gradient[:, :, inner - 1] += _evaluate(np.insert(knots, j, knots[j]), coefficients, d, s, derivative)
        return gradient

    def _copies(self, inner: int) -> list[int]:
        """Indices in the knot vector of an inner break and, with wrapped ends, of its periodic images."""
        index = self.degree + inner
        if self.ends == "clamped":
            return [index]
        images = (index - self.n_intervals, index, index + self.n_intervals)
        return [j for j in images if 0 <= j < len(self.knots)]


def _evaluate(knots: np.ndarray, coefficients: np.ndarray, degree: int, s: np.ndarray, derivative: int) -> np.ndarray:
    inside = np.minimum(s, np.nextafter(1.0, 0.0))  # s = 1 is evaluated in the last interval, for wrapped knots too
    return BSpline(knots, coefficients, degree)(inside, nu=derivative)
