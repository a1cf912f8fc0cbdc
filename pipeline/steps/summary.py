"""Step: averages of a walk's cycles, beside a norm."""

from __future__ import annotations

from pathlib import Path

from pipeline.comparison.norm import load_norm
from pipeline.comparison.summary import mean_leg_length, summarise
from pipeline.trial import GaitCycles, GaitSummary, Kinematics


def run(kinematics: Kinematics, cycles: GaitCycles, norm: Path | None = None) -> GaitSummary:
    """Load the norm, where the study wants one, and summarise the walk."""
    return summarise(cycles, mean_leg_length(kinematics.calibration), load_norm(norm) if norm else None)
