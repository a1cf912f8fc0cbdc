"""Compiled chain rule from partial derivatives at the nodes to the design variables, over a list of non-zeros."""

from pipeline.skeleton.compiling import kernel


@kernel
def accumulate(total, part, node, row, start, joint, column, weights):
    """Add ``part[node, row, joint] * weight`` to ``total[:, column]`` for every chosen row and entry of its node."""
    for i in range(total.shape[0]):
        k = node[i]
        out, source = total[i], part[k, row[i]]
        for e in range(start[k], start[k + 1]):
            out[column[e]] += source[joint[e]] * weights[e]
