from .attachment import PELVIS
from .bands import curve_uncertainty
from .body_errors import BodyError, body_errors, combined
from .load_errors import load_errors
from .marker_errors import with_soft_tissue
from .profile_band import main_derivatives, profile_band
from .recorded_walk import VARIABLES, RecordedWalk
from .second_order import counted_once, second_order_variance
from .shares import dominant, sentence, shares
from .sources import (
    ANKLE_CENTRE,
    CENTRE_OF_PRESSURE,
    HIP_CENTRE,
    KNEE_AXIS,
    MARKER_NOISE,
    SOFT_TISSUE,
    SOURCES,
    TIMING,
)

__all__ = [
    "ANKLE_CENTRE",
    "CENTRE_OF_PRESSURE",
    "HIP_CENTRE",
    "KNEE_AXIS",
    "MARKER_NOISE",
    "PELVIS",
    "SOFT_TISSUE",
    "SOURCES",
    "TIMING",
    "VARIABLES",
    "BodyError",
    "RecordedWalk",
    "body_errors",
    "combined",
    "counted_once",
    "curve_uncertainty",
    "dominant",
    "load_errors",
    "main_derivatives",
    "profile_band",
    "second_order_variance",
    "sentence",
    "shares",
    "with_soft_tissue",
]
