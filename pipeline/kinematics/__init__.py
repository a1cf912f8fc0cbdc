"""Kinematics of a walk: filtered markers and plate loads, gait events, segment motion and joint angles."""

from pipeline.kinematics.refiltered import refiltered
from pipeline.kinematics.walk import kinematics

__all__ = ["kinematics", "refiltered"]
