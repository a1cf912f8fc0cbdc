"""Uncertainty of a walk's angles, moments and powers, by source of error.

In: a walk with all that it was computed from, and the standard deviation of each error. Out: standard deviations of its
mean curves over the gait cycle, by source. Pure: no files.
"""

from pipeline.uncertainty.bands import curve_uncertainty
from pipeline.uncertainty.recorded_walk import VARIABLES, RecordedWalk
from pipeline.uncertainty.shares import dominant, sentence, shares
from pipeline.uncertainty.sources import SOURCES

__all__ = ["SOURCES", "VARIABLES", "RecordedWalk", "curve_uncertainty", "dominant", "sentence", "shares"]
