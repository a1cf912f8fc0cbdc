from .body_size import check_size
from .ground_load import centre_of_pressure, free_moment, surface_normal
from .lab_axes import AxisOverrides
from .reader import FILE_KINDS, read_trial

__all__ = [
    "FILE_KINDS",
    "AxisOverrides",
    "centre_of_pressure",
    "check_size",
    "free_moment",
    "read_trial",
    "surface_normal",
]
