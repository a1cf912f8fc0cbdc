"""Uno: a filter SQP (Vanaret and Leyffer 2024), for cross-checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import unopy

from pipeline.optimisation import Problem
from tests.oracles.solvers.callback_solver import CallbackSolver, Ending, Latest, jacobian_pattern

_FEASIBLE = ("FEASIBLE_KKT_POINT", "FEASIBLE_SMALL_STEP")


@dataclass(frozen=True)
class Uno(CallbackSolver):
    """Uno's settings; ``tolerance`` is its primal and dual one, ``preset`` one of its own."""

    name: str = "uno"
    preset: str = "filtersqp"

    def run(self, problem: Problem, x: np.ndarray, out_of_time: Callable[[], bool]) -> Ending:
        """Solve."""
        bounds, n = problem.bounds, problem.n_variables
        at, (rows, columns), triangle = Latest(problem), jacobian_pattern(problem, x), np.tril_indices(n)

        def gradient(point: np.ndarray, out: np.ndarray) -> None:
            out[:] = at(point).gradient

        def constraints(point: np.ndarray, out: np.ndarray) -> None:
            out[:] = at(point).rows

        def jacobian(point: np.ndarray, out: np.ndarray) -> None:
            out[:] = at(point).jacobian[rows, columns]

        def hessian(point: np.ndarray, factor: float, _: np.ndarray, out: np.ndarray) -> None:
            out[:] = factor * at(point).hessian[triangle]

        model = unopy.Model(unopy.PROBLEM_NONLINEAR, n, *problem.variable_bounds, unopy.ZERO_BASED_INDEXING)
        model.set_objective(unopy.MINIMIZE, lambda point: at(point).objective, gradient)
        model.set_constraints(
            len(bounds.lower), constraints, bounds.lower, bounds.upper, len(rows), rows, columns, jacobian
        )
        model.set_lagrangian_hessian(len(triangle[0]), unopy.LOWER_TRIANGLE, *triangle, hessian)
        model.set_initial_primal_iterate(x)
        solver = unopy.UnoSolver()
        solver.set_preset(self.preset)
        solver.set_option("primal_tolerance", self.tolerance)
        solver.set_option("dual_tolerance", self.tolerance)
        solver.set_option("max_iterations", self.max_iterations)
        solver.set_termination_callback(lambda *_: out_of_time())
        solver.set_option("logger", "SILENT")
        result = solver.optimize(model)
        status = result.solution_status.name
        return Ending(
            np.asarray(result.primal_solution, dtype=float),
            -np.asarray(result.constraint_dual_solution, dtype=float),
            status.replace("_", " ").lower(),
            status in _FEASIBLE,
            result.number_iterations,
        )
