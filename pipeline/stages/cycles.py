"""Step: a walk's curves over its gait cycles, and its spatiotemporal parameters."""

from __future__ import annotations

from pipeline.analysis import gait_cycles
from pipeline.config import GivenSteps, LoadSettings
from pipeline.plausibility import without_contradicted
from pipeline.trial import GaitCycles, InverseDynamics, Kinematics


def run(
    kinematics: Kinematics, inverse_dynamics: InverseDynamics, loads: LoadSettings, steps: GivenSteps
) -> GaitCycles:
    """Cut the walk into cycles, and mark the steps on plates that are in no average."""
    return without_contradicted(gait_cycles(kinematics, inverse_dynamics, loads.axes), kinematics, steps.kept)
