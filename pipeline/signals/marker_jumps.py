"""Correction of marker jumps and swaps: swapped labels are restored, and frames off a marker's trajectory removed.

In walking, body parts accelerate by less than 100 m/s^2, so even at 50 Hz the displacement of a marker from one frame
to the next differs from the displacements around it by less than `MIN_JUMP`. The feet of a runner accelerate more, but
over several frames: their displacement differs by less from the mean of those just before and after it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.signals.runs import frame_ranges, runs_of
from pipeline.trial import Note

MIN_JUMP = 0.04
"""m; minimum difference of a frame-to-frame displacement from those around it that cannot be motion of the body."""

_MAX_ACCELERATION = 100.0
"""m/s^2"""

MIN_SUDDEN = 0.5 * MIN_JUMP
"""m; minimum difference of a jump from the mean of the displacements just before and after it: a jump within two frames
differs by half of its part in each."""

_MAX_JERK = 12000.0
"""m/s^3; largest of the toes of predicted runs at 3 and 4 m/s. No measured run was available. At 50 Hz it hides jumps
below 80 mm beside a gap, and of 0.1 m within two frames; but there a wand of a measured walk, too, swings by 43 mm more
than around it and by 37 mm more than just before and after it, without a jump."""

_NEIGHBOUR_STEPS = (-3, -2, -1, 1, 2, 3)
"""Relative indices of the displacements whose median predicts the one between them."""


def correct_jumps_and_swaps(
    markers: np.ndarray, names: Sequence[str], rate: float
) -> tuple[np.ndarray, tuple[Note, ...]]:
    """Markers (T, K, 3) with swapped labels restored and frames off the trajectory missing; and notes on both.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        names: the K marker names, for the notes.
        rate: Hz.
    """
    order = label_order(markers)
    relabelled = np.take_along_axis(markers, order[:, :, None], axis=1)
    min_jump, min_sudden = jump_limits(rate)
    removed = off_trajectory(relabelled, min_jump, min_sudden)
    notes = []
    for k, name in enumerate(names):
        for label in sorted(set(order[:, k].tolist()) - {k}):
            where = frame_ranges(runs_of(order[:, k] == label))
            text = (
                f"labelled {names[label]} in frames {where}: the labels were swapped there and have been put back to "
                "those of most frames; correct the labelling in the recording software"
            )
            notes.append(Note("warning", f"marker {name}", text))
    longest = np.linalg.norm(jumps_of(relabelled, min_jump, min_sudden), axis=2).max(axis=0, initial=0.0)
    alike: dict[str, list[int]] = {}
    for k in np.flatnonzero(removed.any(axis=0)).tolist():
        alike.setdefault(frame_ranges(runs_of(removed[:, k])), []).append(k)
    for frames, own in alike.items():
        verb, whose, more = ("jump", "their", "s") if len(own) > 1 else ("jumps", "its", "")
        text = (
            f"{verb} by {1000 * longest[own].max():.0f} mm at most from one frame to the next (limit "
            f"{1000 * min_jump:.0f} mm), probably a reflection or another marker; frames {frames} are not used: check "
            f"{whose} labelling there"
        )
        notes.append(Note("warning", f"marker{more} {', '.join(names[k] for k in own)}", text))
    return np.where(removed[:, :, None], np.nan, relabelled), tuple(notes)


def jump_limits(rate: float) -> tuple[float, float]:
    """Smallest jump, m, and smallest difference of a jump from the displacements beside it, at a rate in Hz.

    >>> jump_limits(100.0), jump_limits(50.0)
    ((0.04, 0.02), (0.04, 0.04))
    """
    min_jump = max(MIN_JUMP, _MAX_ACCELERATION / rate**2)
    return min_jump, min(min_jump, max(MIN_SUDDEN, 0.5 * _MAX_JERK / rate**3))


def jumps_of(markers: np.ndarray, min_jump: float = MIN_JUMP, min_sudden: float = MIN_SUDDEN) -> np.ndarray:
    """Jump (T, K, 3) m of every marker into a frame: its displacement minus the median of those around it, or zero.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        min_jump: m; shorter jumps are motion and count as zero.
        min_sudden: m; so do displacements that differ by less from the mean of the two beside them or, at the ends of
            the trial and of gaps, by less than twice as much from the line through two.
    """
    jumps = np.zeros_like(markers)
    if len(markers) < 3:
        return jumps
    step = np.diff(markers, axis=0, prepend=np.nan)
    with np.errstate(invalid="ignore"):
        uneven = (np.linalg.norm(np.diff(step, axis=0), axis=2) > min_jump).any(axis=0)
    for k in np.flatnonzero(uneven):
        padded = np.pad(step[:, k], ((3, 3), (0, 0)), constant_values=np.nan)
        around = np.stack([padded[3 + shift : 3 + shift + len(step)] for shift in _NEIGHBOUR_STEPS])
        expected = np.ma.median(np.ma.masked_invalid(around), axis=0).filled(np.nan)
        two_before, before, after, two_after = around[1:5]
        jump, sudden = step[:, k] - expected, step[:, k] - 0.5 * (before + after)
        for line in (2.0 * before - two_before, 2.0 * after - two_after):  # which motion leaves twice as far
            sudden = np.where(np.isnan(sudden), 0.5 * (step[:, k] - line), sudden)
        with np.errstate(invalid="ignore"):
            found = (np.linalg.norm(jump, axis=1) > min_jump) & ~(np.linalg.norm(sudden, axis=1) <= min_sudden)
        jumps[:, k] = np.where(found[:, None], jump, 0.0)
    return jumps


def label_order(markers: np.ndarray) -> np.ndarray:
    """For every frame and label, the label (T, K) under which its marker is found, if labels are swapped midway.

    Labels are swapped if they jump in one frame, each onto the trajectory of another of them. The trajectories do not
    show which order is right, so that of most frames is taken.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
    """
    count = markers.shape[1]
    order = np.tile(np.arange(count), (len(markers), 1))
    jumps = jumps_of(markers)
    jumping = (jumps != 0.0).any(axis=2)
    for t in np.flatnonzero(jumping.sum(axis=1) > 1):
        columns = np.flatnonzero(jumping[t])
        expected = markers[t, columns] - jumps[t, columns]
        distance = np.linalg.norm(markers[t, columns][:, None] - expected[None], axis=2)
        near = distance.min(axis=1) < 0.5 * MIN_JUMP
        onto = {int(i): int(j) for i, j in zip(columns[near], columns[distance.argmin(axis=1)][near], strict=True)}
        while set(onto) != set(onto.values()):  # keep only labels that are swapped among themselves
            onto = {i: j for i, j in onto.items() if j in onto and i in onto.values()}
        arriving = {trajectory: column for column, trajectory in onto.items()}
        order[t:] = [arriving.get(int(column), int(column)) for column in order[t]]
    kinds, counts = np.unique(order, axis=0, return_counts=True)
    return order[:, np.argsort(kinds[np.argmax(counts)])]


def off_trajectory(markers: np.ndarray, min_jump: float = MIN_JUMP, min_sudden: float = MIN_SUDDEN) -> np.ndarray:
    """Frames (T, K) in which a marker is off its trajectory: between a jump away and the jump back.

    Its trajectory is the one that holds most of its frames. A gap may end an excursion: after it, the marker counts as
    back if that fits the displacement across the gap better.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        min_jump, min_sudden: m; as for `jumps_of`.
    """
    jumps = jumps_of(markers, min_jump, min_sudden)
    off = np.zeros(markers.shape[:2], dtype=bool)
    for k in np.flatnonzero((jumps != 0.0).any(axis=(0, 2))):
        seen = np.flatnonzero(np.isfinite(markers[:, k]).all(axis=1))
        offsets = _offsets(markers[seen, k], jumps[seen, k], seen, min_jump)
        kinds, kind, count = np.unique(offsets, axis=0, return_inverse=True, return_counts=True)
        same = np.linalg.norm(kinds[:, None] - kinds[None], axis=2) < min_jump
        most = int(np.argmax(same @ count))
        off[seen, k] = ~same[most][kind.ravel()]
    return off


def _offsets(track: np.ndarray, jumps: np.ndarray, seen: np.ndarray, min_jump: float) -> np.ndarray:
    """Offset (N, 3) m of a marker from its initial trajectory: the sum of its jumps, zero once it is back.

    Args:
        track, jumps: (N, 3) m, of the frames ``seen``.
        seen: (N,) indices of the frames.
        min_jump: m; shorter jumps are motion.
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
        # A marker that was stationary or followed another in the meantime jumps back from a different position.
        back = max(0.5 * min_jump, float(np.linalg.norm(offset)) / 3.0)
        offset = offset + jump
        offset = np.where(np.linalg.norm(offset) < back, 0.0, offset)
        offsets[i] = offset
    return offsets
