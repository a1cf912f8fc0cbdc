"""Baseline correction of a force plate by the mean of its unloaded samples, found from its lowest load and markers."""

from __future__ import annotations

import numpy as np

from pipeline.acquisition.plate_occupancy import Occupancy
from pipeline.trial import Note

_WINDOW_S = 0.05
_MIN_LOAD_RANGE = 60.0
_MAX_CONSTANT = 100.0
_MAX_SHARE = 0.4
_MIN_DURATION = 0.1
_NEGLIGIBLE = 1.0
_DOUBTFUL = 10.0
"""N upward: a smaller level, whether an offset or a toe, changes no gait result."""
_SAME_LEVEL = 5.0
_LOADED = "loaded with about {level:.0f} N throughout, so its unloaded reading is unknown; nothing subtracted"


def remove_baseline(
    force: np.ndarray,
    moment: np.ndarray,
    rate: float,
    zero: np.ndarray,
    subject: str,
    markers: Occupancy | None = None,
) -> tuple[np.ndarray, np.ndarray, list[Note]]:
    """Subtract the plate's unloaded reading, estimated from its own unloaded samples.

    FORCE_PLATFORM:ZERO names samples to average, but programs fill it in whether or not the plate was empty at that
    time, so it can remove a standing subject. A contact can only push, so the unloaded reading is the lowest level at
    which the vertical load stays. It is accepted if the load also rises well above it, or if the plate reads one small
    value throughout. Markers distinguish an offset from a toe on the plate: if the level is steady while no marker is
    near and differs from the lowest one, it is taken instead; and a level of 10 N upward or more that occurs only
    while markers are near is not subtracted if its centre of pressure is under a foot, such as that of a light subject
    who stands there throughout. Otherwise the record is not changed.

    Args:
        force, moment: (Ta, 3) in plate axes, z down, about the surface's centre; N, Nm.
        rate: samples per second.
        zero: values of FORCE_PLATFORM:ZERO, for the note.
        subject: the plate, for the note.
        markers: the subject's markers relative to the plate; None if there are none.

    Returns:
        Force, moment and the notes on what was subtracted or why nothing was.
    """
    upward = -force[:, 2]
    unloaded, reason = _unloaded(upward, rate)
    clear = np.zeros(len(upward), dtype=bool) if markers is None else markers.clear(len(upward))
    free = _steady(upward, clear, rate)
    level = 0.0 if unloaded is None else float(upward[unloaded].mean())
    if free is not None and (unloaded is None or abs(upward[free].mean() - level) > _SAME_LEVEL):
        unloaded = free
    elif (
        markers is not None
        and level >= _DOUBTFUL
        and (unloaded & clear).sum() < _MIN_DURATION * rate
        and markers.is_under_foot(force[unloaded].mean(axis=0), moment[unloaded].mean(axis=0))
    ):
        if unloaded is not None and unloaded.all() and markers.stands(force.mean(axis=0), moment.mean(axis=0)):
            return force, moment, [Note("info", subject, _LOADED.format(level=level))]
        text = (
            f"reads {level:.0f} N upward at its lowest, while a foot is there; this may be an offset or light contact "
            "of the foot, so nothing is subtracted: zero the plate while it is empty"
        )
        return force, moment, [Note("warning", subject, text)]
    if unloaded is None:
        return force, moment, [Note("info", subject, reason)] if reason else []
    # The mean, not the median: converters with few bits jump between two levels around the true one.
    offset_force, offset_moment = force[unloaded].mean(axis=0), moment[unloaded].mean(axis=0)
    notes = []
    if np.abs(offset_force).max() >= _NEGLIGIBLE:
        declared = f"; FORCE_PLATFORM:ZERO names samples {zero[0]:.0f} to {zero[1]:.0f}" if zero.size == 2 else ""
        text = (
            f"unloaded reading of {-offset_force[2]:.1f} N upward subtracted, with its horizontal forces and moments "
            f"(mean of {int(unloaded.sum())} of {len(force)} samples{declared})"
        )
        notes.append(Note("estimated", subject, text))
    return force - offset_force, moment - offset_moment, notes


def _steady(upward: np.ndarray, clear: np.ndarray, rate: float) -> np.ndarray | None:
    """The clear samples if they last long enough at one level; otherwise None.

    If the level varies, somebody without markers may be on the plate.
    """
    width = max(round(_WINDOW_S * rate), 1)
    values = upward[clear]
    windows = values[: len(values) // width * width].reshape(-1, width).mean(axis=1)
    if len(values) < _MIN_DURATION * rate or not len(windows) or np.ptp(windows) > 2.0 * _SAME_LEVEL:
        return None
    return clear


def _unloaded(upward: np.ndarray, rate: float) -> tuple[np.ndarray | None, str]:
    """Mask of the unloaded samples; or None, and the reason why they cannot be found."""
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
        return None, _LOADED.format(level=level)
    tolerance = max(5.0, 0.01 * span)
    level = float(low)
    for _ in range(2):
        level = float(np.median(windows[np.abs(windows - level) <= tolerance]))
    quiet = np.abs(upward - level) <= tolerance
    lasting = quiet.sum() >= max(_MIN_DURATION * rate, 0.02 * len(upward))
    if not lasting or abs(level) > _MAX_SHARE * span:
        return None, f"no unloaded samples found (lowest level {level:.0f} N of up to {high:.0f} N); nothing subtracted"
    return quiet, ""
