"""Runs of consecutive frames between gaps: their frame ranges, and functions applied to each run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np


def runs_of(mask: np.ndarray) -> np.ndarray:
    """Return (N, 2) start and stop (exclusive) of every run of True in ``mask`` (T,)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], np.asarray(mask, dtype=bool), [False]]).astype(np.int8)))
    return edges.reshape(-1, 2)


def frame_ranges(runs: np.ndarray) -> str:
    """Runs (N, 2) as text, such as "3-7, 12": frames counted from 1, both ends included."""
    return ", ".join(f"{start + 1}-{stop}" if stop - start > 1 else f"{stop}" for start, stop in runs)


def blocks(frames: int, size: int = 500) -> Iterator[slice]:
    """Slices that cover all frames, for computations whose intermediate values would not fit in memory at once."""
    return (slice(start, min(start + size, frames)) for start in range(0, frames, size))


def apply_per_run(
    data: np.ndarray,
    function: Callable[[np.ndarray], np.ndarray],
    min_length: int,
    results: tuple[int, ...] = (),
) -> np.ndarray:
    """Apply ``function`` to every run of complete frames of every item; runs shorter than ``min_length`` become NaN.

    Args:
        data: (T,) or (T, n), one item with n components that are missing together; or (T, K, ...), K items (markers)
            treated separately, so that a missing one does not affect another. NaN where missing.
        function: maps an array (L, ...) to one of shape ``(*results, L, ...)``.
        min_length: minimum number of frames for ``function``.
        results: leading dimensions of the array that ``function`` returns, if it stacks several results.

    Returns:
        ``(*results, T, ...)`` float array.
    """
    data = np.asarray(data, dtype=float)
    if data.size == 0:
        return np.empty((*results, *data.shape))
    items = data.reshape(len(data), data.shape[1] if data.ndim > 2 else 1, -1)
    seen = np.isfinite(items).all(axis=2)
    out = np.full((*results, *items.shape), np.nan)
    together: dict[bytes, list[int]] = {}  # groups of items that are missing in the same frames
    for item, frames in enumerate(seen.T):
        together.setdefault(frames.tobytes(), []).append(item)
    for members in together.values():
        for start, stop in runs_of(seen[:, members[0]]):
            if stop - start >= min_length:
                out[..., start:stop, members, :] = function(items[start:stop, members])
    return out.reshape(*results, *data.shape)
