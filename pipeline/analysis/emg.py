"""Muscle activity over the gait cycle from the analog channels of a walk: envelopes by muscle, normalised and averaged.

Amplitudes are normalised to the peak or the mean of each muscle's mean envelope over the cycles (Yang and Winter 1984,
Arch Phys Med Rehabil 65, 517), since those of a maximum contraction are rarely recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pipeline.analysis.muscles import MUSCLES, muscle_of
from pipeline.analysis.resampling import PERCENT, mean_where_known, resample
from pipeline.config import EmgSettings
from pipeline.conventions import SIDES
from pipeline.signals import clipped_samples, linear_envelope, mains_share
from pipeline.trial import AnalogSignals, EmgChannel, EmgCycle, MuscleActivity, Note, WalkCycles

_PREFIXES = {"": 1.0, "m": 1e-3, "milli": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "micro": 1e-6}
VOLTS = {"": 1.0} | {prefix + name: factor for prefix, factor in _PREFIXES.items() for name in ("v", "volt", "volts")}
"""Volts in the units of analog channels; a channel without a unit is taken as V."""

MIN_RATE = 400.0
"""Hz; slower channels cannot hold the band of surface EMG, not even most of its power."""

ADVISED_RATE = 1000.0
"""Hz; from this rate on the band up to 500 Hz is complete (standards of the International Society of Electrophysiology
and Kinesiology, Merletti 1999)."""

NYQUIST_SHARE = 0.45
"""Highest upper limit of the band, as a fraction of the rate."""


MAX_SIDES = 20.0
"""Limit of the ratio of the two sides' amplitudes of a muscle; chosen: skin and electrodes cause ratios of a few."""


MAINS, MAX_MAINS = (50.0, 60.0), 0.1
"""Hz, frequencies of mains; and the largest fraction of a channel's power at multiples of one. A tenth of the power
raises an envelope at rest to a third of its mean."""

MAX_MAINS_OF_HALF = 0.05
"""The same in each half of the recording: hum is in both, while the few bursts of a recording of 2 or 3 s may have a
tenth of their power at such frequencies by chance, as one in a hundred simulated channels did."""

MIN_VARIATION = 0.15
"""Smallest standard deviation of a mean envelope over the cycle, as a fraction of its mean. White noise filtered like
EMG has 0.06, and 0.12 in one cycle of a thousand; the muscles of the norm (Bovi et al. 2011) have 0.24 to 0.92 at four
speeds."""


@dataclass(frozen=True)
class _Found:
    """A channel that shows EMG: its index, label, side and muscle; side and muscle are empty if unknown."""

    index: int
    label: str
    side: str
    muscle: str


def muscle_activity(analog: AnalogSignals, walk: WalkCycles, settings: EmgSettings) -> MuscleActivity:
    """Envelopes of the EMG channels of a walk, over time and over its gait cycles.

    A channel is EMG if it belongs to no plate, is in volts, and either its label or the settings name a muscle or EMG.
    Without any such channel the result is empty.
    """
    found, notes = _emg_channels(analog, settings.channels)
    named, more = _usable(analog, [channel for channel in found if channel.side and channel.muscle])
    notes += more
    rate, muscles = analog.analog_rate, [name for name in MUSCLES if any(c.muscle == name for c in named)]
    muscles += list(dict.fromkeys(c.muscle for c in named if c.muscle not in MUSCLES))
    band = settings.high_pass, min(settings.low_pass, NYQUIST_SHARE * rate)
    envelope = np.zeros((0, len(walk.time)))
    if named:
        scale = np.array([VOLTS[analog.analog_units[c.index].strip().casefold()] for c in named])
        signal = linear_envelope(analog.analog[:, [c.index for c in named]] * scale, rate, band, settings.envelope)
        envelope = np.stack([np.interp(walk.time, analog.analog_time, column) for column in signal.T])
        notes.append(_processing_note(rate, band, settings))
        notes += [note for c in named for note in _signal_notes(c.label, analog.analog[:, c.index], rate, band)]
    cycles = []
    for number, cycle in enumerate(walk.cycles, start=1):
        over = np.full((len(muscles), len(PERCENT)), np.nan)
        for channel, values in zip(named, envelope, strict=True):
            if channel.side == cycle.side:
                row = over[muscles.index(channel.muscle)]
                row[:] = resample(values, walk.time, cycle.initial_contact, cycle.next_initial_contact)
        cycles.append(EmgCycle(cycle.side, number, over))
    activity = MuscleActivity(
        name=walk.name,
        subject=walk.subject,
        rate=rate,
        high_pass=band[0],
        low_pass=band[1],
        envelope_cutoff=settings.envelope,
        normalisation=settings.normalise,
        time=walk.time,
        percent=PERCENT,
        side_names=SIDES,
        muscle_names=tuple(muscles),
        channels=tuple(EmgChannel(c.label, c.side, c.muscle) for c in named),
        envelope=envelope,
        cycles=tuple(cycles) if muscles else (),
        **_averages(cycles, len(muscles), settings.normalise),
        notes=(),
    )
    return replace(activity, notes=(*notes, *_noise_notes(activity), *_side_notes(activity)))


