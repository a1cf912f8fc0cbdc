"""The chain rule over the list of non-zeros, compiled: the one loop of the transcription that numpy does slowly."""

import numba


@numba.njit(cache=True)
def accumulate(total, part, start, joint, column, weights):  # type: ignore[no-untyped-def]
    """Add ``part[k, :, joint] * weight`` to ``total[k, :, column]`` for every entry of every node."""
    n_rows = part.shape[1]
    for k in range(total.shape[0]):
        for r in range(n_rows):
            row, source = total[k, r], part[k, r]
            for e in range(start[k], start[k + 1]):
                row[column[e]] += source[joint[e]] * weights[e]
