"""Compiled chain rule from partial derivatives at the nodes to the design variables, over a list of non-zeros."""

from pipeline.skeleton.compiling import kernel


@kernel
def accumulate(total, target, factor, part, node, row, start, joint, column, weights):
    """Add ``factor * part[node, row, joint] * weight`` to ``total[target, column]``.

    The sum is over all chosen rows and, for each, over the non-zeros of its node.
    """
    for i in range(len(target)):
        k = node[i]
        out, source, by = total[target[i]], part[k, row[i]], factor[i]
        for e in range(start[k], start[k + 1]):
            value = by * source[joint[e]]
            if value != 0.0:  # most quantities depend on few joints
                out[column[e]] += value * weights[e]