def pooled_activity(name: str, walks: Sequence[MuscleActivity]) -> MuscleActivity:
    """Muscle activity of several walks of one session and condition together, with one reference for all cycles.

    Rate and band are the lowest of the walks; a note says if they differ.

    Raises:
        ValueError: there is no walk.
    """
    first, *_ = walks
    muscles = tuple(dict.fromkeys(muscle for walk in walks for muscle in walk.muscle_names))
    cycles: list[EmgCycle] = []
    for walk in walks:
        for cycle in walk.cycles:
            over = np.full((len(muscles), len(PERCENT)), np.nan)
            over[[muscles.index(muscle) for muscle in walk.muscle_names]] = cycle.envelope
            cycles.append(EmgCycle(cycle.side, len(cycles) + 1, over))
    rates, bands = ({getattr(walk, what) for walk in walks} for what in ("rate", "low_pass"))
    together = replace(
        first,
        name=name,
        rate=min(rates),
        low_pass=min(bands),
        muscle_names=muscles,
        cycles=tuple(cycles),
        channels=(),
        notes=tuple(_rate_notes(rates, bands)),
    )
    averages = _averages(cycles, len(muscles), first.normalisation)
    return replace(together, time=np.zeros(0), envelope=np.zeros((0, 0)), **averages)


def _rate_notes(rates: Iterable[float], bands: Iterable[float]) -> Iterator[Note]:
    """A note if walks were sampled at several rates: a warning if their bands therefore differ, too."""
    sampled, ends = (list(dict.fromkeys(f"{value:g}" for value in sorted(values))) for values in (rates, bands))
    if len(sampled) < 2 and len(ends) < 2:
        return
    said = f"walks were sampled at {' and '.join(sampled)} Hz"
    if len(ends) > 1:
        text = f"{said}, so their bands end at {' and '.join(ends)} Hz: amplitudes differ for that"
        yield Note("warning", "EMG", text)
    else:
        yield Note("info", "EMG", f"{said}; the band is the same")


def _averages(cycles: Sequence[EmgCycle], muscles: int, normalisation: str) -> dict[str, Any]:
    """Reference, mean, standard deviation and count of the cycles, fields of `pipeline.trial.MuscleActivity`."""
    shape = len(SIDES), muscles
    reference, count = np.full(shape, np.nan), np.zeros(shape, dtype=int)
    mean, sd = (np.full((*shape, len(PERCENT)), np.nan) for _ in range(2))
    for k, side in enumerate(SIDES):
        own = [cycle.envelope for cycle in cycles if cycle.side == side]
        for m in range(muscles):
            curves = np.array([curve[m] for curve in own if np.isfinite(curve[m]).any()]).reshape(-1, len(PERCENT))
            count[k, m] = len(curves)
            if not len(curves):
                continue
            average, spread = mean_where_known(curves)
            amplitude = np.nanmax(average) if normalisation == "peak" else np.nanmean(average)
            if amplitude > 0.0 and np.nanstd(average) >= MIN_VARIATION * np.nanmean(average):
                reference[k, m], mean[k, m], sd[k, m] = amplitude, average / amplitude, spread / amplitude
    return {"reference": reference, "mean": mean, "sd": sd, "count": count}


def _emg_channels(analog: AnalogSignals, given: Mapping[str, str]) -> tuple[list[_Found], list[Note]]:
    """Channels that show EMG, and notes on those without side or muscle, on others in volts and on other units."""
    found: list[_Found] = []
    others: list[str] = []
    not_in_volts: list[str] = []
    for index, (label, unit) in enumerate(zip(analog.analog_names, analog.analog_units, strict=True)):
        if analog.analog_plate[index]:
            continue
        in_volts, known = unit.strip().casefold() in VOLTS, muscle_of(label)
        is_emg = given[label] != "none" if label in given else known is not None or "emg" in label.casefold()
        if is_emg and in_volts:
            side, muscle = given[label].partition(" ")[::2] if label in given else known or ("", "")
            found.append(_Found(index, label, side, muscle))
        elif is_emg:
            not_in_volts.append(f"{label} ({unit})")
        elif in_volts and label and unit.strip() and label not in given:
            others.append(label)
    unknown = [channel.label for channel in found if not (channel.side and channel.muscle)]
    notes = []
    if unknown:
        text = (
            f"the labels of {', '.join(unknown)} do not give the side or muscle, so these channels are not used: name "
            "them in config.yaml (emg, channels)"
        )
        notes.append(Note("left out", "EMG", text))
    if others:
        names = ", ".join(others)
        text = f"channels in volts not taken as EMG: {names}; name EMG channels among them in config.yaml (emg)"
        notes.append(Note("info", "EMG", text))
    if not_in_volts:
        text = (
            f"channels not taken as EMG, whose unit is not volts: {', '.join(not_in_volts)}; if they are EMG, set the "
            "unit (ANALOG:UNITS) in the recording software and export again"
        )
        notes.append(Note("left out", "EMG", text))
    return found, notes


