"""Predicted motions by optimal control: walking, and two planar manipulators."""

from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.predict import GaitPrediction, predict_gait
from pipeline.prediction.gait.predicted_walk import predicted_walk
from pipeline.prediction.gait.presets import PRESETS, Preset, find_preset
from pipeline.prediction.gait.problem import GaitProblem
from pipeline.prediction.gait.requested_task import task_of
from pipeline.prediction.gait.subject_body import Body, body_of, with_fitted_skeleton, with_table_skeleton
from pipeline.prediction.gait.sweep import MeasuredWalk, MeasuredWalkError, Outcome, predict_walks
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walker import Walker, make_walker
from pipeline.prediction.gait.weights import Weights
from pipeline.prediction.manipulators import (
    ManipulatorMotion,
    Reading,
    prismatic_revolute_skeleton,
    solve_prismatic_revolute,
    solve_two_revolute,
    two_revolute_skeleton,
)

__all__ = [
    "PRESETS",
    "Body",
    "GaitPrediction",
    "GaitProblem",
    "GaitTask",
    "ManipulatorMotion",
    "MeasuredWalk",
    "MeasuredWalkError",
    "Outcome",
    "PredictionError",
    "Preset",
    "Reading",
    "Walker",
    "Weights",
    "body_of",
    "find_preset",
    "make_walker",
    "predict_gait",
    "predict_walks",
    "predicted_walk",
    "prismatic_revolute_skeleton",
    "solve_prismatic_revolute",
    "solve_two_revolute",
    "task_of",
    "two_revolute_skeleton",
    "with_fitted_skeleton",
    "with_table_skeleton",
]
