"""Stage: a walk's curves over its gait cycles, and its spatiotemporal parameters."""

from __future__ import annotations

from pathlib import Path

from pipeline.analysis import gait_cycles, with_estimated_steps
from pipeline.anatomy import load_marker_set
from pipeline.config import GivenSteps, LoadSettings
from pipeline.plausibility import (
    contradicted_steps,
    doubtful_curves,
    load_limits,
    without_contradicted,
    without_doubtful,
)
from pipeline.results import Failure, loads_or_missing
from pipeline.trial import GaitCycles, GroundFromMotion, InverseDynamics, Kinematics, MarkersAndPlates

MAY_FAIL = ("ground_from_motion",)
"""If the loads of a walk cannot be estimated, only those of force plates are used."""

MAY_HAVE_DEFECT = ("inverse_dynamics",)
"""Without it the cycles have only their angles."""


def run(
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics | Failure,
    walk: MarkersAndPlates,
    marker_set: Path,
    limits: Path,
    loads: LoadSettings,
    steps: GivenSteps,
    ground_from_motion: GroundFromMotion | Failure | None = None,
) -> GaitCycles:
    """Cut the walk into cycles, and mark the steps on plates and the curves that are left out of averages.

    Cycles without a plate have loads estimated from motion if the study includes these in averages, otherwise None.
    """
    cycles = gait_cycles(kinematics, loads_or_missing(inverse_dynamics, kinematics), loads.axes)
    if isinstance(ground_from_motion, GroundFromMotion):
        cycles = with_estimated_steps(cycles, ground_from_motion)
    if isinstance(inverse_dynamics, Failure):
        return cycles
    own = load_marker_set(marker_set), load_limits(limits)
    averaged = without_doubtful(cycles, doubtful_curves(kinematics, inverse_dynamics, *own), steps.kept_curves)
    return without_contradicted(
        averaged, kinematics, contradicted_steps(kinematics, inverse_dynamics, walk, *own), steps.kept
    )
