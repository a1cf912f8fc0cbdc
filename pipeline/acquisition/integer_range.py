"""Unwrapping of analog counts that overflowed the 16-bit range in integer C3D files."""

from __future__ import annotations

import numpy as np

from pipeline.acquisition.c3d_file import C3DFile
from pipeline.trial import Note

_RANGE = 65536.0


def unwrap_counts(file: C3DFile, channels: np.ndarray, subject: str) -> tuple[np.ndarray, list[Note]]:
    """Signals (Ta, n) of some channels, with counts that wrapped round at 16 bits unwrapped.

    A step of more than half the range between two samples is a wrap-around: no plate's signal changes by 2^15 counts in
    a millisecond. The first sample is taken as not wrapped.
    """
    signals = file.analog[:, channels]
    if not file.layout.is_integer or len(signals) < 2:
        return signals, []
    per_count = _per_count(file, channels)
    counts = signals / per_count
    wrapped = (np.abs(np.diff(counts, axis=0)) > _RANGE / 2.0).any(axis=0)
    if not wrapped.any():
        return signals, []
    names = ", ".join(file.channel_names(channels[wrapped]))
    text = (
        f"the counts of {names} wrapped round at 16 bits because the stored scale is too fine, and were unwrapped from "
        "their first sample on: export the trial with real numbers"
    )
    restored = np.where(wrapped, np.unwrap(counts, period=_RANGE, axis=0) * per_count, signals)
    return restored, [Note("warning", subject, text)]


def _per_count(file: C3DFile, channels: np.ndarray) -> np.ndarray:
    """Value of one count of each channel, in the channel's units."""
    scale = np.concatenate([file.parameters.numbers("ANALOG", "SCALE"), np.ones(file.layout.channels)])
    per_count = np.abs(scale[channels] * file.parameters.number("ANALOG", "GEN_SCALE", 1.0))
    return np.where(per_count > 0.0, per_count, np.inf)
