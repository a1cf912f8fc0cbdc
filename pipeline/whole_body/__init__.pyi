from .ground import GroundLoads as GroundLoads
from .ground import ground_loads as ground_loads
from .mass_adjustment import MassDistribution as MassDistribution
from .mass_adjustment import fit_mass_distribution as fit_mass_distribution
from .reduced_skeleton import reduced_skeleton as reduced_skeleton
from .walk import whole_body_dynamics as whole_body_dynamics
