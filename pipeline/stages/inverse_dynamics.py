"""Stage: joint loads of a walk, by Newton-Euler equations in matrix form."""

from __future__ import annotations

from pipeline.newton_euler import inverse_dynamics
from pipeline.trial import InverseDynamics, Kinematics


def run(kinematics: Kinematics) -> InverseDynamics:
    """Solve both legs of the walk."""
    return inverse_dynamics(kinematics)
