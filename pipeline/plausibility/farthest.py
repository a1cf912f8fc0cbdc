"""Steps of a walk against its other steps: the farthest first, then the others without it.

One wrong step moves the median of the others; taken out, it leaves these as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def farthest_first(
    count: int, apart: Callable[[int, Sequence[int]], T], size: Callable[[T], float]
) -> Iterator[tuple[int, T]]:
    """Each step that differs most from those left, with its difference; the last one has no other.

    Args:
        count: of steps.
        apart: the difference of a step from others, by their numbers.
        size: of a difference.
    """
    left = list(range(count))
    while len(left) > 1:
        found = {n: apart(n, [other for other in left if other != n]) for n in left}
        farthest = max(left, key=lambda n: size(found[n]))
        left.remove(farthest)
        yield farthest, found[farthest]
