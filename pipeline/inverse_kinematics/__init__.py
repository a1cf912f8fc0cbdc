"""Inverse kinematics: static calibration, calibration from a walk, and the fit of the skeleton to markers."""

from pipeline.inverse_kinematics.frame_fit import FrameFit, fit_frames, marker_distances, model_marker_positions
from pipeline.inverse_kinematics.marker_swaps import MarkerSwap, find_marker_swaps, reordered
from pipeline.inverse_kinematics.model_calibration import (
    CalibrationFrames,
    ModelCalibration,
    calibrate_model,
    parameter_jacobians,
)
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.inverse_kinematics.observability import Observability, marker_jacobians, observability
from pipeline.inverse_kinematics.spline_fit import MAX_CUTOFF, Residual, SplineFit, fit_spline
from pipeline.inverse_kinematics.static_calibration import CalibratedSkeleton, calibrate_static
from pipeline.inverse_kinematics.static_pose import static_positions
from pipeline.inverse_kinematics.walk_calibration import calibrate_from_walk
from pipeline.inverse_kinematics.walk_fit import MarkerFit, fit_markers

__all__ = [
    "MAX_CUTOFF",
    "CalibratedSkeleton",
    "CalibrationFrames",
    "FrameFit",
    "MarkerFit",
    "MarkerSwap",
    "ModelCalibration",
    "ModelMarkers",
    "Observability",
    "Residual",
    "SplineFit",
    "calibrate_from_walk",
    "calibrate_model",
    "calibrate_static",
    "find_marker_swaps",
    "fit_frames",
    "fit_markers",
    "fit_spline",
    "marker_distances",
    "marker_jacobians",
    "model_marker_positions",
    "observability",
    "parameter_jacobians",
    "reordered",
    "static_positions",
]
