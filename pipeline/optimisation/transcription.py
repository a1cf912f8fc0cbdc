"""Direct transcription: from design variables to the motion at the nodes, with sparse derivatives.

The design variables x are the free control points of the B-splines, then the total time T and the inner breaks if these
are free (Betts, Practical Methods for Optimal Control). Objectives and constraints are evaluated at nodes, whose number
is independent of that of the control points. Nodes move with free breaks, so every interval keeps its nodes.

==================== =====================================================
field of `States`    formula, with s the normalised time of the nodes
==================== =====================================================
``q, qd, qdd, qddd`` sum_i c_i B_i^(k)(s) / T^k, k = 0 to 3
``quadrature``       T * weights of the trapezoidal rule on s
==================== =====================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from pipeline.optimisation.affine_map import AffineMap
from pipeline.optimisation.chain_rule_kernels import accumulate
from pipeline.optimisation.sparse_rows import Supports
from pipeline.optimisation.splines import Spline

ORDERS = 4
"""Coordinates and their first three time derivatives."""

Partials = Sequence[np.ndarray | None]
"""Derivatives of a quantity by coordinates and their time derivatives, in order; None where zero."""


@dataclass(frozen=True)
class Rows:
    """Components of a quantity at nodes, and the matrix rows that their gradients are added to.

    Attributes:
        node, component: (M,) indices into the quantity (K, r).
        target: (M,) rows of the matrix.
        factor: (M,) factors of the gradients.
    """

    node: np.ndarray
    component: np.ndarray
    target: np.ndarray
    factor: np.ndarray

    @classmethod
    def among(cls, factor: np.ndarray, first: int, count: int) -> Rows:
        """All components (K, r) with their factors; the matrix has ``count`` rows per node, these from ``first`` on."""
        node, component = (index.ravel() for index in np.indices(factor.shape))
        return cls(node, component, node * count + first + component, factor.ravel())


@dataclass(frozen=True)
class StateGradient:
    """Derivatives of q, qd, qdd, qddd at the nodes with respect to the design variables, as a list of non-zeros.

    Attributes:
        start: (K n + 1,) first entry of each node and joint, in this order.
        column: (E,) design variable that an entry belongs to.
        weights: (4, E) derivative of q, qd, qdd and qddd.
        n_joints, n_variables: number of coordinates and of design variables.
    """

    start: np.ndarray
    column: np.ndarray
    weights: np.ndarray
    n_joints: int
    n_variables: int

    @cached_property
    def supports(self) -> Supports:
        """Design variables that each node (K,) depends on."""
        return Supports.of(self._nonzero)

    @cached_property
    def supports_of_pairs(self) -> Supports:
        """Design variables that each node and the next one depend on, (K-1,)."""
        return Supports.of(self._nonzero[:-1] | self._nonzero[1:])

    @property
    def _n_nodes(self) -> int:
        return (len(self.start) - 1) // self.n_joints

    @cached_property
    def _index(self) -> np.ndarray:
        """(E,) node and joint of each entry, as one index."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    @cached_property
    def _node(self) -> np.ndarray:
        """(E,) node of each entry."""
        return self._index // self.n_joints

    @cached_property
    def _nonzero(self) -> np.ndarray:
        """(K, n_variables) whether a node depends on a design variable."""
        nonzero = np.zeros((self._n_nodes, self.n_variables), dtype=bool)
        nonzero[self._node, self.column] = True
        return nonzero

    @cached_property
    def _column_of_node(self) -> np.ndarray:
        """(E,) position of each entry among the columns of its node."""
        return self.supports.local(self._node, self.column)

    @cached_property
    def _column_of_pair(self) -> tuple[np.ndarray, np.ndarray]:
        """(E,) position of each entry among the columns of two pairs: the one its node is first in, and second in.

        The former is not used for the last node, the latter not for the first.
        """
        last = self._n_nodes - 2
        pairs = np.minimum(self._node, last), np.maximum(self._node - 1, 0)
        return tuple(self.supports_of_pairs.local(pair, self.column) for pair in pairs)  # type: ignore[return-value]

    def chain_rule(self, partials: Partials, rows: Rows, total: np.ndarray) -> None:
        """Add the gradients of quantities to a total (M, width of `supports`), which is changed in place.

        Args:
            partials: derivatives (K, r, n) by q, qd, qdd, qddd; None where zero.
            rows: nodes and components, and where their gradients go.
            total: each row has the columns that its node depends on.
        """
        self._accumulate(partials, rows, total, self._column_of_node)

    def chain_rule_of_pairs(self, partials: Partials, rows: Rows, second: np.ndarray, total: np.ndarray) -> None:
        """Add the gradients of quantities at a node and at the next to a total (M, width of `supports_of_pairs`).

        Args:
            partials: derivatives (K, r, n) by q, qd, qdd, qddd; None where zero.
            rows: first nodes and components, and where their gradients go.
            second: (M,) factors of the gradients at the next node.
            total: each row has the columns that its two nodes depend on.
        """
        own, following = self._column_of_pair
        self._accumulate(partials, rows, total, own)
        self._accumulate(partials, replace(rows, node=rows.node + 1, factor=second), total, following)

    def _accumulate(self, partials: Partials, rows: Rows, total: np.ndarray, column: np.ndarray) -> None:
        for part, weights in zip(partials, self.weights, strict=False):
            if part is not None:
                accumulate(
                    total,
                    rows.target,
                    rows.factor,
                    np.ascontiguousarray(part),
                    rows.node,
                    rows.component,
                    self.start,
                    column,
                    weights,
                )

    def directional(self, direction: np.ndarray) -> np.ndarray:
        """(4, K, n) directional derivatives of q, qd, qdd and qddd for a direction (n_variables,)."""
        size, change = len(self.start) - 1, direction[self.column]
        each = [np.bincount(self._index, change * w, minlength=size) for w in self.weights]
        return np.stack(each).reshape(len(each), -1, self.n_joints)

    def transposed(self, values: np.ndarray) -> np.ndarray:
        """(n_variables,) sum over nodes and joints of values (4, K, n) times the gradients of q, qd, qdd and qddd."""
        weighted = np.sum(values.reshape(len(values), -1)[:, self._index] * self.weights, axis=0)
        return np.bincount(self.column, weighted, minlength=self.n_variables)


