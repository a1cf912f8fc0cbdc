"""Uncertainty of a walk's angles, moments and powers, by source of error.

In: a walk with all that it was computed from, and the standard deviation of each error. Out: standard deviations of its
mean curves over the gait cycle, by source. Pure: no files.
"""

from pipeline.uncertainty.attachment import PELVIS
from pipeline.uncertainty.bands import curve_uncertainty
from pipeline.uncertainty.body_errors import BodyError, body_errors
from pipeline.uncertainty.load_errors import load_errors
from pipeline.uncertainty.marker_errors import with_soft_tissue
from pipeline.uncertainty.recorded_walk import VARIABLES, RecordedWalk
from pipeline.uncertainty.shares import dominant, sentence, shares
from pipeline.uncertainty.sources import (
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
    "curve_uncertainty",
    "dominant",
    "load_errors",
    "sentence",
    "shares",
    "with_soft_tissue",
]
