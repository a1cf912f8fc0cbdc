"""Stage: peak joint moments of a walk at several cut-off frequencies."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.config import EventSettings, FilterSettings
from pipeline.newton_euler import cutoff_peaks
from pipeline.trial import CutoffPeaks, Kinematics, RawTrial


def run(
    walk: RawTrial, kinematics: Kinematics, marker_set: Path, filter: FilterSettings, events: EventSettings
) -> CutoffPeaks:
    """Load the marker set and compute the loads at each cut-off."""
    return cutoff_peaks(walk, kinematics, load_marker_set(marker_set), filter, events)