@dataclass(frozen=True)
class States:
    """The motion at the nodes.

    Attributes:
        x: (n_variables,) design variables.
        s: (K,) normalised time of the nodes.
        duration: total time T, s.
        q, qd, qdd, qddd: (K, n) coordinates and time derivatives.
        gradient: derivatives of these four with respect to x; None if only values were computed.
        quadrature: (K,) weights of the integral over time, s.
        time_gradient, quadrature_gradient: (K, n_variables) of the nodes' times and of the weights; zero if total time
            and breaks are fixed.
    """

    x: np.ndarray
    s: np.ndarray
    duration: float
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    qddd: np.ndarray
    gradient: StateGradient | None
    quadrature: np.ndarray
    time_gradient: np.ndarray
    quadrature_gradient: np.ndarray

    @property
    def time(self) -> np.ndarray:
        """(K,) s."""
        return self.s * self.duration


@dataclass(frozen=True)
class Transcription:
    """The map from design variables to a motion.

    Attributes:
        spline: the B-spline; its breaks are fixed, or the initial ones if they are free.
        relations: map from free variables to control points.
        nodes: (K,) increasing, from 0 to 1.
        duration: total time, s; the initial one if it is free.
        free_duration, free_breaks: whether total time and inner breaks are design variables.
    """

    spline: Spline
    relations: AffineMap
    nodes: np.ndarray
    duration: float
    free_duration: bool = False
    free_breaks: bool = False

    @property
    def n_variables(self) -> int:
        """Number of design variables."""
        return self.relations.n_free + int(self.free_duration) + self.break_columns.stop - self.break_columns.start

    @property
    def is_linear(self) -> bool:
        """Whether the motion is linear in the design variables: total time and breaks are fixed."""
        return not self.free_duration and not self.free_breaks

    @property
    def duration_column(self) -> int | None:
        """Index of the design variable that is the total time, if it is free."""
        return self.relations.n_free if self.free_duration else None

    @property
    def break_columns(self) -> slice:
        """Design variables that are the inner breaks; empty if these are fixed."""
        first = self.relations.n_free + int(self.free_duration)
        return slice(first, first + (self.spline.n_intervals - 1 if self.free_breaks else 0))

    def with_nodes(self, nodes: np.ndarray) -> Transcription:
        """The same motion at other nodes."""
        return replace(self, nodes=np.asarray(nodes, dtype=float))

    def refined(self, factor: int) -> Transcription:
        """The same motion with ``factor`` times as many intervals between nodes."""
        index = np.arange((len(self.nodes) - 1) * factor + 1) / factor
        return self.with_nodes(np.interp(index, np.arange(len(self.nodes)), self.nodes))

    def pack(self, points: np.ndarray) -> np.ndarray:
        """Design variables of given control points (M, n) at the nominal duration and breaks."""
        duration = [self.duration] if self.free_duration else []
        breaks = self.spline.breaks[1:-1] if self.free_breaks else np.zeros(0)
        return np.concatenate([self.relations.restrict(points), duration, breaks])

    def unpack(self, x: np.ndarray) -> tuple[np.ndarray, float, Spline]:
        """Control points (M, n), total time and spline of given design variables."""
        duration = float(x[self.relations.n_free]) if self.free_duration else self.duration
        spline = self.spline
        if self.free_breaks:
            spline = replace(spline, breaks=np.concatenate([[0.0], x[self.break_columns], [1.0]]))
        return self.relations.points(x[: self.relations.n_free]), duration, spline

    def states(self, x: np.ndarray, differentiate: bool = True) -> States:
        """The motion at the nodes and, with ``differentiate``, its gradient."""
        points, T, spline = self.unpack(x)
        s = self._break_weights @ spline.breaks if self.free_breaks else self.nodes
        bases = [spline.basis(s, k) for k in range(ORDERS + 1)] if self.free_breaks else self._fixed_bases
        curves = [basis @ points for basis in bases]
        rates = [curves[k] / T**k for k in range(ORDERS)]
        q, qd, qdd, qddd = rates
        if self.is_linear:
            gradient, none = self._fixed_gradient if differentiate else None, self._no_time_gradient
            return States(np.array(x), s, T, q, qd, qdd, qddd, gradient, self._fixed_quadrature, none, none)
        by_variables = self._time_gradient(s, T)
        quadrature, quadrature_gradient = self._trapezoid @ (T * s), self._trapezoid @ by_variables
        gradient = None
        if differentiate:
            entries = [self._point_entries(spline, s, T)]
            if self.free_duration:
                entries.append(self._duration_entries(rates, T))
            if self.free_breaks:
                entries.append(self._break_entries(spline, points, s, T, curves))
            gradient = self._gather(entries)
        return States(np.array(x), s, T, q, qd, qdd, qddd, gradient, quadrature, by_variables, quadrature_gradient)

    @cached_property
    def _fixed_bases(self) -> list[np.ndarray]:
        return [self.spline.basis(self.nodes, k) for k in range(ORDERS)]

    @cached_property
    def _fixed_gradient(self) -> StateGradient:
        """With fixed time and breaks the motion is linear in the design variables."""
        return self._gather([self._point_entries(self.spline, self.nodes, self.duration)])

    @cached_property
    def _fixed_quadrature(self) -> np.ndarray:
        return self._trapezoid @ (self.duration * self.nodes)

    @cached_property
    def _no_time_gradient(self) -> np.ndarray:
        return np.zeros((len(self.nodes), self.n_variables))

    @cached_property
    def _trapezoid(self) -> np.ndarray:
        return _trapezoid(len(self.nodes))

    @cached_property
    def _break_weights(self) -> np.ndarray:
        """(K, l+1) weights that interpolate the nodes from the breaks on either side."""
        nominal, identity = self.spline.breaks, np.eye(self.spline.n_intervals + 1)
        return np.column_stack([np.interp(self.nodes, nominal, column) for column in identity])

    @cached_property
    def _fixed_point_entries(self) -> tuple[np.ndarray, ...]:
        return self._point_entries_of(self.spline, self.nodes)

    def _point_entries(self, spline: Spline, s: np.ndarray, T: float) -> tuple[np.ndarray, ...]:
        node, joint, column, weights = (
            self._point_entries_of(spline, s) if self.free_breaks else self._fixed_point_entries
        )
        return node, joint, column, weights / T ** np.arange(ORDERS)[:, None]

    def _point_entries_of(self, spline: Spline, s: np.ndarray) -> tuple[np.ndarray, ...]:
        """Entries at unit duration: derivatives of the basis times the affine map, for each joint."""
        n = self.relations.constant.shape[1]
        maps = [
            (sparse.kron(sparse.csr_array(spline.basis(s, k)), sparse.eye_array(n)) @ self.relations.matrix).tocsr()
            for k in range(ORDERS)
        ]
        pattern = sum((abs(m) for m in maps[1:]), start=abs(maps[0])).tocoo()
        rows, columns = pattern.coords
        weights = np.stack([np.asarray(m[rows, columns]).ravel() for m in maps])
        return rows // n, rows % n, columns, weights

    def _duration_entries(self, rates: list[np.ndarray], T: float) -> tuple[np.ndarray, ...]:
        K, n = rates[0].shape
        node, joint = np.divmod(np.arange(K * n), n)
        weights = np.stack([-k / T * rate.ravel() for k, rate in enumerate(rates)])
        return node, joint, np.full(K * n, self.relations.n_free), weights

    def _break_entries(
        self, spline: Spline, points: np.ndarray, s: np.ndarray, T: float, curves: list[np.ndarray]
    ) -> tuple[np.ndarray, ...]:
        """Derivatives by the breaks: of the curve at fixed s, plus by s, since the nodes move with the breaks."""
        inner = self._break_weights[:, 1:-1]
        total = np.stack(
            [
                (spline.knot_gradient(points, s, k) + curves[k + 1][:, :, None] * inner[:, None, :]) / T**k
                for k in range(ORDERS)
            ]
        )
        K, n, b = total.shape[1:]
        node, joint, column = (index.ravel() for index in np.indices((K, n, b)))
        return node, joint, column + self.break_columns.start, total.reshape(ORDERS, -1)

    def _gather(self, entries: list[tuple[np.ndarray, ...]]) -> StateGradient:
        node, joint, column = (np.concatenate([entry[i] for entry in entries]) for i in range(3))
        weights = np.concatenate([entry[3] for entry in entries], axis=1)
        n = self.relations.constant.shape[1]
        index = node * n + joint
        order = np.argsort(index, kind="stable")
        start = np.searchsorted(index[order], np.arange(len(self.nodes) * n + 1))
        return StateGradient(start, column[order], np.ascontiguousarray(weights[:, order]), n, self.n_variables)

    def _time_gradient(self, s: np.ndarray, T: float) -> np.ndarray:
        """(K, n_variables) of the nodes' times s T."""
        gradient = np.zeros((len(s), self.n_variables))
        if self.free_duration:
            gradient[:, self.relations.n_free] = s
        if self.free_breaks:
            gradient[:, self.break_columns] = T * self._break_weights[:, 1:-1]
        return gradient


def _trapezoid(n: int) -> np.ndarray:
    """(n, n) matrix that maps the nodes to the weights of the trapezoidal rule."""
    matrix = np.zeros((n, n))
    for k in range(n - 1):
        matrix[[k, k + 1], k] -= 0.5
        matrix[[k, k + 1], k + 1] += 0.5
    return matrix
