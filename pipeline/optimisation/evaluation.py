"""Objective, constraints and their derivatives at one point, each computed on first use.

============= ======================================================================
attribute     formula, with quantities r_i at the nodes and quadrature weights w
============= ======================================================================
``objective`` f(x) = sum_i weight_i * integral of r_i' r_i dt, by the trapezoidal rule; for functions of
              rates, r_i is constant from node to node
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
from pipeline.optimisation.residuals import between_nodes, residuals_at_nodes, residuals_of_rates
from pipeline.optimisation.sparse_rows import SparseRows, Support, symmetric
from pipeline.optimisation.terms import Duration, LinearConstraint, Objective, SquaredIntegral, SquaredRate
from pipeline.optimisation.transcription import ORDERS, Rows, StateGradient, States


class Evaluation:
    """A problem at one point x (n_variables,); derivatives are computed only when used.

    A line search needs values far more often than derivatives.
    """

    def __init__(self, problem: Problem, x: np.ndarray) -> None:
        self.problem, self.x = problem, x
        self._lagrangian: tuple[np.ndarray, np.ndarray] | None = None

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
        return self.jacobian_of(np.ones(len(self.rows), dtype=bool)).toarray()

    def jacobian_of(self, chosen: np.ndarray) -> SparseRows:
        """Jacobian of the chosen rows, (m,) boolean; most rows of a problem are far from their bounds."""
        at, problem = self._derivatives, self.problem
        supports, whole = at.gradient.supports, Support.whole(problem.n_variables)
        total, blocks, first = np.zeros((int(chosen.sum()), supports.width)), [], 0
        nodes = np.zeros(len(total), dtype=int)
        selections = np.split(chosen, problem.ends)[:-1]
        for part, values, mask, own in zip(problem.constraints, at.constraints, problem.masks, selections, strict=True):
            rows = np.arange(first, first + int(own.sum()))
            first += len(rows)
            if isinstance(part, LinearConstraint):
                blocks.append((whole, rows, part.scale * part.matrix[own]))
                nodes[rows] = -1
            elif values is not None and len(rows):
                keep = mask.copy()
                keep[mask] = own
                nodes[rows], component = np.nonzero(keep)
                scale = np.full(len(rows), part.scale)
                at.gradient.chain_rule(values.partials, Rows(nodes[rows], component, rows, scale), total)
        blocks += SparseRows.compact(total, supports, nodes).blocks
        return SparseRows((len(total), problem.n_variables), blocks)

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

    def lagrangian_gradient(self, multipliers: np.ndarray) -> np.ndarray:
        """(n_variables,) gradient of f + y'c; that of the last multipliers y (m,) is kept."""
        if self._lagrangian is None or not np.array_equal(self._lagrangian[0], multipliers):
            self._lagrangian = multipliers, self.gradient + self.jacobian_transposed_times(multipliers)
        return self._lagrangian[1]

    def _rows(self, at_nodes: list[np.ndarray | None], x: np.ndarray) -> np.ndarray:
        """(m,) scaled rows: from quantities (K, r) at the nodes or, for linear constraints, from x itself."""
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
        """All terms; with derivatives only if these have already been computed."""
        return self.__dict__.get("_derivatives") or _Terms.of(self.problem, self.x, differentiate=False)

    @cached_property
    def _derivatives(self) -> _Terms:
        return _Terms.of(self.problem, self.x, differentiate=True)

    @cached_property
    def _objective_derivatives(self) -> tuple[np.ndarray, np.ndarray]:
        column, quadratic, at = self.problem.transcription.duration_column, self.problem.quadratic, self._derivatives
        gradient = quadratic.gradient_at_zero + quadratic.hessian @ self.x
        hessian = np.array(quadratic.hessian, order="F")
        # One product for all terms of a kind: their residuals at a node or pair depend on the same design variables.
        of_nodes, of_pairs = [], []
        for k, (part, values) in enumerate(zip(self.problem.objectives, at.objectives, strict=True)):
            match part:
                case SquaredIntegral() if k not in quadratic.terms:
                    of_nodes.append((part, values[0]))
                case SquaredRate():
                    of_pairs.append((part, values))
                case Duration():
                    if column is not None:
                        gradient[column] += part.weight
        kinds = [residuals_at_nodes(of_nodes, at.states)] if of_nodes else []
        kinds += [residuals_of_rates(of_pairs, at.states)] if of_pairs else []
        for residuals, jacobian in kinds:
            gradient += 2.0 * jacobian.transposed_times(residuals)
            jacobian.add_gram(2.0, hessian)
        return gradient, symmetric(hessian)


@dataclass(frozen=True)
class _Terms:
    """Quantities of all objectives and constraints at the nodes of one motion.

    Attributes:
        states: the motion.
        objectives: the list of quantities of each objective; empty for the total time.
        constraints: the quantity of each constraint; None if it is linear in the design variables.
    """

    states: States
    objectives: list[list[NodeValues]]
    constraints: list[NodeValues | None]

    @classmethod
    def of(cls, problem: Problem, x: np.ndarray, differentiate: bool) -> _Terms:
        states = problem.transcription.states(x, differentiate)
        at, quadratic = problem.model(states), problem.quadratic.terms
        objectives = [
            [NodeValues(quadratic[k].value(states))] if k in quadratic else [one(at) for one in _quantities(part)]
            for k, part in enumerate(problem.objectives)
        ]
        return cls(
            states,
            objectives,
            [None if isinstance(part, LinearConstraint) else part.quantity(at) for part in problem.constraints],
        )

    @property
    def gradient(self) -> StateGradient:
        assert self.states.gradient is not None
        return self.states.gradient


def _quantities(part: Objective) -> list[Quantity]:
    """The quantities that an objective depends on."""
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
            value, _ = part.function(between_nodes([one.value for one in values], np.diff(states.time)))
            return float(np.diff(states.time) @ np.sum(value**2, axis=1))
        case Duration():
            return states.duration
