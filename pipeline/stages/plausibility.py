"""Stage: findings on the results of a walk, by the checks of `pipeline.plausibility`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.plausibility import load_limits, plausibility
from pipeline.results import Failure
from pipeline.trial import Findings, GaitSummary, InverseDynamics, Kinematics, MarkersAndPlates

MAY_HAVE_DEFECT = ("inverse_dynamics", "summary")
"""Stages without which only their own checks are omitted."""


def run(
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics | Failure,
    summary: GaitSummary | Failure,
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    marker_set: Path,
    limits: Path,
) -> Findings:
    """Load the marker set and the limits, and check the walk; note the checks that could not be made."""
    parts = {"joint loads": inverse_dynamics, "averages": summary}
    not_made = [Findings.not_made(found.reason, of) for of, found in parts.items() if isinstance(found, Failure)]
    loads = None if isinstance(inverse_dynamics, Failure) else inverse_dynamics
    averages = None if isinstance(summary, Failure) else summary
    own = load_marker_set(marker_set), load_limits(limits)
    found = plausibility(kinematics, loads, averages, walk, static, *own)
    return replace(found, findings=(*not_made, *found.findings))
