"""The chain rule over the list of non-zeros, compiled: the one loop of the transcription that numpy does slowly."""

from pipeline.skeleton.compiling import kernel


@kernel
def accumulate(total, part, start, joint, column, weights):
    """Add ``part[k, :, joint] * weight`` to ``total[k, :, column]`` for every entry of every node."""
    for k in range(total.shape[0]):
        for r in range(part.shape[1]):
            row, source = total[k, r], part[k, r]
            for e in range(start[k], start[k + 1]):
                row[column[e]] += source[joint[e]] * weights[e]
