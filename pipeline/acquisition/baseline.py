"""Baseline correction of a force plate by the mean of its unloaded samples, found from the lowest steady load."""

from __future__ import annotations

import numpy as np

from pipeline.trial import Note

_WINDOW_S = 0.05
_MIN_LOAD_RANGE = 60.0
_MAX_CONSTANT = 100.0
_MAX_SHARE = 0.4
_MIN_DURATION = 0.1
_NEGLIGIBLE = 1.0


def remove_baseline(
    force: np.ndarray, moment: np.ndarray, rate: float, zero: np.ndarray, subject: str
) -> tuple[np.ndarray, np.ndarray, list[Note]]:
    """Subtract the plate's unloaded reading, estimated from its own unloaded samples.

    FORCE_PLATFORM:ZERO names samples to average, but programs fill it in whether or not the plate was empty then, so
    that it can remove a standing subject. A contact can only push, so the unloaded plate is the
    lowest level at which the vertical load stays; it is accepted where the load also rises well above it, or where the
    plate reads one small value throughout. Otherwise the record stays as it is.

    Args:
        force, moment: (Ta, 3) in plate axes, z down; N, Nm.
        rate: samples per second.
        zero: values of FORCE_PLATFORM:ZERO, for the note.
        subject: the plate, for the note.

    Returns:
        Force, moment and the notes on what was subtracted or why nothing was.
    """
    unloaded, reason = _unloaded(-force[:, 2], rate)
    if unloaded is None:
        return force, moment, [Note("info", subject, reason)] if reason else []
    # The mean, not the median: converters of few bits jump between two levels around the true one.
    offset_force, offset_moment = force[unloaded].mean(axis=0), moment[unloaded].mean(axis=0)
    if np.abs(offset_force).max() >= _NEGLIGIBLE:
        declared = f"; FORCE_PLATFORM:ZERO names samples {zero[0]:.0f} to {zero[1]:.0f}" if zero.size == 2 else ""
        text = (
            f"unloaded reading of {-offset_force[2]:.1f} N upward subtracted, with its horizontal forces and moments "
            f"(mean of {int(unloaded.sum())} of {len(force)} samples{declared})"
        )
        notes = [Note("estimated", subject, text)]
    else:
        notes = []
    return force - offset_force, moment - offset_moment, notes


def _unloaded(upward: np.ndarray, rate: float) -> tuple[np.ndarray | None, str]:
    """Mask of the unloaded samples, or None with the reason why they cannot be found."""
    width = max(round(_WINDOW_S * rate), 1)
    windows = upward[: len(upward) // width * width].reshape(-1, width).mean(axis=1)
    if len(windows) * width < _MIN_DURATION * rate or not len(windows):
        return None, "the recording is too short to show its unloaded reading; nothing subtracted"
    low, high = np.percentile(windows, [5.0, 99.5], method="nearest")
    span = float(high - low)
    if span < _MIN_LOAD_RANGE:
        level = float(np.median(windows))
        if abs(level) < _MAX_CONSTANT:
            return np.ones(len(upward), dtype=bool), ""
        return (
            None,
            f"loaded with about {level:.0f} N throughout, so that its unloaded reading is unknown; nothing subtracted",
        )
    tolerance = max(5.0, 0.01 * span)
    level = float(low)
    for _ in range(2):
        level = float(np.median(windows[np.abs(windows - level) <= tolerance]))
    quiet = np.abs(upward - level) <= tolerance
    lasting = quiet.sum() >= max(_MIN_DURATION * rate, 0.02 * len(upward))
    if not lasting or abs(level) > _MAX_SHARE * span:
        return None, f"no unloaded samples found (lowest level {level:.0f} N of up to {high:.0f} N); nothing subtracted"
    return quiet, ""
