from .agreement import Agreement, curve_agreement
from .clinical import clinical_moments, foot_angles
from .contributions import MOMENTS, stance_contributions
from .cycles import JOINTS, foot_off, gait_cycles
from .emg import muscle_activity, pooled_activity
from .grades import CLOSE_NRMSE, CLOSE_R, SIMILAR_R, Graded, graded
from .group_comparison import GPS_CHANGE, Group, compare_groups
from .jackknife import Estimate, half_width, jackknife
from .muscle_fatigue import (
    AS_WALKED,
    FATIGUE_CASES,
    MINUTES,
    TIRING,
    WITH_LOAD,
    WITH_WEAK_MUSCLES,
    capacity_over_time,
    fatigue_of,
    held_time,
)
from .muscle_groups import GROUPS, PUBLISHED, MuscleAverages, mean_curves, muscle_averages, muscle_curves
from .muscles import MUSCLES, muscle_of
from .norm import Norm, NormCurves, dimensionless_speed, norm_from, not_a_norm
from .one_person import MAX_MASS, person_notes
from .predicted.comparison import compare
from .predicted.cycle import SEGMENTS, predicted_cycle, predicted_forces, predicted_side
from .predicted.maps import predicted_study
from .predicted.motion import BOTH
from .predicted.muscles import repeated_muscles
from .predicted.nearest_walk import nearest_walk
from .predicted.stride import whole_stride
from .profile import overall_score, side_score, variable_score
from .resampling import PERCENT, resample
from .side_comparison import compare_sides
from .statistical_mapping import (
    MappingError,
    installed,
    mapped_scalars,
    mean_within,
    paired,
    sides_compared,
    two_sample,
)
from .subject import subject_unit, subject_values
from .summary import average, averaged, mean_leg_length, pooled, side_curves, summarise, symmetry_index
from .variables import (
    COMPARED_PARAMETERS,
    CYCLE_VARIABLES,
    JOINT_FORCES,
    MAIN,
    PARAMETERS,
    PROFILE,
    SKELETON_VARIABLES,
    STEP_VARIABLES,
    TIME_VARIABLES,
    VARIABLES,
    Quantity,
    Variable,
    rows,
)
from .walk_parameters import flight_time, parameter_of
from .whole_body.measures import (
    FORCE_AXES,
    MIN_MASS_TRACKED,
    MOMENT_AXES,
    WEAK_UNCERTAINTY,
    MarkerErrors,
    body_measures,
    drift,
    limits,
    marker_errors,
    motions,
    residual,
    sagittal_sign,
)
from .whole_body.method_comparison import (
    MATRIX_FORM,
    SAGITTAL_MOMENTS,
    WHOLE_BODY,
    WHOLE_BODY_REDUCED,
    stance_moments,
)

__all__ = [
    "AS_WALKED",
    "BOTH",
    "CLOSE_NRMSE",
    "CLOSE_R",
    "COMPARED_PARAMETERS",
    "CYCLE_VARIABLES",
    "FATIGUE_CASES",
    "FORCE_AXES",
    "GPS_CHANGE",
    "GROUPS",
    "JOINTS",
    "JOINT_FORCES",
    "MAIN",
    "MATRIX_FORM",
    "MAX_MASS",
    "MINUTES",
    "MIN_MASS_TRACKED",
    "MOMENTS",
    "MOMENT_AXES",
    "MUSCLES",
    "PARAMETERS",
    "PERCENT",
    "PROFILE",
    "PUBLISHED",
    "SAGITTAL_MOMENTS",
    "SEGMENTS",
    "SIMILAR_R",
    "SKELETON_VARIABLES",
    "STEP_VARIABLES",
    "TIME_VARIABLES",
    "TIRING",
    "VARIABLES",
    "WEAK_UNCERTAINTY",
    "WHOLE_BODY",
    "WHOLE_BODY_REDUCED",
    "WITH_LOAD",
    "WITH_WEAK_MUSCLES",
    "Agreement",
    "Estimate",
    "Graded",
    "Group",
    "MappingError",
    "MarkerErrors",
    "MuscleAverages",
    "Norm",
    "NormCurves",
    "Quantity",
    "Variable",
    "average",
    "averaged",
    "body_measures",
    "capacity_over_time",
    "clinical_moments",
    "compare",
    "compare_groups",
    "compare_sides",
    "curve_agreement",
    "dimensionless_speed",
    "drift",
    "fatigue_of",
    "flight_time",
    "foot_angles",
    "foot_off",
    "gait_cycles",
    "graded",
    "half_width",
    "held_time",
    "installed",
    "jackknife",
    "limits",
    "mapped_scalars",
    "marker_errors",
    "mean_curves",
    "mean_leg_length",
    "mean_within",
    "motions",
    "muscle_activity",
    "muscle_averages",
    "muscle_curves",
    "muscle_of",
    "nearest_walk",
    "norm_from",
    "not_a_norm",
    "overall_score",
    "paired",
    "parameter_of",
    "person_notes",
    "pooled",
    "pooled_activity",
    "predicted_cycle",
    "predicted_forces",
    "predicted_side",
    "predicted_study",
    "repeated_muscles",
    "resample",
    "residual",
    "rows",
    "sagittal_sign",
    "side_curves",
    "side_score",
    "sides_compared",
    "stance_contributions",
    "stance_moments",
    "subject_unit",
    "subject_values",
    "summarise",
    "symmetry_index",
    "two_sample",
    "variable_score",
    "whole_stride",
]
