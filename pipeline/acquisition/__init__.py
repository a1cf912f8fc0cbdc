"""C3D and TRC files to recordings in SI units and in G: markers, force plates, events and subject parameters."""

from pipeline.acquisition.ground_load import centre_of_pressure, free_moment, surface_normal
from pipeline.acquisition.lab_axes import AxisOverrides
from pipeline.acquisition.reader import FILE_KINDS, read_trial

__all__ = ["FILE_KINDS", "AxisOverrides", "centre_of_pressure", "free_moment", "read_trial", "surface_normal"]
