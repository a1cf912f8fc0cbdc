"""What every solver returns, and the check of a solution that does not depend on the solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pipeline.optimisation.errors import SolverError
from pipeline.optimisation.problem import Evaluation, Problem


@dataclass(frozen=True)
class Progress:
    """One line of a running solve."""

    iteration: int
    objective: float
    excess: float
    optimality: float
    step: float


@dataclass(frozen=True)
class SolverResult:
    """A solution and how good it is.

    Attributes:
        x: (n_variables,) design variables.
        success, status: whether it converged, and in words how it ended.
        solver: which solver.
        objective: value of the objective.
        iterations: outer iterations.
        cpu_seconds: processor time of the solve.
        optimality: largest entry of the Lagrangian's gradient, relative to the largest of the objective's gradient,
            the multipliers and one.
        max_excess: largest violation at the nodes in units of each constraint's tolerance; kept at 1 or less.
        worst: largest violation of every constraint at the nodes, in its own unit.
        n_variables, n_constraints, n_active: sizes; active rows lie on a bound.
        multipliers: (m,) of the scaled rows.
    """

    x: np.ndarray
    success: bool
    status: str
    solver: str
    objective: float
    iterations: int
    cpu_seconds: float
    optimality: float
    max_excess: float
    worst: dict[str, float]
    n_variables: int
    n_constraints: int
    n_active: int
    multipliers: np.ndarray = field(repr=False)


class Solver(Protocol):
    """A nonlinear programming method."""

    @property
    def name(self) -> str:
        """Which solver."""
        ...

    def solve(
        self, problem: Problem, x: np.ndarray, progress: Callable[[Progress], None] | None = None
    ) -> SolverResult:
        """Solve from a start; returns whatever was reached, with the status saying what that is."""
        ...


def summarise(
    problem: Problem,
    evaluation: Evaluation,
    x: np.ndarray,
    multipliers: np.ndarray,
    *,
    solver: str,
    status: str,
    converged: bool,
    iterations: int,
    cpu_seconds: float,
) -> SolverResult:
    """Measure a final iterate, the same way for every solver."""
    bounds = problem.bounds()
    excess = bounds.excess(evaluation.rows)
    near = np.minimum(np.abs(evaluation.rows - bounds.lower), np.abs(evaluation.rows - bounds.upper))
    return SolverResult(
        x=np.array(x),
        success=converged and bool(excess.max(initial=0.0) <= 1.0),
        status=status,
        solver=solver,
        objective=evaluation.objective,
        iterations=iterations,
        cpu_seconds=cpu_seconds,
        optimality=optimality(problem, evaluation, x, multipliers),
        max_excess=float(excess.max(initial=0.0)),
        worst=bounds.worst(evaluation.rows),
        n_variables=problem.n_variables,
        n_constraints=len(evaluation.rows),
        n_active=int(np.sum(near <= bounds.scale * bounds.tolerance)),
        multipliers=multipliers,
    )


def optimality(problem: Problem, evaluation: Evaluation, x: np.ndarray, multipliers: np.ndarray) -> float:
    """Largest entry of the Lagrangian's gradient, pressed against no simple bound; relative, see SolverResult."""
    slope = evaluation.gradient + evaluation.pull(multipliers)
    lower, upper = problem.box
    slope = np.where((x <= lower + 1e-9) & (slope > 0), 0.0, slope)
    slope = np.where((x >= upper - 1e-9) & (slope < 0), 0.0, slope)
    size = max(1.0, np.abs(evaluation.gradient).max(), np.abs(multipliers).max(initial=0.0))
    return float(np.abs(slope).max() / size)


def require_success(result: SolverResult, problem: Problem, *, where: str, remedy: str) -> SolverResult:
    """Return the result, or say which constraints stand in the way.

    Raises:
        SolverError: it is not a solution; carries the result as ``best``.
    """
    if result.success:
        return result
    tolerance = {part.name: part.tolerance for part in problem.constraints}
    units = {part.name: part.unit for part in problem.constraints}
    broken = sorted(
        (name for name, value in result.worst.items() if value > tolerance[name]),
        key=lambda name: -result.worst[name] / tolerance[name],
    )
    told = ", ".join(f"{name} by {result.worst[name]:.3g} {units[name]}".rstrip() for name in broken[:5])
    problem_text = f"no solution after {result.iterations} iterations ({result.status})"
    problem_text += f"; constraints in the way: {told}" if told else "; all constraints kept, but not optimal"
    raise SolverError(problem_text, best=result, where=where, remedy=remedy)
