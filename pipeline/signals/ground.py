"""Ground reaction on each foot over a walk: the plate's in clean stances, zero in swing, missing where unknown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from pipeline.math3d import Wrench
from pipeline.signals.joined_plates import load_of
from pipeline.trial import Event, PlateLoad, Stance

MAX_SWING = 1.5
"""s; maximum duration of swing: between a foot off and an initial contact farther apart, a stance was missed."""


def swing_frames(side: str, events: Sequence[Event], time: np.ndarray) -> np.ndarray:
    """Mask (T,) of the frames in which a foot is known to be in the air: from foot off to its next initial contact."""
    own = [event for event in events if event.side == side]
    swing = np.zeros(len(time), dtype=bool)
    for event, following in pairwise(own):
        in_swing = (event.kind, following.kind) == ("foot off", "initial contact")
        if in_swing and following.time - event.time <= MAX_SWING:
            swing |= (time >= event.time) & (time < following.time)
    return swing


def step_frames(side: str, stances: Sequence[Stance], time: np.ndarray) -> np.ndarray:
    """Frames (T,) of the clean steps of a side on plates."""
    frames = np.zeros(len(time), dtype=bool)
    for stance in stances:
        if stance.side == side and not stance.rejected:
            frames[stance.start : stance.stop] = True
    return frames


def ground_reaction(side: str, stances: Sequence[Stance], loads: Sequence[PlateLoad], swing: np.ndarray) -> Wrench:
    """Ground reaction (T,) on one foot: the plate's in clean stances, zero in swing, missing where it is not known.

    Args:
        side: "left" or "right".
        stances: contacts with the plates.
        loads: of the plates.
        swing: (T,) mask of the frames in which this foot is in the air.
    """
    parts = np.full((3, len(swing), 3), np.nan)
    parts[:, swing] = 0.0
    for stance in stances:
        if stance.side == side and not stance.rejected:
            frames = slice(stance.start, stance.stop)
            load = load_of(stance, loads).wrench.at(frames)
            parts[:, frames] = load.force_G, load.moment_G, load.point_G
    return Wrench(*parts)
