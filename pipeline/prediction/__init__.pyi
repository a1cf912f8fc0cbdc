from .arms import ArmProblem, ManipulatorMotion
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
from .lifting.niosh import recommended_weight
from .lifting.predict import LiftPrediction, predict_lift
from .lifting.repeated import RepeatedLifts, repeat_lift
from .lifting.task import LiftTask
from .manipulators import (
    Reading,
    prismatic_revolute_skeleton,
    solve_prismatic_revolute,
    solve_two_revolute,
    two_revolute_skeleton,
)
from .tasks import TASKS, arm_problem, solve_task

__all__ = [
    "PRESETS",
    "TASKS",
    "ArmProblem",
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
    "RepeatedLifts",
    "Spring",
    "WalkToFit",
    "Walker",
    "Weights",
    "WhatIfPrediction",
    "arm_problem",
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
    "recommended_weight",
    "repeat_lift",
    "requested",
    "solve_prismatic_revolute",
    "solve_task",
    "solve_two_revolute",
    "task_of",
    "two_revolute_skeleton",
    "with_fitted_skeleton",
    "with_table_skeleton",
]
