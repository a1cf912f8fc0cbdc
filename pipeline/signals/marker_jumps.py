"""Marker jumps and swaps: labels that change places are put back, frames off a marker's trajectory are removed.

A body part is accelerated by less than 100 m/s^2 in walking, so that even at 50 Hz its step from one frame to the next
differs from the steps around it by less than `SHORTEST_JUMP`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.signals.runs import frame_ranges, runs_of
from pipeline.trial import Note

SHORTEST_JUMP = 0.04
"""m; a step that differs by more from the steps around it is no motion of a body."""

_MOST_ACCELERATION = 100.0
"""m/s^2"""

_AROUND = (-3, -2, -1, 1, 2, 3)
"""The steps whose median predicts the step between them."""


def correct_jumps_and_swaps(
    markers: np.ndarray, names: Sequence[str], rate: float
) -> tuple[np.ndarray, tuple[Note, ...]]:
    """Markers (T, K, 3) with swapped labels put back and frames off the trajectory missing; a note on each.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        names: the K marker names, for the notes.
        rate: Hz.
    """
    order = label_order(markers)
    relabelled = np.take_along_axis(markers, order[:, :, None], axis=1)
    shortest = max(SHORTEST_JUMP, _MOST_ACCELERATION / rate**2)
    removed = off_trajectory(relabelled, shortest)
    notes = []
    for k, name in enumerate(names):
        for label in sorted(set(order[:, k].tolist()) - {k}):
            where = frame_ranges(runs_of(order[:, k] == label))
            text = (
                f"labelled {names[label]} in frames {where}: the labels were swapped there and have been put back to "
                "those of most frames; correct the labelling in the recording software"
            )
            notes.append(Note("warning", f"marker {name}", text))
    longest = np.linalg.norm(jumps_of(relabelled, shortest), axis=2).max(axis=0, initial=0.0)
    for name, out, jump in zip(names, removed.T, longest, strict=True):
        if out.any():
            text = (
                f"jumps by {1000 * jump:.0f} mm at most from one frame to the next (limit {1000 * shortest:.0f} mm), "
                f"probably a reflection or another marker; frames {frame_ranges(runs_of(out))} are not used: check "
                "its labelling there"
            )
            notes.append(Note("warning", f"marker {name}", text))
    return np.where(removed[:, :, None], np.nan, relabelled), tuple(notes)


def jumps_of(markers: np.ndarray, shortest: float = SHORTEST_JUMP) -> np.ndarray:
    """Jump (T, K, 3) m of every marker into a frame: its step less the median of the steps around it, or zero.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        shortest: m; what is shorter is motion, and counts as zero.
    """
    jumps = np.zeros_like(markers)
    if len(markers) < 3:
        return jumps
    step = np.diff(markers, axis=0, prepend=np.nan)
    with np.errstate(invalid="ignore"):
        uneven = (np.linalg.norm(np.diff(step, axis=0), axis=2) > shortest).any(axis=0)
    for k in np.flatnonzero(uneven):
        padded = np.pad(step[:, k], ((3, 3), (0, 0)), constant_values=np.nan)
        around = np.stack([padded[3 + shift : 3 + shift + len(step)] for shift in _AROUND])
        expected = np.ma.median(np.ma.masked_invalid(around), axis=0).filled(np.nan)
        jump = step[:, k] - expected
        with np.errstate(invalid="ignore"):
            jumps[:, k] = np.where(np.linalg.norm(jump, axis=1)[:, None] > shortest, jump, 0.0)
    return jumps


def label_order(markers: np.ndarray) -> np.ndarray:
    """For every frame and label, the label (T, K) under which its marker is found, where labels are swapped midway.

    Labels are swapped where they jump in one frame, each onto the trajectory of another one of them. The trajectories
    do not show which of the orders is right: that of most frames is taken.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
    """
    count = markers.shape[1]
    order = np.tile(np.arange(count), (len(markers), 1))
    jumps = jumps_of(markers)
    jumping = (jumps != 0.0).any(axis=2)
    for t in np.flatnonzero(jumping.sum(axis=1) > 1):
        who = np.flatnonzero(jumping[t])
        expected = markers[t, who] - jumps[t, who]
        distance = np.linalg.norm(markers[t, who][:, None] - expected[None], axis=2)
        near = distance.min(axis=1) < 0.5 * SHORTEST_JUMP
        onto = {int(i): int(j) for i, j in zip(who[near], who[distance.argmin(axis=1)][near], strict=True)}
        while set(onto) != set(onto.values()):  # only labels that are swapped among themselves
            onto = {i: j for i, j in onto.items() if j in onto and i in onto.values()}
        arriving = {trajectory: column for column, trajectory in onto.items()}
        order[t:] = [arriving.get(int(column), int(column)) for column in order[t]]
    kinds, counts = np.unique(order, axis=0, return_counts=True)
    return order[:, np.argsort(kinds[np.argmax(counts)])]


def off_trajectory(markers: np.ndarray, shortest: float = SHORTEST_JUMP) -> np.ndarray:
    """Frames (T, K) in which a marker is off its trajectory: it jumped away and has not jumped back yet.

    Its trajectory is the one that holds most of its frames. A gap may end an excursion: after it, the marker counts as
    back where that fits the step across the gap better.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        shortest: m; what is shorter is motion.
    """
    jumps = jumps_of(markers, shortest)
    off = np.zeros(markers.shape[:2], dtype=bool)
    for k in np.flatnonzero((jumps != 0.0).any(axis=(0, 2))):
        seen = np.flatnonzero(np.isfinite(markers[:, k]).all(axis=1))
        offsets = _offsets(markers[seen, k], jumps[seen, k], seen, shortest)
        kinds, kind, count = np.unique(offsets, axis=0, return_inverse=True, return_counts=True)
        alike = np.linalg.norm(kinds[:, None] - kinds[None], axis=2) < shortest
        most = int(np.argmax(alike @ count))
        off[seen, k] = ~alike[most][kind.ravel()]
    return off


def _offsets(track: np.ndarray, jumps: np.ndarray, seen: np.ndarray, shortest: float) -> np.ndarray:
    """Offset (N, 3) m of a marker from the trajectory that it began on: the sum of its jumps, zero once it is back.

    Args:
        track, jumps: (N, 3) m of the frames ``seen`` (N,).
        seen: indices of the frames.
        shortest: m; what is shorter is motion.
    """
    offset = np.zeros(3)
    offsets = np.zeros_like(track)
    for i in range(1, len(seen)):
        jump = jumps[i]
        if seen[i] - seen[i - 1] > 1 and offset.any():
            nearby = slice(max(i - 2, 0), i + 2)
            pace = np.diff(track[nearby], axis=0) / np.diff(seen[nearby])[:, None]
            pace = np.delete(pace, min(i, 2) - 1, axis=0)
            across = track[i] - track[i - 1] - (seen[i] - seen[i - 1]) * (pace.mean(axis=0) if len(pace) else 0.0)
            jump = -offset if np.linalg.norm(across + offset) < np.linalg.norm(across) else np.zeros(3)
        # A marker that stood still, or followed another, while it was away jumps back from elsewhere.
        back = max(0.5 * shortest, float(np.linalg.norm(offset)) / 3.0)
        offset = offset + jump
        offset = np.where(np.linalg.norm(offset) < back, 0.0, offset)
        offsets[i] = offset
    return offsets
