"""Elimination of linear equality constraints: control points as an affine map of the free ones, c = c0 + A x.

Equalities that are linear in the control points (a frozen joint, rest at both ends, periodicity, the mirrored
continuation of a step) are satisfied exactly for every x and are not passed to the solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from pipeline.optimisation.errors import OptimisationError
from pipeline.optimisation.splines import Spline

Coefficient = tuple[int, int]
"""A control point: its index along the spline and its joint."""


@dataclass(frozen=True)
class AffineMap:
    """Control points (M, n) = constant + matrix @ free.

    Attributes:
        constant: (M, n).
        matrix: (M n, n_free) sparse, rows in C order of the control points.
        free: (n_free, 2) control point (index, joint) of each free variable.
    """

    constant: np.ndarray
    matrix: sparse.csr_array
    free: np.ndarray

    @property
    def n_free(self) -> int:
        """Number of free variables."""
        return len(self.free)

    def points(self, free: np.ndarray) -> np.ndarray:
        """(M, n) control points."""
        return self.constant + (self.matrix @ free).reshape(self.constant.shape)

    def restrict(self, points: np.ndarray) -> np.ndarray:
        """(n_free,) the free variables of given control points."""
        return points[self.free[:, 0], self.free[:, 1]]


class LinearRelations:
    """Linear relations between control points, from which the map is built; the last one set for a point counts."""

    def __init__(self, spline: Spline, n_joints: int) -> None:
        self.spline, self.n_joints = spline, n_joints
        self._relations: dict[Coefficient, tuple[dict[Coefficient, float], float]] = {}

    def relate(
        self, point: Coefficient, sources: Mapping[Coefficient, float], constant: float = 0.0
    ) -> LinearRelations:
        """Set a control point to a linear combination of others plus a constant."""
        self._relations[point] = (dict(sources), float(constant))
        return self

    def pin(self, joint: int, value: float = 0.0) -> LinearRelations:
        """Freeze a joint at a value."""
        for i in range(self.spline.n_points):
            self.relate((i, joint), {}, value)
        return self

    def release(self, point: Coefficient) -> LinearRelations:
        """Make a control point free again."""
        self._relations.pop(point, None)
        return self

    def rest(self, joint: int, start: float, end: float) -> LinearRelations:
        """Start and end at given values with zero velocity; clamped ends only."""
        self._require("clamped")
        last = self.spline.n_points - 1
        for i, value in ((0, start), (1, start), (last - 1, end), (last, end)):
            self.relate((i, joint), {}, value)
        return self

    def wrap(self, joint: int, partner: int, sign: float = 1.0, shift: float = 0.0) -> LinearRelations:
        """Continue a joint as ``sign * partner + shift`` with all derivatives; wrapped ends only."""
        self._require("wrapped")
        for i in range(self.spline.degree):
            self.relate((self.spline.n_intervals + i, joint), {(i, partner): sign}, shift)
        return self

    def mirror_end(self, joint: int, partner: int, sign: float = 1.0, shift: float = 0.0) -> LinearRelations:
        """End a joint at its partner's start in value and velocity (thesis equation 5.8); clamped ends only."""
        self._require("clamped")
        breaks, last = self.spline.breaks, self.spline.n_points - 1
        ratio = sign * (breaks[-1] - breaks[-2]) / (breaks[1] - breaks[0])
        self.relate((last, joint), {(0, partner): sign}, shift)
        return self.relate((last - 1, joint), {(0, partner): sign + ratio, (1, partner): -ratio}, shift)

    def build(self) -> AffineMap:
        """Solve for the tied control points; relations may refer to tied points.

        Raises:
            OptimisationError: the relations are circular.
        """
        shape = (self.spline.n_points, self.n_joints)
        size = shape[0] * shape[1]
        constant = np.zeros(size)
        rows, columns, factors = [], [], []
        for point, (sources, value) in self._relations.items():
            row = int(np.ravel_multi_index(point, shape))
            constant[row] = value
            for source, factor in sources.items():
                rows.append(row)
                columns.append(int(np.ravel_multi_index(source, shape)))
                factors.append(factor)
        is_tied = np.zeros(size, dtype=bool)
        is_tied[[int(np.ravel_multi_index(point, shape)) for point in self._relations]] = True
        free = np.flatnonzero(~is_tied)
        selection = sparse.csc_array((np.ones(len(free)), (free, np.arange(len(free)))), shape=(size, len(free)))
        system = sparse.eye_array(size, format="csc") - sparse.csc_array((factors, (rows, columns)), shape=(size, size))
        try:
            solver = splu(system)
        except RuntimeError:
            raise OptimisationError(
                "the relations between control points are circular", where="transcription"
            ) from None
        matrix = sparse.csr_array(solver.solve(selection.toarray()))
        return AffineMap(solver.solve(constant).reshape(shape), matrix, np.column_stack(np.unravel_index(free, shape)))

    def _require(self, ends: str) -> None:
        if self.spline.ends != ends:
            raise OptimisationError(
                f"this relation needs {ends} ends, but the spline has {self.spline.ends} ones", where="transcription"
            )
