"""What can go wrong with a predicted motion."""

from __future__ import annotations

from typing import Any

from pipeline.errors import PipelineError


class PredictionError(PipelineError):
    """A motion that was asked for cannot be described or cannot be found."""


class SolverError(PredictionError):
    """The solver stopped before a solution.

    Attributes:
        best: the best iterate with its report (``SolverResult``), so that a long solve is never lost.
    """

    def __init__(self, problem: str, *, best: Any, where: str = "", remedy: str = "") -> None:
        self.best = best
        super().__init__(problem, where=where, remedy=remedy)
