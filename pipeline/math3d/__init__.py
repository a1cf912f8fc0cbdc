"""Rotations and wrenches; time is the first dimension; NaN in, NaN out."""

from pipeline.math3d.rotations import (
    angular_motion,
    cardan_angles,
    nearest_rotation,
    rotation_about,
    rotation_from_axes,
    skew,
    unit,
)
from pipeline.math3d.wrench import Wrench
