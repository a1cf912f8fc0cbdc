"""Objective, constraints and their derivatives at one point, computed when first used.

============= ======================================================================
attribute     formula, with quantities r_i at the nodes and quadrature weights w
============= ======================================================================
``objective`` f(x) = sum_i weight_i * integral of r_i' r_i dt, by the trapezoidal rule; of functions of rates, with
              r_i constant from node to node
``gradient``  grad f = 2 J' R, with residuals R = sqrt(weight w) r and J = dR/dx
``hessian``   2 J' J (Gauss-Newton; Nocedal and Wright, section 10.3)
``rows``      c(x), scaled
``jacobian``  A = dc/dx by the chain rule over q, qd, qdd, qddd
============= ======================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.optimisation.node_values import NodeValues
from pipeline.optimisation.problem import Problem
from pipeline.optimisation.quantities import Quantity
from pipeline.optimisation.sparse_rows import SparseRows, Support
from pipeline.optimisation.terms import Duration, LinearConstraint, Objective, SquaredIntegral, SquaredRate
from pipeline.optimisation.transcription import ORDERS, StateGradient, States


class Evaluation:
    """A problem at one point x (n_variables,); values alone are computed until a derivative is used.

    A line search needs values far more often than derivatives.
    """

    def __init__(self, problem: Problem, x: np.ndarray) -> None:
        self.problem, self.x = problem, x

    @cached_property
    def objective(self) -> float:
        """Value of the objective."""
        return sum(self.objective_terms().values())

    def objective_terms(self) -> dict[str, float]:
        """Weighted value of every objective."""
        at = self._values
        return {
            part.name: part.weight * _integral(part, values, at.states)
            for part, values in zip(self.problem.objectives, at.objectives, strict=True)
        }

    @cached_property
    def rows(self) -> np.ndarray:
        """(m,) scaled values of the constraints."""
        return self._rows([None if v is None else v.value for v in self._values.constraints], self.x)

    @cached_property
    def jacobian(self) -> np.ndarray:
        """(m, n_variables) of the rows."""
        return self.jacobian_of(np.ones(len(self.rows), dtype=bool))

    def jacobian_of(self, chosen: np.ndarray) -> np.ndarray:
        """Jacobian of the chosen rows, (m,) boolean; most rows of a problem are far from their bounds."""
        at, problem = self._derivatives, self.problem
        blocks = [np.zeros((0, problem.n_variables))]
        selections = np.split(chosen, problem.ends)[:-1]
        for part, values, mask, own in zip(problem.constraints, at.constraints, problem.masks, selections, strict=True):
            if not own.any():
                continue
            if isinstance(part, LinearConstraint):
                blocks.append(part.scale * part.matrix[own])
            elif values is not None:
                keep = mask.copy()
                keep[mask] = own
                blocks.append(part.scale * at.gradient.chain_rule(*values.partials, keep=keep))
        return np.concatenate(blocks)

    def jacobian_times(self, direction: np.ndarray) -> np.ndarray:
        """(m,) A d for a direction (n_variables,), without forming A."""
        changes = self._derivatives.gradient.directional(direction)
        quantities = self._derivatives.constraints
        return self._rows([None if v is None else v.directional(changes) for v in quantities], direction)

    def jacobian_transposed_times(self, multipliers: np.ndarray) -> np.ndarray:
        """(n_variables,) A' y for multipliers (m,), without forming A."""
        at, problem = self._derivatives, self.problem
        total = np.zeros(problem.n_variables)
        at_nodes = np.zeros((ORDERS, *at.states.q.shape))
        selections = np.split(multipliers, problem.ends)[:-1]
        for part, values, mask, own in zip(problem.constraints, at.constraints, problem.masks, selections, strict=True):
            if not own.any():
                continue
            if isinstance(part, LinearConstraint):
                total += part.scale * (own @ part.matrix)
            elif values is not None:
                each = np.zeros(mask.shape)
                each[mask] = part.scale * own
                for order, partial in enumerate(values.partials):
                    if partial is not None:
                        at_nodes[order] += (each[:, None] @ partial)[:, 0]
        return total + at.gradient.transposed(at_nodes)

    @cached_property
    def supports(self) -> tuple[list[Support], np.ndarray]:
        """Distinct sets of design variables that rows depend on, and the index (m,) of each row's set."""
        supports, which = self._derivatives.gradient.supports
        rows = [
            np.full(len(mask), len(supports)) if mask.ndim == 1 else np.broadcast_to(which[:, None], mask.shape)[mask]
            for mask in self.problem.masks
        ]
        return [*supports, Support.whole(self.problem.n_variables)], np.concatenate([np.zeros(0, dtype=int), *rows])

    def _rows(self, at_nodes: list[np.ndarray | None], x: np.ndarray) -> np.ndarray:
        """(m,) scaled rows from quantities at the nodes (K, r); those of linear constraints from x itself."""
        rows = [np.zeros(0)]
        for part, values, mask in zip(self.problem.constraints, at_nodes, self.problem.masks, strict=True):
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
    def _values(self) -> _Terms:
        """All terms, without derivatives unless these have been computed already."""
        return self.__dict__.get("_derivatives") or _Terms.of(self.problem, self.x, differentiate=False)

    @cached_property
    def _derivatives(self) -> _Terms:
        return _Terms.of(self.problem, self.x, differentiate=True)

    @cached_property
    def _objective_derivatives(self) -> tuple[np.ndarray, np.ndarray]:
        n, column = self.problem.n_variables, self.problem.transcription.duration_column
        at = self._derivatives
        gradient = np.zeros(n)
        # One product for all terms of a kind: residuals of a node, or of a pair, depend on the same design variables.
        of_nodes, of_pairs = [], []
        for part, values in zip(self.problem.objectives, at.objectives, strict=True):
            match part:
                case SquaredIntegral():
                    of_nodes.append(_residuals(part, values, at))
                case SquaredRate():
                    of_pairs.append(_residuals_of_rates(part, values, at))
                case Duration():
                    if column is not None:
                        gradient[column] += part.weight
        hessian = np.zeros((n, n), order="F")
        for parts, pairs in ((of_nodes, False), (of_pairs, True)):
            if not parts:
                continue
            residuals, jacobians = (np.concatenate(each, axis=1) for each in zip(*parts, strict=True))
            gradient += 2.0 * (residuals.ravel() @ jacobians.reshape(-1, n))
            supports, which = at.gradient.supports_of_pairs if pairs else at.gradient.supports
            rows = SparseRows(jacobians.reshape(-1, n), supports, np.repeat(which, residuals.shape[1]))
            rows.add_gram(np.full(residuals.size, 2.0), hessian)
        return gradient, np.tril(hessian) + np.tril(hessian, -1).T


