from .mass_adjustment import reduced_skeleton as reduced_skeleton
from .walk import whole_body_dynamics as whole_body_dynamics
