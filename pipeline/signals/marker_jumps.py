"""Leaps of markers from one frame to the next: labels that change places, and markers that are off their path.

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
"""The steps that tell what the step between them should have been."""


def correct_jumps_and_swaps(
    markers: np.ndarray, names: Sequence[str], rate: float
) -> tuple[np.ndarray, tuple[Note, ...]]:
    """Markers (T, K, 3) with labels that change places put right and what is off its path missing; a note on each.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        names: the K marker names, for the notes.
        rate: Hz.
    """
    order = label_order(markers)
    followed = np.take_along_axis(markers, order[:, :, None], axis=1)
    leap = max(SHORTEST_JUMP, _MOST_ACCELERATION / rate**2)
    away = off_trajectory(followed, leap)
    notes = []
    for k, name in enumerate(names):
        for label in sorted(set(order[:, k].tolist()) - {k}):
            where = frame_ranges(runs_of(order[:, k] == label))
            text = f"lies under the label {names[label]} in frames {where}: put right, as most frames have it"
            notes.append(Note("warning", f"marker {name}", text))
    far = np.linalg.norm(jumps_of(followed, leap), axis=2).max(axis=0, initial=0.0)
    for name, out, reach in zip(names, away.T, far, strict=True):
        if out.any():
            text = f"leaps off its path, by {1000 * reach:.0f} mm at most, in frames {frame_ranges(runs_of(out))}"
            notes.append(Note("warning", f"marker {name}", f"{text}: left out there"))
    return np.where(away[:, :, None], np.nan, followed), tuple(notes)


def jumps_of(markers: np.ndarray, shortest: float = SHORTEST_JUMP) -> np.ndarray:
    """Leap (T, K, 3) m of every marker as it arrives in a frame: its step less the median of those around; else zero.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        shortest: m; below this it is no leap.
    """
    leaps = np.zeros_like(markers)
    if len(markers) < 3:
        return leaps
    step = np.diff(markers, axis=0, prepend=np.nan)
    with np.errstate(invalid="ignore"):
        uneven = (np.linalg.norm(np.diff(step, axis=0), axis=2) > shortest).any(axis=0)
    for k in np.flatnonzero(uneven):
        padded = np.pad(step[:, k], ((3, 3), (0, 0)), constant_values=np.nan)
        around = np.stack([padded[3 + shift : 3 + shift + len(step)] for shift in _AROUND])
        usual = np.ma.median(np.ma.masked_invalid(around), axis=0).filled(np.nan)
        leap = step[:, k] - usual
        with np.errstate(invalid="ignore"):
            leaps[:, k] = np.where(np.linalg.norm(leap, axis=1)[:, None] > shortest, leap, 0.0)
    return leaps


def label_order(markers: np.ndarray) -> np.ndarray:
    """For every frame and label, the label (T, K) under which its marker is found, where labels change places midway.

    Labels change places where they leap in one frame, each onto the path of another one of them. Which of the orders
    is the right one, the paths cannot tell: it is taken to be that of most frames.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
    """
    count = markers.shape[1]
    order = np.tile(np.arange(count), (len(markers), 1))
    leaps = jumps_of(markers)
    leaping = (leaps != 0.0).any(axis=2)
    for t in np.flatnonzero(leaping.sum(axis=1) > 1):
        who = np.flatnonzero(leaping[t])
        path = markers[t, who] - leaps[t, who]  # where each should have arrived
        apart = np.linalg.norm(markers[t, who][:, None] - path[None], axis=2)
        onto = {int(i): int(j) for i, j in zip(who, who[apart.argmin(axis=1)], strict=True)}
        onto = {i: onto[i] for i, near in zip(onto, apart.min(axis=1) < 0.5 * SHORTEST_JUMP, strict=True) if near}
        while set(onto) != set(onto.values()):  # only labels that change places among themselves
            onto = {i: j for i, j in onto.items() if j in onto and i in onto.values()}
        arriving = {path: column for column, path in onto.items()}
        order[t:] = [arriving.get(int(column), int(column)) for column in order[t]]
    kinds, counts = np.unique(order, axis=0, return_counts=True)
    return order[:, np.argsort(kinds[np.argmax(counts)])]


def off_trajectory(markers: np.ndarray, shortest: float = SHORTEST_JUMP) -> np.ndarray:
    """Frames (T, K) in which a marker is off its path: it leapt away, and has not leapt back yet.

    Its path is the one that holds most of its frames. A gap may end an excursion: after it, the marker counts as back
    where that fits the step across the gap better.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        shortest: m; below this it is no leap.
    """
    leaps = jumps_of(markers, shortest)
    away = np.zeros(markers.shape[:2], dtype=bool)
    for k in np.flatnonzero((leaps != 0.0).any(axis=(0, 2))):
        seen = np.flatnonzero(np.isfinite(markers[:, k]).all(axis=1))
        track = markers[seen, k]
        jump = leaps[seen, k].copy()
        offset = np.zeros(3)
        offsets = np.zeros_like(track)
        for i in range(1, len(seen)):
            if seen[i] - seen[i - 1] > 1 and offset.any():
                around = np.diff(track[max(i - 2, 0) : i + 2], axis=0) / np.diff(seen[max(i - 2, 0) : i + 2])[:, None]
                pace = np.delete(around, min(i, 2) - 1, axis=0)
                across = track[i] - track[i - 1] - (seen[i] - seen[i - 1]) * (pace.mean(axis=0) if len(pace) else 0.0)
                jump[i] = -offset if np.linalg.norm(across + offset) < np.linalg.norm(across) else 0.0
            # A marker that stood still, or followed another, while it was away leaps back from elsewhere.
            back = max(0.5 * shortest, float(np.linalg.norm(offset)) / 3.0)
            offset = offset + jump[i]
            offset = np.where(np.linalg.norm(offset) < back, 0.0, offset)
            offsets[i] = offset
        kinds, kind, count = np.unique(offsets, axis=0, return_inverse=True, return_counts=True)
        alike = np.linalg.norm(kinds[:, None] - kinds[None], axis=2) < shortest
        usual = int(np.argmax(alike @ count))
        away[seen, k] = ~alike[usual][kind.ravel()]
    return away
