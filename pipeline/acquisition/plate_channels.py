"""Quality checks of a force plate's channels: dead under load, or clipped by the amplifier or converter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pipeline.trial import Note

LOADED = 50.0
"""N; with a smaller force a plate counts as unloaded."""

_MIN_DURATION = 0.025
_MIN_SAMPLES = 5
_MIN_STEPS = 50
"""A signal under load that stays at its maximum or minimum for 25 ms and 5 samples is clipped. In published trials no
signal does so for more than 11 ms, except one at the limit of its 16 bits. An extreme less than 50 converter steps from
the unloaded level is not checked."""


def channel_notes(
    signals: np.ndarray, loaded: np.ndarray, rate: float, names: Sequence[str], subject: str
) -> Iterator[Note]:
    """A warning for each channel that does not change under load, or is clipped.

    Args:
        signals: (Ta, n) of the plate, as stored.
        loaded: (Ta,) mask of the samples under load.
        rate: samples per second.
        names: of the n channels.
        subject: the plate, for the note.
    """
    if not loaded.any() or loaded.all():
        return
    for name, signal in zip(names, signals.T, strict=True):
        if np.ptp(signal) == 0.0:
            text = (
                f"channel {name} is {signal[0]:g} throughout, even under load, so it is probably dead and its part of "
                "the load is missing: check its cable and amplifier"
            )
            yield Note("warning", subject, text)
            continue
        steps = np.abs(np.diff(signal))
        step = steps[steps > 0.0].min(initial=np.inf)
        for limit in (signal.min(), signal.max()):
            start, length = longest_run((signal == limit) & loaded)
            far = abs(limit - np.median(signal[~loaded])) >= _MIN_STEPS * step
            if far and length >= max(_MIN_SAMPLES, _MIN_DURATION * rate):
                text = (
                    f"channel {name} stays at {limit:g} for {length / rate:.3f} s from {start / rate:.3f} s (limit "
                    f"{_MIN_DURATION:g} s) and never exceeds it, so it is clipped and the load is too small: set a "
                    "lower gain"
                )
                yield Note("warning", subject, text)


def longest_run(mask: np.ndarray) -> tuple[int, int]:
    """First sample and length of the longest run of True in a mask (Ta,)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8))).reshape(-1, 2)
    if not len(edges):
        return 0, 0
    start, stop = edges[np.argmax(edges[:, 1] - edges[:, 0])]
    return int(start), int(stop - start)
