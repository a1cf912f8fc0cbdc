"""Kinematics of a walk: filtered markers and plate loads, gait events, segment motion and joint angles."""

from pipeline.kinematics.refiltered import displaced, refiltered
from pipeline.kinematics.walk import kinematics, without_jumps

__all__ = ["displaced", "kinematics", "refiltered", "without_jumps"]
