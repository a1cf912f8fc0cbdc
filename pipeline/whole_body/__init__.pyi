from .ground import GroundReactions as GroundReactions
from .ground import filtered_ground_reactions as filtered_ground_reactions
from .mass_adjustment import MassDistribution as MassDistribution
from .mass_adjustment import fit_mass_distribution as fit_mass_distribution
from .mass_adjustment import reduced_skeleton as reduced_skeleton
from .walk import whole_body_dynamics as whole_body_dynamics
