"""Compiled chain rule from partial derivatives at the nodes to the design variables, over a list of non-zeros."""

from pipeline.skeleton.compiling import kernel


@kernel
def accumulate(total, target, factor, part, node, row, start, column, weights):
    """Add ``factor * part[node, row, joint] * weight`` to ``total[target, column]``.

    The sum is over all chosen rows and, for each, over the non-zeros of its node, which are in the order of joints.
    """
    n = part.shape[2]
    for i in range(len(target)):
        first = node[i] * n
        out, source, by = total[target[i]], part[node[i], row[i]], factor[i]
        for j in range(n):
            value = by * source[j]
            if value != 0.0:  # most quantities depend on few joints
                for e in range(start[first + j], start[first + j + 1]):
                    out[column[e]] += value * weights[e]
