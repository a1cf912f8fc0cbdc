"""Steps of a walk compared with its other steps: the farthest first, then the remaining ones without it.

One wrong step moves the median of the others; once it is taken out, they are compared correctly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np


class Steps:
    """Values of steps that are taken out one by one; they are sorted once, not again for each median.

    Args:
        values: (S, ...) finite, one for each step.
    """

    def __init__(self, values: np.ndarray) -> None:
        self.left = np.arange(len(values))
        self._values = values.reshape(len(values), math.prod(values.shape[1:]))
        self._shape = values.shape[1:]
        order = np.argsort(self._values, axis=0, kind="stable")
        self._rank = np.argsort(order, axis=0, kind="stable")
        self._sorted = np.take_along_axis(self._values, order, axis=0)

    def from_others(self) -> np.ndarray:
        """(L, ...) of each remaining step: its value minus the median of the others."""
        others = len(self.left) - 1
        middle = {(others - 1) // 2, others // 2}
        of_others = [np.where(self._rank > k, self._sorted[k], self._sorted[k + 1]) for k in middle]
        return (self._values[self.left] - np.mean(of_others, axis=0)).reshape(len(self.left), *self._shape)

    def take(self, number: int) -> None:
        """Take out the step at this place among the remaining ones."""
        rank, stay = self._rank[number], np.arange(len(self.left)) != number
        keep = np.arange(len(self.left))[:, None] != rank
        self._sorted = self._sorted.T[keep.T].reshape(len(rank), -1).T
        self._rank = self._rank[stay] - (self._rank[stay] > rank)
        self.left = self.left[stay]


def farthest_first(
    values: np.ndarray, size: Callable[[np.ndarray], np.ndarray], signs: np.ndarray | None = None
) -> Iterator[tuple[int, np.ndarray]]:
    """Each step that differs most from the remaining ones, with its difference; the last step has none to compare with.

    Args:
        values: (S, ...) finite, one for each step.
        size: (L,) sizes of differences (L, ...).
        signs: (S,) if steps of opposite sign may have opposite values: the smaller difference counts.
    """
    same = Steps(values)
    mirrored = None if signs is None else Steps(signs * values)
    while len(same.left) > 1:
        left, found = same.left, same.from_others()
        if mirrored is not None and signs is not None:
            other = signs[left] * mirrored.from_others()
            found = np.where(size(other) < size(found), other, found)
        place = int(size(found).argmax())
        yield int(left[place]), found[place]
        for kind in (same, mirrored):
            if kind is not None:
                kind.take(place)
