"""Motion prediction by optimisation: B-spline transcription, problems as parts, solvers, manipulators and gait."""

from pipeline.optimisation.errors import PredictionError, SolverError
from pipeline.optimisation.solution import Progress, Solver, SolverResult
from pipeline.optimisation.sqp import SQP
from pipeline.prediction.gait.predict import GaitPrediction, predict_gait
from pipeline.prediction.gait.sweep import sweep_gait
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.manipulators import (
    ManipulatorMotion,
    pareto_front,
    solve_prismatic_revolute,
    solve_two_revolute,
)

__all__ = [
    "SQP",
    "GaitPrediction",
    "GaitTask",
    "ManipulatorMotion",
    "PredictionError",
    "Progress",
    "Solver",
    "SolverError",
    "SolverResult",
    "pareto_front",
    "predict_gait",
    "solve_prismatic_revolute",
    "solve_two_revolute",
    "sweep_gait",
]
