"""The interface of a solver, its result, and solution measures that are the same for every solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from pipeline.optimisation.errors import SolverError
from pipeline.optimisation.evaluation import Evaluation
from pipeline.optimisation.problem import Problem


@dataclass(frozen=True)
class Progress:
    """State of a running solve after one iteration.

    Attributes:
        relative_violation: largest violation over its tolerance.
        optimality: see `SolverResult`.
        step: largest component of the step.
    """

    iteration: int
    objective: float
    relative_violation: float
    optimality: float
    step: float


@dataclass(frozen=True)
class SolverResult:
    """The last iterate and its measures.

    Attributes:
        x: (n_variables,) design variables.
        success, status: whether it converged to a feasible point, and the reason for stopping, in words.
        solver: name of the solver.
        objective: value of the objective.
        iterations: outer iterations.
        cpu_seconds: processor time of the solve.
        optimality: largest entry of the Lagrangian's gradient, relative to the largest of the objective's gradient,
            the multipliers and one.
        max_relative_violation: largest violation at the nodes over its tolerance; feasible at 1 or less.
        max_violations: largest violation of every constraint at the nodes, in its own unit.
        n_variables, n_constraints, n_active: numbers; active rows are within their tolerance of a bound.
        multipliers: (m,) of the scaled rows; positive at an upper bound.
    """

    x: np.ndarray
    success: bool
    status: str
    solver: str
    objective: float
    iterations: int
    cpu_seconds: float
    optimality: float
    max_relative_violation: float
    max_violations: dict[str, float]
    n_variables: int
    n_constraints: int
    n_active: int
    multipliers: np.ndarray = field(repr=False)

    def after(self, *earlier: SolverResult) -> SolverResult:
        """This result with the processor time and iterations of earlier searches added."""
        every = (self, *earlier)
        cpu, iterations = sum(one.cpu_seconds for one in every), sum(one.iterations for one in every)
        return replace(self, cpu_seconds=cpu, iterations=iterations)


class Solver(Protocol):
    """A nonlinear programming method."""

    @property
    def name(self) -> str:
        """Name of the solver."""
        ...

    def solve(
        self, problem: Problem, x: np.ndarray, progress: Callable[[Progress], None] | None = None
    ) -> SolverResult:
        """Solve from an initial guess (n_variables,); returns the last iterate, even if it is not a solution."""
        ...


def summarise(
    at: Evaluation,
    multipliers: np.ndarray,
    *,
    solver: str,
    status: str,
    converged: bool,
    iterations: int,
    cpu_seconds: float,
) -> SolverResult:
    """The result with the measures of a final iterate."""
    bounds = at.problem.bounds
    relative = float(bounds.relative_violation(at.rows).max(initial=0.0))
    distance = np.minimum(np.abs(at.rows - bounds.lower), np.abs(at.rows - bounds.upper))
    return SolverResult(
        x=np.array(at.x),
        success=converged and relative <= 1.0,
        status=status,
        solver=solver,
        objective=at.objective,
        iterations=iterations,
        cpu_seconds=cpu_seconds,
        optimality=optimality(at, multipliers),
        max_relative_violation=relative,
        max_violations=bounds.max_violations(at.rows),
        n_variables=at.problem.n_variables,
        n_constraints=len(at.rows),
        n_active=int(np.sum(distance <= bounds.scale * bounds.tolerance)),
        multipliers=multipliers,
    )


def optimality(at: Evaluation, multipliers: np.ndarray) -> float:
    """Largest entry of the Lagrangian's gradient, relative as in `SolverResult`.

    Entries are zero where a bound of a design variable is active with a multiplier of the right sign.
    """
    slope = at.lagrangian_gradient(multipliers)
    lower, upper = at.problem.variable_bounds
    slope = np.where((at.x <= lower + 1e-9) & (slope > 0), 0.0, slope)
    slope = np.where((at.x >= upper - 1e-9) & (slope < 0), 0.0, slope)
    size = max(1.0, np.abs(at.gradient).max(), np.abs(multipliers).max(initial=0.0))
    return float(np.abs(slope).max() / size)


def require_success(result: SolverResult, problem: Problem, *, where: str, remedy: str) -> SolverResult:
    """Return the result of a solve, if it was successful.

    Raises:
        SolverError: it is not a solution; the message names the violated constraints, and ``best`` is the result.
    """
    if result.success:
        return result
    violated = sorted(
        (c for c in problem.constraints if result.max_violations[c.name] > c.tolerance),
        key=lambda c: -result.max_violations[c.name] / c.tolerance,
    )
    listed = ", ".join(f"{c.name} by {result.max_violations[c.name]:.3g} {c.unit}".rstrip() for c in violated[:5])
    text = f"no solution after {result.iterations} iterations ({result.status})"
    text += f"; violated constraints: {listed}" if listed else "; all constraints are satisfied, but not optimality"
    raise SolverError(text, best=result, where=where, remedy=remedy)
