"""A walk on the 55-joint skeleton: recursive dynamics, pelvis residuals, residual reduction, forward check."""

from pipeline.whole_body.ground import GroundLoads, ground_loads
from pipeline.whole_body.mass_adjustment import MassDistribution, fit_mass_distribution
from pipeline.whole_body.walk import whole_body_dynamics

__all__ = ["GroundLoads", "MassDistribution", "fit_mass_distribution", "ground_loads", "whole_body_dynamics"]
