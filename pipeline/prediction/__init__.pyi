from .errors import PredictionError
from .gait.fit_weights import FittedWeights, WalkToFit, fit_weights, measured_curves
from .gait.predict import GaitPrediction, predict_gait
from .gait.predicted_walk import predicted_walk
from .gait.presets import PRESETS, Preset, find_preset
from .gait.problem import GaitProblem
from .gait.requested_task import task_of
from .gait.subject_body import Body, body_of, with_fitted_skeleton, with_table_skeleton
from .gait.sweep import MeasuredWalk, MeasuredWalkError, Outcome, predict_walks, requested
from .gait.task import GaitTask
from .gait.walker import JointForce, Spring, Walker, make_walker
from .gait.weights import Weights
from .gait.what_if import ChangedWalker, WhatIfPrediction, changed_walker, predict_what_if
from .lifting.predict import LiftPrediction, predict_lift
from .lifting.task import LiftTask
from .manipulators import (
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
    "ChangedWalker",
    "FittedWeights",
    "GaitPrediction",
    "GaitProblem",
    "GaitTask",
    "JointForce",
    "LiftPrediction",
    "LiftTask",
    "ManipulatorMotion",
    "MeasuredWalk",
    "MeasuredWalkError",
    "Outcome",
    "PredictionError",
    "Preset",
    "Reading",
    "Spring",
    "WalkToFit",
    "Walker",
    "Weights",
    "WhatIfPrediction",
    "body_of",
    "changed_walker",
    "find_preset",
    "fit_weights",
    "make_walker",
    "measured_curves",
    "predict_gait",
    "predict_lift",
    "predict_walks",
    "predict_what_if",
    "predicted_walk",
    "prismatic_revolute_skeleton",
    "requested",
    "solve_prismatic_revolute",
    "solve_two_revolute",
    "task_of",
    "two_revolute_skeleton",
    "with_fitted_skeleton",
    "with_table_skeleton",
]
