from .attachment_names import check_attachments
from .frame_fit import FrameFit, fit_frames, marker_distances, model_marker_positions
from .marker_swaps import MarkerSwap, find_marker_swaps, reordered
from .model_calibration import (
    CalibrationFrames,
    ModelCalibration,
    calibrate_model,
    parameter_jacobians,
)
from .model_markers import ModelMarkers
from .observability import Observability, marker_jacobians, observability
from .spline_fit import MAX_CUTOFF, Residual, SplineFit, fit_spline
from .static_calibration import CalibratedSkeleton, calibrate_static
from .static_pose import static_positions
from .walk_calibration import calibrate_from_walk
from .walk_fit import MarkerFit, fit_markers

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
    "check_attachments",
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
