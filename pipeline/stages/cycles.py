"""Step: a walk's curves over its gait cycles, and its spatiotemporal parameters."""

from __future__ import annotations

from pipeline.analysis import gait_cycles
from pipeline.config import LoadSettings
from pipeline.trial import GaitCycles, InverseDynamics, Kinematics


def run(kinematics: Kinematics, inverse_dynamics: InverseDynamics, loads: LoadSettings) -> GaitCycles:
    """Cut the walk into cycles."""
    return gait_cycles(kinematics, inverse_dynamics, loads.axes)