@dataclass(frozen=True)
class _Terms:
    """Quantities of all objectives and constraints at the nodes of one motion.

    Attributes:
        states: the motion.
        objectives: their quantities, of each a list; empty for the total time.
        constraints: their quantities; None where linear in the design variables.
    """

    states: States
    objectives: list[list[NodeValues]]
    constraints: list[NodeValues | None]

    @classmethod
    def of(cls, problem: Problem, x: np.ndarray, differentiate: bool) -> _Terms:
        states = problem.transcription.states(x, differentiate)
        at = problem.model(states)
        return cls(
            states,
            [[quantity(at) for quantity in _quantities(part)] for part in problem.objectives],
            [None if isinstance(part, LinearConstraint) else part.quantity(at) for part in problem.constraints],
        )

    @property
    def gradient(self) -> StateGradient:
        assert self.states.gradient is not None
        return self.states.gradient


def _quantities(part: Objective) -> list[Quantity]:
    """Those that an objective is a function of."""
    match part:
        case SquaredIntegral():
            return [part.quantity]
        case SquaredRate():
            return [part.rate_of] if part.plus is None else [part.rate_of, part.plus]
        case Duration():
            return []


def _integral(part: Objective, values: list[NodeValues], states: States) -> float:
    """Total time, or the integral over time of the squares of a quantity or of a function of its rate."""
    match part:
        case SquaredIntegral():
            return float(states.quadrature @ np.sum(values[0].value ** 2, axis=1))
        case SquaredRate():
            value, _ = part.function(_between_nodes([one.value for one in values], np.diff(states.time)))
            return float(np.diff(states.time) @ np.sum(value**2, axis=1))
        case Duration():
            return states.duration


def _between_nodes(at_nodes: list[np.ndarray], steps: np.ndarray) -> np.ndarray:
    """(K-1, ...) rates of the first (K, ...) over steps (K-1,), s, plus means of the second where there is one."""
    rate_of, *plus = at_nodes
    rates = np.diff(rate_of, axis=0) / np.expand_dims(steps, tuple(range(1, rate_of.ndim)))
    return sum((0.5 * (one[1:] + one[:-1]) for one in plus), start=rates)


def _residuals(part: SquaredIntegral, values: list[NodeValues], at: _Terms) -> tuple[np.ndarray, np.ndarray]:
    """Residuals (K, r) whose squares sum to the integral, and their Jacobian (K, r, n_variables).

    The quadrature weights depend on total time and breaks where these are free.
    """
    (quantity,) = values
    root = np.sqrt(part.weight * at.states.quadrature)
    chained = at.gradient.chain_rule(*quantity.partials)
    jacobian = chained.reshape(*quantity.value.shape, -1) * root[:, None, None]
    if np.any(at.states.quadrature_gradient):
        root_gradient = 0.5 * part.weight * at.states.quadrature_gradient / root[:, None]
        jacobian += quantity.value[:, :, None] * root_gradient[:, None, :]
    return quantity.value * root[:, None], jacobian


def _residuals_of_rates(part: SquaredRate, values: list[NodeValues], at: _Terms) -> tuple[np.ndarray, np.ndarray]:
    """Residuals (K-1, r) from node to node whose squares sum to the integral, and their Jacobian (K-1, r, n_variables).

    Steps in time depend on total time and breaks where these are free.
    """
    steps, by_variables = np.diff(at.states.time), np.diff(at.states.time_gradient, axis=0)
    column = steps[:, None]
    root = np.sqrt(part.weight * column)
    value, slope = part.function(_between_nodes([one.value for one in values], steps))
    chained = [at.gradient.chain_rule(*one.partials).reshape(*one.value.shape, -1) for one in values]
    jacobian = _between_nodes(chained, steps) * (slope * root)[:, :, None]
    if np.any(by_variables):
        by_steps = 0.5 * value * root / column - slope * np.diff(values[0].value, axis=0) * root / column**2
        jacobian += by_steps[:, :, None] * by_variables[:, None, :]
    return value * root, jacobian
