"""Part of a recording as a trial of its own, such as one direction of a walk there and back."""

from __future__ import annotations

import math
from dataclasses import replace

from pipeline.errors import AcquisitionError
from pipeline.trial import Note, Part, RawTrial

_SAME_FRAME = 1e-3
"""Fraction of the frame interval: a time closer than this to a frame counts as that frame."""


def frames_of(part: Part | None, frames: int, rate: float, where: str) -> tuple[slice, list[Note]]:
    """Frames of a recording that lie in a part of it, counted from 0, and a note on the part.

    Args:
        part: s from the recording's first frame; None for all frames.
        frames: number of frames in the recording.
        rate: Hz.
        where: file name, for messages.

    Raises:
        AcquisitionError: the part is not within the recording, or holds fewer than two frames.
    """
    if part is None:
        return slice(0, frames), []
    last = (frames - 1) / rate
    outside = [time for time in (part.begin, part.end) if time is not None and time > last + 0.5 / rate]
    if outside:
        raise AcquisitionError(
            f"column 'part': {outside[0]:g} s is not within the recording, which lasts {last:.3f} s",
            where=where,
            remedy=f"Correct it in trials.tsv; '{part.begin:g}-' is a part up to the recording's end",
        )
    first = math.ceil(part.begin * rate - _SAME_FRAME)
    end = last if part.end is None else part.end
    stop = min(math.floor(end * rate + _SAME_FRAME) + 1, frames)
    if stop - first < 2:
        raise AcquisitionError(
            f"column 'part': '{part}' holds fewer than two frames at {rate:g} Hz",
            where=where,
            remedy="Correct it in trials.tsv",
        )
    text = f"{part} s of the recording, {stop - first} of its {frames} frames"
    return slice(first, stop), [Note("info", "part", text)]


def only_frames(trial: RawTrial, frames: slice) -> RawTrial:
    """The recording as if it began and ended with these frames; events outside them are left out.

    >>> from pipeline.acquisition import read_trial
    >>> from pipeline.acquisition.part import only_frames
    >>> walk = read_trial("data/demo/walk.c3d")
    >>> half = only_frames(walk, slice(100, 200))
    >>> len(half.time), half.first_frame - walk.first_frame, float(half.time[0])
    (100, 100, 0.0)
    """
    begin, end = frames.start / trial.rate, (frames.stop - 1) / trial.rate
    samples = slice(round(begin * trial.analog_rate), round(frames.stop / trial.rate * trial.analog_rate))
    return replace(
        trial,
        first_frame=trial.first_frame + frames.start,
        time=trial.time[: frames.stop - frames.start],
        analog_time=trial.analog_time[: samples.stop - samples.start],
        markers_G=trial.markers_G[frames],
        analog=trial.analog[samples],
        plates=tuple(replace(plate, wrench=plate.wrench.at(samples)) for plate in trial.plates),
        events=tuple(replace(e, time=e.time - begin) for e in trial.events if begin <= e.time <= end),
        model_outputs={
            label: replace(output, values=output.values[frames]) for label, output in trial.model_outputs.items()
        },
    )
