"""The order of a sweep: each walk starts from the nearest one that is solved already."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def next_of_sweep(places: np.ndarray, solved: Iterable[int], open_: Iterable[int]) -> tuple[int, int | None]:
    """The walk to solve next, and the solved one to start it from.

    The first is the one nearest to the middle of the sweep, where walking is easiest; then always the one nearest to
    any that is solved. Distances are those of the logarithms: a tenth more speed counts like a tenth more length.

    Args:
        places: (N, d) speed and step length of all walks of the sweep.
        solved: indices of the walks that are solved.
        open_: indices of those that are neither solved nor given up; at least one.

    Returns:
        Index of the next walk, and that of its start, None where nothing is solved yet. Ties go to the lower index.
    """
    scaled = np.log(places)
    left, done = sorted(open_), sorted(solved)
    if not done:
        to_middle = np.linalg.norm(scaled[left] - scaled.mean(axis=0), axis=1)
        return left[int(np.argmin(np.round(to_middle, 12)))], None
    # Rounded, so that ties are ties on every machine.
    apart = np.round(np.linalg.norm(scaled[left][:, None] - scaled[done][None], axis=2), 12)
    row, column = np.unravel_index(int(np.argmin(apart)), apart.shape)
    return left[int(row)], done[int(column)]