def _usable(analog: AnalogSignals, named: Sequence[_Found]) -> tuple[list[_Found], list[Note]]:
    """Channels that can be processed, the first one of each muscle and side, and notes on the others."""
    notes: list[Note] = []
    used: list[_Found] = []
    if named and analog.analog_rate < MIN_RATE:
        text = (
            f"sampled at {analog.analog_rate:g} Hz (limit {MIN_RATE:g} Hz), too slowly for EMG, so it is not used: "
            "record it faster, or export the raw signal"
        )
        return [], [Note("left out", "EMG", text)]
    if named and analog.analog_rate < ADVISED_RATE:
        text = f"sampled at {analog.analog_rate:g} Hz (advised {ADVISED_RATE:g} Hz), so part of its power is missing"
        notes.append(Note("warning", "EMG", text))
    for channel in named:
        signal = analog.analog[:, channel.index]
        if not np.isfinite(signal).all() or np.ptp(signal) == 0.0:
            text = f"{channel.label} is constant or not finite, so it is not used: check its sensor"
            notes.append(Note("left out", "EMG", text))
        elif any((channel.side, channel.muscle) == (other.side, other.muscle) for other in used):
            text = f"{channel.label} is a second {channel.side} {channel.muscle.replace('_', ' ')}, so it is not used"
            notes.append(Note("left out", "EMG", text))
        else:
            used.append(channel)
    return used, notes


def _signal_notes(label: str, signal: np.ndarray, rate: float, band: tuple[float, float]) -> Iterator[Note]:
    """A channel that is clipped, or contains hum of the mains."""
    if clipped := clipped_samples(signal):
        text = (
            f"{label} is at its largest or smallest value in {clipped} of {len(signal)} samples, so it is clipped and "
            "its envelope is wrong: set a lower gain"
        )
        yield Note("warning", "EMG", text)
    share, mains = max((mains_share(signal, rate, band, mains), mains) for mains in MAINS)
    halves = np.array_split(signal, 2)
    if share > MAX_MAINS and all(mains_share(half, rate, band, mains) > MAX_MAINS_OF_HALF for half in halves):
        text = (
            f"{100.0 * share:.0f} % of the power of {label} is at multiples of {mains:g} Hz (limit "
            f"{100.0 * MAX_MAINS:g} %), probably hum of the mains, so its envelope is too large, most of all at rest: "
            "check the electrodes, the reference electrode and the cables"
        )
        yield Note("warning", "EMG", text)


def _noise_notes(activity: MuscleActivity) -> Iterator[Note]:
    """Muscles with cycles but without an average, since their envelope does not vary."""
    for k, m in np.argwhere((activity.count > 0) & np.isnan(activity.reference)):
        text = (
            f"the {activity.side_names[k]} {activity.muscle_names[m].replace('_', ' ')} varies by less than "
            f"{100.0 * MIN_VARIATION:g} % over the gait cycle, like noise and unlike any muscle of the norm, so it is "
            "not shown: check its sensor"
        )
        yield Note("left out", "EMG", text)


def _side_notes(activity: MuscleActivity) -> Iterator[Note]:
    """Muscles so much stronger on one side that sensors, cables or gains are doubtful."""
    for muscle, (left, right) in zip(activity.muscle_names, activity.reference.T, strict=True):
        ratio = max(left, right) / min(left, right)
        if ratio > MAX_SIDES:
            text = (
                f"the {SIDES[int(right > left)]} {muscle.replace('_', ' ')} is {ratio:.0f} times stronger than the "
                f"other side's (limit {MAX_SIDES:g}), so one of them may be noise: check sensors, cables and gains"
            )
            yield Note("warning", "EMG", text)


def _processing_note(rate: float, band: tuple[float, float], settings: EmgSettings) -> Note:
    text = (
        f"{band[0]:g} to {band[1]:g} Hz of {rate:g} samples per second, rectified, low-pass {settings.envelope:g} Hz, "
        f"as fractions of the {settings.normalise} of each muscle's mean envelope over the cycle"
    )
    return Note("info", "EMG", text)
