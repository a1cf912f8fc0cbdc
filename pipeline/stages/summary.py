"""Stage: averages of a walk's cycles, compared with a norm, and the contributions to its moments."""

from __future__ import annotations

from pathlib import Path

from pipeline.analysis import mean_leg_length, stance_contributions, summarise
from pipeline.results import Failure, load_norm
from pipeline.trial import GaitCycles, GaitSummary, InverseDynamics, Kinematics

MAY_HAVE_DEFECT = ("inverse_dynamics",)
"""Without it there are no contributions to its moments."""


def run(
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics | Failure,
    cycles: GaitCycles,
    norm: Path | None = None,
    age: float | None = None,
) -> GaitSummary:
    """Load the norm, if the study wants one, and summarise the walk; ``age`` is the subject's, years."""
    loads = None if isinstance(inverse_dynamics, Failure) else inverse_dynamics
    return summarise(
        cycles,
        mean_leg_length(kinematics.calibration),
        load_norm(norm) if norm else None,
        stance_contributions(kinematics, loads, cycles) if loads else None,
        age,
    )
