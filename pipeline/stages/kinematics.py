"""Stage: kinematics of a walk, calibrated by its static trial."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, GivenSteps, Subject
from pipeline.kinematics import kinematics
from pipeline.trial import Kinematics, RawTrial


def run(
    walk: RawTrial,
    static: RawTrial,
    marker_set: Path,
    subject: Subject,
    anatomy: AnatomySettings,
    filter: FilterSettings,
    events: EventSettings,
    steps: GivenSteps,
) -> Kinematics:
    """Load the marker set and compute the kinematics."""
    return kinematics(walk, static, load_marker_set(marker_set), subject, anatomy, filter, events, steps)
