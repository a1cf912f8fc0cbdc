"""Filling short gaps in marker trajectories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.interpolate import CubicSpline

from pipeline.signals.runs import frame_ranges, runs_of
from pipeline.trial import Note


def fill_gaps(
    markers: np.ndarray, names: Sequence[str], rate: float, longest: float
) -> tuple[np.ndarray, np.ndarray, tuple[Note, ...]]:
    """Fill gaps of at most ``longest`` seconds by a cubic spline through the frames seen around them.

    Args:
        markers: (T, K, 3) m, NaN where missing.
        names: the K marker names, for the notes.
        rate: Hz.
        longest: s; longer gaps, and gaps at the ends of a trajectory, stay missing.

    Returns:
        The filled copy (T, K, 3), a mask (T, K) of filled frames, and one note for each marker that has gaps.
    """
    filled = np.array(markers, dtype=float)
    mask = np.zeros(filled.shape[:2], dtype=bool)
    notes: list[Note] = []
    for k, name in enumerate(names):
        missing = ~np.isfinite(filled[:, k]).all(axis=1)
        seen = np.flatnonzero(~missing)
        if not missing.any():
            continue
        if not len(seen):
            notes.append(Note("warning", f"marker {name}", "not seen in any frame"))
            continue
        gaps = runs_of(missing)
        inner = (gaps[:, 0] > 0) & (gaps[:, 1] < len(filled))
        short = inner & (gaps[:, 1] - gaps[:, 0] <= round(longest * rate)) & (len(seen) >= 4)
        for start, stop in gaps[short]:
            mask[start:stop, k] = True
        if mask[:, k].any():
            frames = np.flatnonzero(mask[:, k])
            filled[frames, k] = CubicSpline(seen, filled[seen, k])(frames)
            notes.append(Note("filled", f"marker {name}", f"spline over frames {frame_ranges(gaps[short])}"))
        if (~short).any():
            where = frame_ranges(gaps[~short])
            reason = f"missing in frames {where}: at an end or longer than {longest:g} s, not filled"
            notes.append(Note("warning", f"marker {name}", reason))
    return filled, mask, tuple(notes)
