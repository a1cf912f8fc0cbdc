"""The registry of variables: every curve and spatiotemporal parameter by name, with unit, sign, label, axis range and
the way to read it from a gait cycle, from the skeleton's motion and from a predicted walk."""

from pipeline.analysis.variables.curves import (
    CYCLE_VARIABLES,
    MAIN,
    PROFILE,
    SIDES_TESTED,
    SKELETON_VARIABLES,
    STEP_VARIABLES,
    TIME_VARIABLES,
    VARIABLES,
    rows,
)
from pipeline.analysis.variables.parameters import COMPARED_PARAMETERS, PARAMETERS, Parameter
from pipeline.analysis.variables.skeleton import SkeletonReading
from pipeline.analysis.variables.variable import PLANES, Quantity, Variable

__all__ = [
    "COMPARED_PARAMETERS",
    "CYCLE_VARIABLES",
    "MAIN",
    "PARAMETERS",
    "PLANES",
    "PROFILE",
    "SIDES_TESTED",
    "SKELETON_VARIABLES",
    "STEP_VARIABLES",
    "TIME_VARIABLES",
    "VARIABLES",
    "Parameter",
    "Quantity",
    "SkeletonReading",
    "Variable",
    "rows",
]
