from .curves import (
    CYCLE_VARIABLES,
    JOINT_FORCES,
    MAIN,
    POINT_VARIABLES,
    PROFILE,
    SIDES_TESTED,
    SKELETON_VARIABLES,
    STEP_VARIABLES,
    TIME_VARIABLES,
    VARIABLES,
    rows,
)
from .parameters import COMPARED_PARAMETERS, PARAMETERS, Parameter
from .skeleton import SkeletonReading
from .variable import PLANES, Quantity, Variable

__all__ = [
    "COMPARED_PARAMETERS",
    "CYCLE_VARIABLES",
    "JOINT_FORCES",
    "MAIN",
    "PARAMETERS",
    "PLANES",
    "POINT_VARIABLES",
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
