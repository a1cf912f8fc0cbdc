"""A program as solvers that call back want it: values and derivatives asked for one by one, Jacobian without zeros."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from pipeline.optimisation.errors import PredictionError
from pipeline.optimisation.problem import Evaluation, Problem
from pipeline.optimisation.solution import Progress, SolverResult, optimality, summarise


class Latest:
    """The evaluation at the last point asked for; solvers ask for values and derivatives separately."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._x: np.ndarray | None = None
        self._at: Evaluation | None = None

    def __call__(self, x: np.ndarray) -> Evaluation:
        """The evaluation at x."""
        if self._at is None or self._x is None or not np.array_equal(x, self._x):
            self._x, self._at = np.array(x), self._problem.evaluate(x)
        return self._at


def solver_package(package: str, solver: str) -> Any:
    """The module of an optional solver. Raises PredictionError if it is not installed."""
    try:
        return import_module(package)
    except ImportError:
        raise PredictionError(
            f"the package {package} is not installed",
            where=f"solver {solver}",
            remedy="Install it, or use the default solver",
        ) from None


def jacobian_pattern(problem: Problem, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row and column indices of all entries of the Jacobian that may differ from zero, by the rows' supports."""
    supports, which = problem.evaluate(x).supports
    columns = [np.concatenate([np.arange(run.start, run.stop) for run in support.runs]) for support in supports]
    counts = np.array([len(c) for c in columns])[which]
    return np.repeat(np.arange(len(which)), counts), np.concatenate([columns[i] for i in which])


def conclude(
    problem: Problem,
    x: np.ndarray,
    multipliers: np.ndarray,
    progress: Callable[[Progress], None] | None,
    *,
    solver: str,
    status: str,
    converged: bool,
    iterations: int,
    started: float,
) -> SolverResult:
    """Tell and measure where a solver ended that began at a processor time ``started``."""
    final = problem.evaluate(x)
    if progress is not None:
        excess = float(problem.bounds().excess(final.rows).max(initial=0.0))
        progress(Progress(iterations, final.objective, excess, optimality(problem, final, x, multipliers), 0.0))
    return summarise(
        problem,
        final,
        x,
        multipliers,
        solver=solver,
        status=status,
        converged=converged,
        iterations=iterations,
        cpu_seconds=time.process_time() - started,
    )
