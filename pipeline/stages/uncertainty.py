"""Stage: standard deviations of a walk's mean curves by source of error."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.config import (
    AnatomySettings,
    EventSettings,
    FilterSettings,
    LoadSettings,
    Subject,
    UncertaintySettings,
)
from pipeline.trial import CurveUncertainty, GaitCycles, InverseDynamics, Kinematics, RawTrial
from pipeline.uncertainty import RecordedWalk, curve_uncertainty


def run(
    walk: RawTrial,
    static: RawTrial,
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics,
    cycles: GaitCycles,
    marker_set: Path,
    subject: Subject,
    anatomy: AnatomySettings,
    filter: FilterSettings,
    events: EventSettings,
    loads: LoadSettings,
    uncertainty: UncertaintySettings,
) -> CurveUncertainty:
    """Load the marker set and propagate the errors."""
    own = load_marker_set(marker_set)
    results = (walk, static, kinematics, inverse_dynamics)
    recorded = RecordedWalk(*results, own, subject, anatomy, filter, events, loads.axes, cycles)
    return curve_uncertainty(recorded, uncertainty)
