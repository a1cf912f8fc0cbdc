from .mass_from_steps import mass_from_steps
from .refiltered import displaced, refiltered
from .walk import kinematics, without_jumps

__all__ = ["displaced", "kinematics", "mass_from_steps", "refiltered", "without_jumps"]
