"""IPOPT: the interior-point method of Wächter and Biegler (2006), for cross-checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import ipyopt
import numpy as np

from pipeline.optimisation import Problem
from tests.oracles.solvers.callback_solver import CallbackSolver, Ending, Latest, jacobian_pattern

_STATUS = {
    0: "converged",
    1: "converged to acceptable level",
    2: "infeasible",
    -1: "iteration limit",
    5: "stopped at the time limit",
}


@dataclass(frozen=True)
class Ipopt(CallbackSolver):
    """IPOPT's settings; ``tolerance`` is its ``tol``."""

    name: str = "ipopt"

    def run(self, problem: Problem, x: np.ndarray, out_of_time: Callable[[], bool]) -> Ending:
        """Solve."""
        bounds, n = problem.bounds, problem.n_variables
        at, pattern, triangle = Latest(problem), jacobian_pattern(problem, x), np.tril_indices(n)
        count = [0]

        def go_on(*_args: object, **_kw: object) -> bool:
            count[0] += 1
            return not out_of_time()

        def hessian(point: np.ndarray, _: np.ndarray, factor: float, out: np.ndarray) -> np.ndarray:
            return _fill(out, factor * at(point).hessian[triangle])

        solver = ipyopt.Problem(
            n,
            np.maximum(problem.variable_bounds[0], -1e20),
            np.minimum(problem.variable_bounds[1], 1e20),
            len(bounds.lower),
            np.maximum(bounds.lower, -1e20),
            np.minimum(bounds.upper, 1e20),
            pattern,
            triangle,
            lambda point: at(point).objective,
            lambda point, out: _fill(out, at(point).gradient),
            lambda point, out: _fill(out, at(point).rows),
            lambda point, out: _fill(out, at(point).jacobian[pattern]),
            hessian,
            intermediate_callback=go_on,
            ipopt_options={
                "print_level": 0,
                "sb": "yes",
                "tol": self.tolerance,
                "max_iter": self.max_iterations,
                "hessian_approximation": "exact",
            },
        )
        multipliers = np.zeros(len(bounds.lower))
        found, _, code = solver.solve(x, mult_g=multipliers)
        return Ending(found, multipliers, _STATUS.get(code, f"IPOPT status {code}"), code in (0, 1), count[0])


def _fill(out: np.ndarray, values: np.ndarray) -> np.ndarray:
    out[()] = values
    return out
