"""Kinematics of a walk: filtered markers and plate loads, gait events, segment motion and joint angles."""

from pipeline.kinematics.mass_from_steps import mass_from_steps
from pipeline.kinematics.refiltered import displaced, refiltered
from pipeline.kinematics.walk import kinematics, without_jumps

__all__ = ["displaced", "kinematics", "mass_from_steps", "refiltered", "without_jumps"]
