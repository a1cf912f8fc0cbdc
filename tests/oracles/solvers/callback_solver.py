"""Common base of independent solvers that call back for values and derivatives, one by one."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.optimisation import Evaluation, Problem, Progress, SolverResult, summarise


@dataclass(frozen=True)
class Ending:
    """Result of a solver: last iterate, multipliers of the scaled rows, status, convergence and iterations."""

    x: np.ndarray
    multipliers: np.ndarray
    status: str
    converged: bool
    iterations: int


@dataclass(frozen=True)
class CallbackSolver(ABC):
    """A solver with the identical problem and derivatives, and the Gauss-Newton Hessian of the objective.

    Attributes:
        tolerance: the solver's own.
        max_iterations, max_seconds: limits.
    """

    tolerance: float = 1e-4
    max_iterations: int = 500
    max_seconds: float = 60.0
    name: str = ""

    def solve(
        self, problem: Problem, x: np.ndarray, progress: Callable[[Progress], None] | None = None
    ) -> SolverResult:
        """Solve from an initial guess; progress is called once, at the end."""
        started = time.process_time()
        end = self.run(problem, np.array(x, dtype=float), lambda: time.process_time() - started > self.max_seconds)
        result = summarise(
            Evaluation(problem, end.x),
            end.multipliers,
            solver=self.name,
            status=end.status,
            converged=end.converged,
            iterations=end.iterations,
            cpu_seconds=time.process_time() - started,
        )
        if progress is not None:
            violation, slope = result.max_relative_violation, result.optimality
            progress(Progress(end.iterations, result.objective, violation, slope, 0.0))
        return result

    @abstractmethod
    def run(self, problem: Problem, x: np.ndarray, out_of_time: Callable[[], bool]) -> Ending:
        """Solve until convergence or a limit."""


class Latest:
    """The evaluation at the last point, as solvers ask for values and derivatives separately."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._at: Evaluation | None = None

    def __call__(self, x: np.ndarray) -> Evaluation:
        """The evaluation at x."""
        if self._at is None or not np.array_equal(x, self._at.x):
            self._at = Evaluation(self._problem, np.array(x))
        return self._at


def jacobian_pattern(problem: Problem, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row and column indices of all entries of the Jacobian that may differ from zero, by the rows' supports."""
    at = Evaluation(problem, x)
    rows = at.jacobian_of(np.ones(len(at.rows), dtype=bool))
    pattern = np.zeros(rows.shape, dtype=bool)
    for support, index, _ in rows.blocks:
        pattern[index[:, None], support.columns] = True
    return np.nonzero(pattern)  # type: ignore[return-value]
