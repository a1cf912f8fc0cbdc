"""A motion problem as data: small parts, each a function of the motion at the nodes, assembled into one program.

A part says what it computes at some nodes and how that depends on q and its rates there; the chain rule to the design
variables, scaling and bookkeeping happen here, once. Adding an objective or a constraint is writing one function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pipeline.optimisation.node_values import NodeValues
from pipeline.optimisation.states import StateGradient, States, Transcription
from pipeline.optimisation.supports import Support, SupportedRows


@dataclass(frozen=True)
class SquaredIntegral:
    """Objective: the integral over time of the weighted sum of squares of a quantity.

    Attributes:
        name: for reports.
        quantity: function of the motion at the nodes.
        weight: factor of the objective.
    """

    name: str
    quantity: Callable[[Any], NodeValues]
    weight: float = 1.0


@dataclass(frozen=True)
class Duration:
    """Objective: the total time."""

    weight: float = 1.0
    name: str = "duration"


@dataclass(frozen=True)
class NodeConstraint:
    """Bounds on a quantity at some nodes.

    Attributes:
        name: for messages.
        quantity: function of the motion at the nodes.
        lower, upper: broadcast to (K, r); infinite where there is no bound. Equal bounds make an equality.
        tolerance: largest violation that counts as kept, in the quantity's unit.
        unit: unit of the quantity, for reports.
        applies: (K,) or (K, r) boolean, which nodes (and rows) it applies to; all by default.
        labels: names of the r quantities.
        scale: factor of the rows inside the solver.
    """

    name: str
    quantity: Callable[[Any], NodeValues]
    lower: Any
    upper: Any
    tolerance: float = 1e-4
    unit: str = ""
    applies: np.ndarray | None = None
    labels: tuple[str, ...] = ()
    scale: float = 1.0


@dataclass(frozen=True)
class LinearConstraint:
    """Bounds on fixed combinations of the design variables themselves."""

    name: str
    matrix: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    tolerance: float = 1e-6
    unit: str = ""
    scale: float = 1.0


class Evaluation:
    """A program at one point, all scaled; values and derivatives are worked out when first asked for.

    A solver's line search looks at values far more often than at derivatives.
    """

    def __init__(self, problem: Problem, x: np.ndarray) -> None:
        self._problem, self._x = problem, x

    @cached_property
    def objective(self) -> float:
        """Value of the objective."""
        return sum(self.objective_terms().values())

    def objective_terms(self) -> dict[str, float]:
        """Value of every objective, weighted."""
        at = self._values
        return {
            part.name: part.weight
            * (at.states.duration if values is None else float(at.states.quadrature @ np.sum(values.value**2, axis=1)))
            for part, values in zip(self._problem.objectives, at.terms, strict=True)
        }

    @cached_property
    def rows(self) -> np.ndarray:
        """(m,) values of the constraints."""
        return self._rows([None if v is None else v.value for v in self._values.blocks], self._x)

    @cached_property
    def jacobian(self) -> np.ndarray:
        """(m, n_variables) of the rows."""
        return self.jacobian_of(np.ones(len(self.rows), dtype=bool))

    def jacobian_of(self, chosen: np.ndarray) -> np.ndarray:
        """Jacobian of the chosen rows (m,) alone: most rows of a problem are far from their bounds."""
        at, problem = self._derivatives, self._problem
        blocks = [np.zeros((0, problem.n_variables))]
        mine = np.split(chosen, problem.ends)[:-1]
        for part, values, mask, wanted in zip(problem.constraints, at.blocks, problem.masks, mine, strict=True):
            if not wanted.any():
                continue
            if isinstance(part, LinearConstraint):
                blocks.append(part.scale * part.matrix[wanted])
            elif values is not None:
                keep = mask.copy()
                keep[mask] = wanted
                blocks.append(part.scale * at.gradient.chain(*values.partials, keep=keep))
        return np.concatenate(blocks)

    def change(self, direction: np.ndarray) -> np.ndarray:
        """(m,) the Jacobian times a direction (n_variables,), without the Jacobian."""
        moved = self._derivatives.gradient.along(direction)
        return self._rows([None if v is None else v.along(moved) for v in self._derivatives.blocks], direction)

    def pull(self, multipliers: np.ndarray) -> np.ndarray:
        """(n_variables,) the transposed Jacobian times multipliers (m,), most of them zero."""
        pushing = multipliers != 0.0
        return multipliers[pushing] @ self.jacobian_of(pushing)

    @cached_property
    def supports(self) -> tuple[list[Support], np.ndarray]:
        """Different sets of design variables that rows depend on, and which of them each row (m,) has."""
        kinds, which = self._derivatives.gradient.supports
        rows = [
            np.full(len(mask), len(kinds)) if mask.ndim == 1 else np.broadcast_to(which[:, None], mask.shape)[mask]
            for mask in self._problem.masks
        ]
        return [*kinds, Support.whole(self._problem.n_variables)], np.concatenate([np.zeros(0, dtype=int), *rows])

    def _rows(self, at_nodes: list[np.ndarray | None], x: np.ndarray) -> np.ndarray:
        """(m,) scaled rows from quantities at the nodes (K, r); those of linear constraints from x itself."""
        rows = [np.zeros(0)]
        for part, values, mask in zip(self._problem.constraints, at_nodes, self._problem.masks, strict=True):
            if isinstance(part, LinearConstraint):
                rows.append(part.scale * (part.matrix @ x))
            elif values is not None:
                rows.append(part.scale * values[mask])
        return np.concatenate(rows)

    @property
    def gradient(self) -> np.ndarray:
        """(n_variables,) of the objective."""
        return self._objective_derivatives[0]

    @property
    def hessian(self) -> np.ndarray:
        """(n_variables, n_variables) Gauss-Newton Hessian of the objective; zero for the total time."""
        return self._objective_derivatives[1]

    @cached_property
    def _values(self) -> _Parts:
        """All parts without derivatives, unless these are there already."""
        return self.__dict__.get("_derivatives") or _Parts.of(self._problem, self._x, differentiate=False)

    @cached_property
    def _derivatives(self) -> _Parts:
        return _Parts.of(self._problem, self._x, differentiate=True)

    @cached_property
    def _objective_derivatives(self) -> tuple[np.ndarray, np.ndarray]:
        n, column = self._problem.n_variables, self._problem.transcription.duration_column
        at = self._derivatives
        gradient, hessian = np.zeros(n), np.zeros((n, n))
        for part, values in zip(self._problem.objectives, at.terms, strict=True):
            if isinstance(part, Duration) or values is None:
                if column is not None:
                    gradient[column] += part.weight
                continue
            residual, jacobian = _residuals(part, values, at)
            gradient += 2.0 * (residual.ravel() @ jacobian.reshape(-1, n))
            kinds, which = at.gradient.supports
            rows = SupportedRows(jacobian.reshape(-1, n), kinds, np.repeat(which, residual.shape[1]))
            rows.add_gram(np.full(residual.size, 2.0), hessian)
        return gradient, np.tril(hessian) + np.tril(hessian, -1).T


@dataclass(frozen=True)
class _Parts:
    """Objectives and constraints as quantities at the nodes of one motion.

    Attributes:
        states: the motion.
        terms: of the objectives; None for the total time.
        blocks: of the constraints; None where linear in the design variables.
    """

    states: States
    terms: list[NodeValues | None]
    blocks: list[NodeValues | None]

    @classmethod
    def of(cls, problem: Problem, x: np.ndarray, differentiate: bool) -> _Parts:
        states = problem.transcription.states(x, differentiate)
        at = problem.view(states)
        return cls(
            states,
            [None if isinstance(part, Duration) else part.quantity(at) for part in problem.objectives],
            [None if isinstance(part, LinearConstraint) else part.quantity(at) for part in problem.constraints],
        )

    @property
    def gradient(self) -> StateGradient:
        assert self.states.gradient is not None
        return self.states.gradient


@dataclass(frozen=True)
class Bounds:
    """Bounds of the rows, scaled, with what each row is.

    Attributes:
        lower, upper: (m,).
        scale, tolerance: (m,) factor of the row, and violation that counts as kept in physical units.
        part: (m,) index into ``names``.
        names, units: of the constraints.
    """

    lower: np.ndarray
    upper: np.ndarray
    scale: np.ndarray
    tolerance: np.ndarray
    part: np.ndarray
    names: tuple[str, ...]
    units: tuple[str, ...]

    def violation(self, rows: np.ndarray) -> np.ndarray:
        """(m,) scaled violation, zero where kept."""
        return np.maximum(np.maximum(self.lower - rows, rows - self.upper), 0.0)

    def excess(self, rows: np.ndarray) -> np.ndarray:
        """(m,) violation in units of its tolerance."""
        return self.violation(rows) / (self.scale * self.tolerance)

    def worst(self, rows: np.ndarray) -> dict[str, float]:
        """Largest violation of every constraint in its own unit."""
        physical = self.violation(rows) / self.scale
        return {name: float(physical[self.part == i].max(initial=0.0)) for i, name in enumerate(self.names)}


@dataclass
class Problem:
    """Objectives and constraints on a transcribed motion.

    Attributes:
        transcription: design variables to states.
        objectives, constraints: the parts.
        view: turns the states into what the parts take: a model's motion with its loads, computed once and shared.
        lower, upper: (n_variables,) simple bounds of the design variables.
    """

    transcription: Transcription
    objectives: Sequence[SquaredIntegral | Duration]
    constraints: Sequence[NodeConstraint | LinearConstraint]
    view: Callable[[States], Any]
    lower: np.ndarray | None = None
    upper: np.ndarray | None = None

    @property
    def n_variables(self) -> int:
        """Number of design variables."""
        return self.transcription.n_variables

    @cached_property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Simple bounds (n_variables,) of the design variables, infinite where there is none."""
        sides = ((self.lower, -np.inf), (self.upper, np.inf))
        low, high = (np.full(self.n_variables, none if side is None else side, dtype=float) for side, none in sides)
        return low, high

    def evaluate(self, x: np.ndarray) -> Evaluation:
        """Everything a solver needs at x."""
        return Evaluation(self, x)

    def bounds(self) -> Bounds:
        """Bounds of the rows, in the order of ``evaluate``."""
        return self._bounds

    @cached_property
    def masks(self) -> list[np.ndarray]:
        """Which nodes and quantities (K, r) of every constraint are rows; of a linear one, its rows (r,): all."""
        states = self.transcription.states(
            self.transcription.start(self.transcription.ties.constant), differentiate=False
        )
        at = self.view(states)
        return [
            np.ones(len(part.lower), dtype=bool)
            if isinstance(part, LinearConstraint)
            else _applies(part, part.quantity(at).value.shape)
            for part in self.constraints
        ]

    @cached_property
    def ends(self) -> np.ndarray:
        """Row after the last one of every constraint."""
        return np.cumsum([int(mask.sum()) for mask in self.masks], dtype=int)

    @cached_property
    def _bounds(self) -> Bounds:
        lower, upper, counts = [], [], []
        for part, mask in zip(self.constraints, self.masks, strict=True):
            low, high = (np.broadcast_to(bound, mask.shape)[mask] for bound in (part.lower, part.upper))
            lower.append(part.scale * low)
            upper.append(part.scale * high)
            counts.append(len(low))
        each = np.repeat(np.arange(len(counts)), counts)
        scale = np.array([part.scale for part in self.constraints])[each] if counts else np.zeros(0)
        tolerance = np.array([part.tolerance for part in self.constraints])[each] if counts else np.zeros(0)
        empty = [np.zeros(0)]
        return Bounds(
            np.concatenate(lower or empty),
            np.concatenate(upper or empty),
            scale,
            tolerance,
            each,
            tuple(part.name for part in self.constraints),
            tuple(part.unit for part in self.constraints),
        )


def _applies(part: NodeConstraint, shape: tuple[int, ...]) -> np.ndarray:
    if part.applies is None:
        return np.ones(shape, dtype=bool)
    applies = np.asarray(part.applies, dtype=bool)
    return np.broadcast_to(applies if applies.ndim == 2 else applies[:, None], shape)


def _residuals(part: SquaredIntegral, values: NodeValues, at: _Parts) -> tuple[np.ndarray, np.ndarray]:
    """Residuals (K, r) whose squares sum to the integral; their weights move with time and breaks where these are
    free. Their Jacobian (K, r, n_variables) comes with them."""
    root = np.sqrt(part.weight * at.states.quadrature)
    chained = at.gradient.chain(*values.partials)
    jacobian = chained.reshape(*values.value.shape, -1) * root[:, None, None]
    if np.any(at.states.quadrature_gradient):
        root_gradient = 0.5 * part.weight * at.states.quadrature_gradient / root[:, None]
        jacobian += values.value[:, :, None] * root_gradient[:, None, :]
    return values.value * root[:, None], jacobian
