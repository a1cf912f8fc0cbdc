"""An optimal control problem for a transcribed motion: minimise integrals subject to bounds at the nodes.

Each term is a function of the motion at the nodes, with its partial derivatives there. The chain rule to the design
variables, scaling and the order of rows are common to all terms (`pipeline.optimisation.evaluation`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pipeline.optimisation.errors import OptimisationError
from pipeline.optimisation.quantities import Coordinates
from pipeline.optimisation.residuals import residuals_at_nodes
from pipeline.optimisation.sparse_rows import symmetric
from pipeline.optimisation.terms import LinearConstraint, NodeConstraint, Objective, SquaredIntegral
from pipeline.optimisation.transcription import States, Transcription


@dataclass(frozen=True)
class Bounds:
    """Scaled bounds of the rows, and the constraint that each row belongs to.

    Attributes:
        lower, upper: (m,).
        scale, tolerance: (m,) factor of each row, and tolerance in the unit of its constraint.
        constraint: (m,) index into ``names``.
        names, units: of the constraints.
    """

    lower: np.ndarray
    upper: np.ndarray
    scale: np.ndarray
    tolerance: np.ndarray
    constraint: np.ndarray
    names: tuple[str, ...]
    units: tuple[str, ...]

    def violation(self, rows: np.ndarray) -> np.ndarray:
        """(m,) scaled violation, zero where satisfied."""
        return np.maximum(np.maximum(self.lower - rows, rows - self.upper), 0.0)

    def relative_violation(self, rows: np.ndarray) -> np.ndarray:
        """(m,) violation over its tolerance."""
        return self.violation(rows) / (self.scale * self.tolerance)

    def max_violations(self, rows: np.ndarray) -> dict[str, float]:
        """Largest violation of every constraint in its own unit."""
        physical = self.violation(rows) / self.scale
        return {name: float(physical[self.constraint == i].max(initial=0.0)) for i, name in enumerate(self.names)}


@dataclass(frozen=True)
class Quadratic:
    """The sum of the objectives that are quadratic in the design variables, by its constant derivatives.

    Attributes:
        terms: their quantities, by position among the objectives.
        gradient_at_zero, hessian: (n,) and (n, n).
    """

    terms: dict[int, Coordinates]
    gradient_at_zero: np.ndarray
    hessian: np.ndarray


@dataclass
class Problem:
    """Objectives and constraints of a transcribed motion.

    Attributes:
        transcription: map from design variables to states.
        objectives, constraints: the terms.
        model: map from states to the evaluated motion that the terms' quantities take, with the loads they share.
        lower, upper: (n_variables,) simple bounds of the design variables.
    """

    transcription: Transcription
    objectives: Sequence[Objective]
    constraints: Sequence[NodeConstraint | LinearConstraint]
    model: Callable[[States], Any]
    lower: np.ndarray | None = None
    upper: np.ndarray | None = None

    @property
    def n_variables(self) -> int:
        """Number of design variables."""
        return self.transcription.n_variables

    @cached_property
    def variable_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds (n_variables,) of the design variables, infinite if there is none."""
        lower = np.full(self.n_variables, -np.inf if self.lower is None else self.lower, dtype=float)
        upper = np.full(self.n_variables, np.inf if self.upper is None else self.upper, dtype=float)
        for k in np.flatnonzero(~(lower <= upper)):
            raise OptimisationError(
                f"the bounds of design variable {k} are {lower[k]:g} to {upper[k]:g}",
                where="problem",
                remedy="Give a lower bound that is not above the upper one",
            )
        return lower, upper

    @cached_property
    def quadratic(self) -> Quadratic:
        """Integrals of squared coordinates and rates, unless the total time or the breaks are free."""
        n, form, terms = self.n_variables, self.transcription, {}
        if form.is_linear:
            for k, part in enumerate(self.objectives):
                if isinstance(part, SquaredIntegral) and isinstance(part.quantity, Coordinates):
                    terms[k] = part, part.quantity
        if not terms:
            return Quadratic({}, np.zeros(n), np.zeros((n, n)))
        zero = form.states(np.zeros(n))
        residuals, jacobian = residuals_at_nodes([(part, own.at(zero)) for part, own in terms.values()], zero)
        hessian = np.zeros((n, n), order="F")
        jacobian.add_gram(2.0, hessian)
        quantities = {k: own for k, (_, own) in terms.items()}
        return Quadratic(quantities, 2.0 * jacobian.transposed_times(residuals), symmetric(hessian))

    @cached_property
    def masks(self) -> list[np.ndarray]:
        """Nodes and components (K, r) of every constraint that are rows of the problem; all (r,) of a linear one."""
        states = self.transcription.states(
            self.transcription.pack(self.transcription.relations.constant), differentiate=False
        )
        at = self.model(states)
        return [
            np.ones(len(part.lower), dtype=bool)
            if isinstance(part, LinearConstraint)
            else _applies(part, part.quantity(at).value.shape)
            for part in self.constraints
        ]

    @cached_property
    def ends(self) -> np.ndarray:
        """Index after the last row of every constraint."""
        return np.cumsum([int(mask.sum()) for mask in self.masks], dtype=int)

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of the rows, in the order of `Evaluation.rows`."""
        lower, upper, counts = [], [], []
        for part, mask in zip(self.constraints, self.masks, strict=True):
            low, high = (np.broadcast_to(bound, mask.shape)[mask] for bound in (part.lower, part.upper))
            if np.isnan(low).any() or np.isnan(high).any():
                remedy = "Give numbers, or infinity where there is no bound"
                raise OptimisationError("a bound is NaN", where=f"constraint {part.name}", remedy=remedy)
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
