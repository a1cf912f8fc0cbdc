"""Analysis of gait: the registry of variables, cycles, walk parameters, norms and scores, agreement, and statistics."""

from pipeline.analysis.agreement import Agreement, curve_agreement
from pipeline.analysis.clinical import clinical_moments, foot_angles
from pipeline.analysis.contributions import MOMENTS, stance_contributions
from pipeline.analysis.cycles import JOINTS, foot_off, gait_cycles
from pipeline.analysis.emg import muscle_activity, pooled_activity
from pipeline.analysis.grades import CLOSE_NRMSE, CLOSE_R, SIMILAR_R, Graded, graded
from pipeline.analysis.group_comparison import GPS_CHANGE, Group, compare_groups
from pipeline.analysis.jackknife import Estimate, half_width, jackknife
from pipeline.analysis.muscles import MUSCLES, muscle_of
from pipeline.analysis.norm import Norm, NormCurves, dimensionless_speed, norm_from, not_a_norm
from pipeline.analysis.one_person import MAX_MASS, person_notes
from pipeline.analysis.predicted.comparison import compare
from pipeline.analysis.predicted.cycle import SEGMENTS, predicted_cycle, predicted_side
from pipeline.analysis.predicted.maps import predicted_study
from pipeline.analysis.predicted.motion import BOTH
from pipeline.analysis.predicted.nearest_walk import nearest_walk
from pipeline.analysis.profile import overall_score, side_score, variable_score
from pipeline.analysis.resampling import PERCENT, resample
from pipeline.analysis.side_comparison import compare_sides
from pipeline.analysis.statistical_mapping import (
    MappingError,
    installed,
    mapped_scalars,
    mean_within,
    paired,
    sides_compared,
    two_sample,
)
from pipeline.analysis.subject import subject_unit, subject_values
from pipeline.analysis.summary import average, averaged, mean_leg_length, pooled, side_curves, summarise, symmetry_index
from pipeline.analysis.variables import (
    COMPARED_PARAMETERS,
    CYCLE_VARIABLES,
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
from pipeline.analysis.walk_parameters import flight_time, parameter_of
from pipeline.analysis.whole_body.measures import (
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
from pipeline.analysis.whole_body.method_comparison import (
    MATRIX_FORM,
    SAGITTAL_MOMENTS,
    WHOLE_BODY,
    WHOLE_BODY_REDUCED,
    stance_moments,
)

__all__ = [
    "BOTH",
    "CLOSE_NRMSE",
    "CLOSE_R",
    "COMPARED_PARAMETERS",
    "CYCLE_VARIABLES",
    "FORCE_AXES",
    "GPS_CHANGE",
    "JOINTS",
    "MAIN",
    "MATRIX_FORM",
    "MAX_MASS",
    "MIN_MASS_TRACKED",
    "MOMENTS",
    "MOMENT_AXES",
    "MUSCLES",
    "PARAMETERS",
    "PERCENT",
    "PROFILE",
    "SAGITTAL_MOMENTS",
    "SEGMENTS",
    "SIMILAR_R",
    "SKELETON_VARIABLES",
    "STEP_VARIABLES",
    "TIME_VARIABLES",
    "VARIABLES",
    "WEAK_UNCERTAINTY",
    "WHOLE_BODY",
    "WHOLE_BODY_REDUCED",
    "Agreement",
    "Estimate",
    "Graded",
    "Group",
    "MappingError",
    "MarkerErrors",
    "Norm",
    "NormCurves",
    "Quantity",
    "Variable",
    "average",
    "averaged",
    "body_measures",
    "clinical_moments",
    "compare",
    "compare_groups",
    "compare_sides",
    "curve_agreement",
    "dimensionless_speed",
    "drift",
    "flight_time",
    "foot_angles",
    "foot_off",
    "gait_cycles",
    "graded",
    "half_width",
    "installed",
    "jackknife",
    "limits",
    "mapped_scalars",
    "marker_errors",
    "mean_leg_length",
    "mean_within",
    "motions",
    "muscle_activity",
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
    "predicted_side",
    "predicted_study",
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
]
