from .ground import GroundLoads, ground_loads
from .mass_adjustment import MassDistribution, fit_mass_distribution
from .reduced_skeleton import reduced_skeleton
from .walk import whole_body_dynamics

__all__ = [
    "GroundLoads",
    "MassDistribution",
    "fit_mass_distribution",
    "ground_loads",
    "reduced_skeleton",
    "whole_body_dynamics",
]
