"""Frozen markers: positions that repeat to the last digit while the body moves are not measured and become gaps.

Software that loses a marker may hold its last position. Measured positions of a moving body do not repeat, unless they
are stored as integers: then a stationary foot repeats too, and only a position that ends with a jump counts as frozen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.signals.runs import frame_ranges, runs_of
from pipeline.trial import Note

MIN_FRAMES = 3
"""Minimum number of frames at one position that counts as frozen."""

MAX_REPEATED = 1e-4
"""Share of positions repeated just once, by chance: up to this share the recording's digits are fine enough to
distinguish frozen from stationary. Integers repeat more often."""

MIN_JUMP = 0.01
"""m; minimum distance in one frame by which a marker with coarse digits leaves its frozen position; a foot starts more
slowly."""

MIN_MOTION = 0.02
"""m; median range of the other markers above which the body moves; standing subjects stay below."""


def remove_frozen(markers: np.ndarray, names: Sequence[str], rate: float) -> tuple[np.ndarray, tuple[Note, ...]]:
    """Markers (T, K, 3) with frozen positions missing, except the first of each; and a note on each such marker.

    Args:
        markers: (T, K, 3) m; NaN where not seen.
        names: the K marker names, for the notes.
        rate: Hz, for the notes.
    """
    frozen = frozen_frames(markers)
    notes = [
        Note(
            "warning",
            f"marker {name}",
            f"keeps one position to the last digit in frames {frame_ranges(runs_of(own))} ({own.sum() / rate:.2f} s) "
            "while the other markers move, probably because the software held its last position: these frames are "
            "taken as a gap; fill the gap in the recording software",
        )
        for name, own in zip(names, frozen.T, strict=True)
        if own.any()
    ]
    return np.where(frozen[:, :, None], np.nan, markers), tuple(notes)


def frozen_frames(markers: np.ndarray) -> np.ndarray:
    """Frames (T, K) in which a marker repeats its previous position, in runs of `MIN_FRAMES` or more frames."""
    frozen = np.zeros(markers.shape[:2], dtype=bool)
    seen = np.isfinite(markers).all(axis=2)
    repeated = np.zeros_like(frozen)
    repeated[1:] = (markers[1:] == markers[:-1]).all(axis=2)
    fine = _repeated_once(repeated) <= MAX_REPEATED * seen.sum()
    suspects = [k for k in range(markers.shape[1]) if _longest(repeated[:, k]) >= MIN_FRAMES - 1]
    for k in suspects:
        others = [j for j in range(markers.shape[1]) if j not in suspects] or [j for j in range(len(seen[0])) if j != k]
        if not _move(markers[:, others], seen[:, others]):
            continue
        for start, stop in runs_of(repeated[:, k]):
            if stop - start >= MIN_FRAMES - 1 and (fine or _ends_in_a_jump(markers[:, k], stop)):
                frozen[start:stop, k] = True
    return frozen


def _repeated_once(repeated: np.ndarray) -> int:
    """Number of isolated repetitions in a mask (T, K)."""
    around = np.pad(repeated, ((1, 1), (0, 0)))
    return int((repeated & ~around[:-2] & ~around[2:]).sum())


def _longest(repeated: np.ndarray) -> int:
    runs = runs_of(repeated)
    return int((runs[:, 1] - runs[:, 0]).max(initial=0))


def _move(markers: np.ndarray, seen: np.ndarray) -> bool:
    """Whether most markers (T, K, 3) move."""
    ranges = [np.linalg.norm(np.ptp(markers[own, k], axis=0)) for k, own in enumerate(seen.T) if own.any()]
    return bool(ranges) and float(np.median(ranges)) > MIN_MOTION


def _ends_in_a_jump(track: np.ndarray, stop: int) -> bool:
    """Whether the marker (T, 3) jumps in the frame after the run, or is frozen to the end of the recording."""
    return stop >= len(track) or bool(np.linalg.norm(track[stop] - track[stop - 1]) > MIN_JUMP)
