from .bands import curve_uncertainty as curve_uncertainty
from .recorded_walk import RecordedWalk as RecordedWalk
from .shares import sentence as sentence
from .shares import shares as shares
from .sources import SOURCES as SOURCES
