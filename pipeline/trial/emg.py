"""Muscle activity of a walk: envelopes of surface EMG over time and over the gait cycle, and their averages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Axis, Note, Quantity
from pipeline.trial.walk import Cycle


@dataclass(frozen=True)
class AnalogSignals:
    """The part of a `RawTrial` with its analog channels; it can be read alone."""

    name: str
    analog_rate: float
    analog_names: Annotated[tuple[str, ...], Axis("channel", "analog channel label")]
    analog_units: tuple[str, ...]
    analog_time: Annotated[np.ndarray, Axis("analog_time", "time from the first frame", "s")]
    analog: Annotated[np.ndarray, Quantity("analog signals", "see analog_units", ("analog_time", "channel"))]
    analog_plate: Annotated[np.ndarray, Quantity("plate that the channel belongs to, 0 for none", "1", ("channel",))]


@dataclass(frozen=True)
class WalkCycles:
    """The part of `Kinematics` with the frames' times and the gait cycles; it can be read alone."""

    name: str
    subject: str
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    cycles: tuple[Cycle, ...]


@dataclass(frozen=True)
class EmgChannel:
    """A channel of EMG: its label in the file, and the muscle and side that it shows."""

    label: str
    side: str
    muscle: str


@dataclass(frozen=True)
class EmgCycle:
    """Envelopes of one gait cycle of a side.

    Attributes:
        number: of the cycle among all cycles of the walk, from 1.
        envelope: by muscle; missing for a muscle without a channel on this side.
    """

    side: str
    number: int
    envelope: Annotated[np.ndarray, Quantity("EMG envelope", "V", ("muscle", "percent"))]


@dataclass(frozen=True)
class MuscleActivity:
    """Envelopes of the EMG channels of a walk, or of several walks together; then ``envelope`` has no time samples.

    Attributes:
        rate: samples per second of the channels.
        high_pass, low_pass: the band that is kept. envelope_cutoff: low-pass of the rectified signal.
        normalisation: what ``reference`` is: the "peak" or the "mean" of the mean envelope over the gait cycle.
        muscle_names: muscles of all channels, each once; `pipeline.analysis.muscles` has their labels.
        channels: those with known muscle and side, in the file's order.
        envelope: rectified and low-passed, at the markers' frames.
        reference: amplitude of which ``mean`` and ``sd`` are fractions; missing without cycles.
        mean, sd: over the cycles of a side; the standard deviation is missing for fewer than two.
        count: number of cycles with the muscle.
    """

    name: str
    subject: str
    rate: Annotated[float, Quantity("sampling rate", "Hz")]
    high_pass: Annotated[float, Quantity("lower limit of the band", "Hz")]
    low_pass: Annotated[float, Quantity("upper limit of the band", "Hz")]
    envelope_cutoff: Annotated[float, Quantity("cut-off frequency of the envelope", "Hz")]
    normalisation: str
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    side_names: Annotated[tuple[str, ...], Axis("side", "side")]
    muscle_names: Annotated[tuple[str, ...], Axis("muscle", "muscle")]
    channels: tuple[EmgChannel, ...]
    envelope: Annotated[np.ndarray, Quantity("EMG envelope", "V", ("emg_channel", "time"))]
    cycles: Annotated[tuple[EmgCycle, ...], Axis("emg_cycle", "number of the cycle with EMG")]
    reference: Annotated[np.ndarray, Quantity("reference amplitude", "V", ("side", "muscle"))]
    mean: Annotated[np.ndarray, Quantity("mean envelope", "of the reference", ("side", "muscle", "percent"))]
    sd: Annotated[np.ndarray, Quantity("standard deviation", "of the reference", ("side", "muscle", "percent"))]
    count: Annotated[np.ndarray, Quantity("cycles", "1", ("side", "muscle"))]
    notes: tuple[Note, ...]
