"""Step: findings on the outcome of a walk, by the checks of the package of the same name."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.plausibility import load_limits, plausibility
from pipeline.trial import Findings, GaitSummary, InverseDynamics, Kinematics, MarkersAndPlates


def run(
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics,
    summary: GaitSummary,
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    marker_set: Path,
    limits: Path,
) -> Findings:
    """Load the marker set and the limits, and look at the walk."""
    results = (kinematics, inverse_dynamics, summary, walk, static)
    return plausibility(*results, load_marker_set(marker_set), load_limits(limits))
