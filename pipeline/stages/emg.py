"""Stage: muscle activity of a walk from the EMG among its analog channels."""

from __future__ import annotations

from pipeline.analysis import muscle_activity
from pipeline.config import EmgSettings
from pipeline.trial import AnalogSignals, MuscleActivity, WalkCycles


def run(walk: AnalogSignals, kinematics: WalkCycles, emg: EmgSettings) -> MuscleActivity:
    """EMG envelopes over time and over the gait cycle; none for a walk without EMG."""
    return muscle_activity(walk, kinematics, emg)
