"""Compiled operations on lower triangles of symmetric matrices."""

from pipeline.skeleton.compiling import kernel


@kernel
def add_lower(total, columns, values):
    """Add a lower triangle (c, c) at increasing rows and columns (c,) of a lower triangle (n, n)."""
    for j in range(len(columns)):
        for i in range(j, len(columns)):
            total[columns[i], columns[j]] += values[i, j]


@kernel
def mirror_lower(matrix):
    """Copy the lower triangle of a matrix (n, n) to the upper one, in square blocks, which stay in the cache."""
    n, size = len(matrix), 32
    for first in range(0, n, size):
        for second in range(first, n, size):
            for j in range(first, min(first + size, n)):
                for i in range(max(second, j + 1), min(second + size, n)):
                    matrix[j, i] = matrix[i, j]
