"""Uno behind the same interface: an established filter SQP, for cross-checks (Vanaret and Leyffer 2024).

Optional (extra ``solvers``). The problem and its derivatives are identical to those of the default solver,
with the Gauss-Newton Hessian of the objective in place of the Lagrangian's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.optimisation.problem import Problem
from pipeline.optimisation.solution import Progress, SolverResult
from tests.oracles.solvers.callbacks import Latest, conclude, jacobian_pattern, solver_package

_FEASIBLE = ("FEASIBLE_KKT_POINT", "FEASIBLE_SMALL_STEP")


@dataclass(frozen=True)
class Uno:
    """Uno's settings.

    Attributes:
        preset: of Uno's own; ``filtersqp`` or ``ipopt``.
        tolerance: Uno's ``primal_tolerance`` and ``dual_tolerance``.
        max_iterations, max_seconds: when to give up.
    """

    preset: str = "filtersqp"
    tolerance: float = 1e-4
    max_iterations: int = 500
    max_seconds: float = 60.0
    name: str = "uno"

    def solve(
        self, problem: Problem, x: np.ndarray, progress: Callable[[Progress], None] | None = None
    ) -> SolverResult:
        """Solve from a start.

        Raises:
            PredictionError: ``unopy`` is not installed.
        """
        unopy = solver_package("unopy", self.name)
        started = time.process_time()
        bounds, n = problem.bounds(), problem.n_variables
        m = len(bounds.lower)
        at = Latest(problem)
        rows, columns = jacobian_pattern(problem, x)
        triangle = np.tril_indices(n)

        def gradient(point: np.ndarray, out: np.ndarray) -> None:
            out[:] = at(point).gradient

        def constraints(point: np.ndarray, out: np.ndarray) -> None:
            out[:] = at(point).rows

        def jacobian(point: np.ndarray, out: np.ndarray) -> None:
            out[:] = at(point).jacobian[rows, columns]

        def hessian(point: np.ndarray, factor: float, _: np.ndarray, out: np.ndarray) -> None:
            out[:] = factor * at(point).hessian[triangle]

        model = unopy.Model(unopy.PROBLEM_NONLINEAR, n, *problem.box, unopy.ZERO_BASED_INDEXING)
        model.set_objective(unopy.MINIMIZE, lambda point: at(point).objective, gradient)
        model.set_constraints(m, constraints, bounds.lower, bounds.upper, len(rows), rows, columns, jacobian)
        model.set_lagrangian_hessian(len(triangle[0]), unopy.LOWER_TRIANGLE, *triangle, hessian)
        model.set_initial_primal_iterate(np.array(x, dtype=float))
        solver = unopy.UnoSolver()
        solver.set_preset(self.preset)
        solver.set_option("primal_tolerance", self.tolerance)
        solver.set_option("dual_tolerance", self.tolerance)
        solver.set_option("max_iterations", self.max_iterations)
        solver.set_termination_callback(lambda *_: time.process_time() - started > self.max_seconds)
        solver.set_option("logger", "SILENT")
        result = solver.optimize(model)
        found = np.asarray(result.primal_solution, dtype=float)
        multipliers = -np.asarray(result.constraint_dual_solution, dtype=float)
        status = result.solution_status.name
        return conclude(
            problem,
            found,
            multipliers,
            progress,
            solver=self.name,
            status=status.replace("_", " ").lower(),
            converged=status in _FEASIBLE,
            iterations=result.number_iterations,
            started=started,
        )
