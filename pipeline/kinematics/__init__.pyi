from .mass_from_steps import mass_from_steps as mass_from_steps
from .refiltered import displaced as displaced
from .refiltered import refiltered as refiltered
from .walk import kinematics as kinematics
from .walk import without_jumps as without_jumps
