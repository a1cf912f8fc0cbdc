"""IPOPT behind the solver's interface, as an optional cross-check (extra ``solvers``)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.optimisation.problem import Problem
from pipeline.optimisation.solution import Progress, SolverResult
from tests.oracles.solvers.callbacks import Latest, conclude, jacobian_pattern, solver_package

_PUSHES = ("bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac")
_STATUS = {
    0: "converged",
    1: "converged to acceptable level",
    2: "infeasible",
    -1: "iteration limit",
    5: "stopped at the time limit",
}


@dataclass(frozen=True)
class Ipopt:
    """Interior-point method of Wächter and Biegler (2006), given the same derivatives.

    Attributes:
        hessian: the Gauss-Newton one of the objective, or a limited-memory estimate of the Lagrangian's.
        tolerance: IPOPT's ``tol``.
        max_iterations, max_seconds: when to give up.
        near_start: trust the start: small first barrier, and no push away from bounds.
    """

    hessian: str = "gauss-newton"
    tolerance: float = 1e-4
    max_iterations: int = 500
    max_seconds: float = 60.0
    near_start: bool = False
    name: str = "ipopt"

    def solve(
        self, problem: Problem, x: np.ndarray, progress: Callable[[Progress], None] | None = None
    ) -> SolverResult:
        """Solve from a start.

        Raises:
            PredictionError: ``ipyopt`` is not installed.
        """
        ipyopt = solver_package("ipyopt", self.name)
        started = time.process_time()
        bounds, n = problem.bounds(), problem.n_variables
        m = len(bounds.lower)
        at = Latest(problem)
        pattern = jacobian_pattern(problem, np.asarray(x, dtype=float))
        exact = self.hessian == "gauss-newton"
        lower_triangle = np.tril_indices(n)

        def hessian(point: np.ndarray, _: np.ndarray, factor: float, out: np.ndarray) -> np.ndarray:
            out[()] = factor * at(point).hessian[lower_triangle]
            return out

        count = [0]

        def told(*_args: object, **_kw: object) -> bool:
            count[0] += 1
            return time.process_time() - started < self.max_seconds

        trust = {"mu_init": 1e-4} | dict.fromkeys(_PUSHES, 1e-6) if self.near_start else {}
        solver = ipyopt.Problem(
            n,
            np.maximum(problem.box[0], -1e20),
            np.minimum(problem.box[1], 1e20),
            m,
            np.maximum(bounds.lower, -1e20),
            np.minimum(bounds.upper, 1e20),
            pattern,
            lower_triangle if exact else (np.zeros(0, dtype=int), np.zeros(0, dtype=int)),
            lambda point: at(point).objective,
            lambda point, out: _fill(out, at(point).gradient),
            lambda point, out: _fill(out, at(point).rows),
            lambda point, out: _fill(out, at(point).jacobian[pattern]),
            hessian if exact else None,
            intermediate_callback=told,
            ipopt_options={
                "print_level": 0,
                "sb": "yes",
                "tol": self.tolerance,
                "max_iter": self.max_iterations,
                "hessian_approximation": "exact" if exact else "limited-memory",
                **trust,
            },
        )
        multipliers = np.zeros(m)
        found, _, code = solver.solve(np.array(x, dtype=float), mult_g=multipliers)
        return conclude(
            problem,
            found,
            multipliers,
            progress,
            solver=self.name,
            status=_STATUS.get(code, f"IPOPT status {code}"),
            converged=code in (0, 1),
            iterations=count[0],
            started=started,
        )


def _fill(out: np.ndarray, values: np.ndarray) -> np.ndarray:
    out[()] = values
    return out
