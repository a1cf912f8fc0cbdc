"""Errors of an optimisation: a malformed problem, and a solver that stopped before a solution."""

from __future__ import annotations

from typing import Any

from pipeline.errors import PipelineError


class OptimisationError(PipelineError):
    """A malformed spline, map between design variables and control points, or optimal control problem."""


class SolverError(OptimisationError):
    """The solver stopped before a solution.

    Attributes:
        best: the last iterate with its report (`pipeline.optimisation.SolverResult`).
    """

    def __init__(self, problem: str, *, best: Any, where: str = "", remedy: str = "") -> None:
        self.best = best
        super().__init__(problem, where=where, remedy=remedy)
