"""Dynamics of Denavit-Hartenberg trees."""

from pipeline.dynamics.rnea import JointLoads, rnea
from pipeline.math3d import Wrench

__all__ = ["JointLoads", "Wrench", "rnea"]
