"""Step: findings on the outcome of a walk, by the checks of the package of the same name."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.plausibility import plausibility
from pipeline.trial import Findings, GaitSummary, InverseDynamics, Kinematics, MarkersAndPlates


def run(
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics,
    summary: GaitSummary,
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    marker_set: Path,
) -> Findings:
    """Load the marker set and look at the walk."""
    return plausibility(kinematics, inverse_dynamics, summary, walk, static, load_marker_set(marker_set))
