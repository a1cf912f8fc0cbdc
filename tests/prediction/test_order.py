"""A sweep begins in its middle and then always takes the nearest step from what is solved."""

from __future__ import annotations

import numpy as np

from pipeline.prediction.gait.order import next_of_sweep

# speed, step length: five walks on a line of growing distances, their logarithms 0, 1, 3, 6 and 10 tenths.
LINE = np.exp(0.1 * np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [6.0, 6.0], [10.0, 10.0]]))


def order(places: np.ndarray, failing: frozenset[int] = frozenset()) -> list[tuple[int, int | None]]:
    """The whole sweep, where some walks cannot be solved."""
    solved: list[int] = []
    left = set(range(len(places)))
    done = []
    while left:
        index, start = next_of_sweep(places, solved, left)
        left.remove(index)
        done.append((index, start))
        if index not in failing:
            solved.append(index)
    return done


def test_the_middle_comes_first_and_then_the_nearest_to_any_that_is_solved() -> None:
    # The mean of the logarithms is 4: 3 is nearest to it. From 3: 1 at 2, then 0 at 1 from 1, then 6 at 3, then 10.
    assert order(LINE) == [(2, None), (1, 2), (0, 1), (3, 2), (4, 3)]


def test_a_walk_that_failed_starts_no_other() -> None:
    assert order(LINE, failing=frozenset({2})) == [(2, None), (3, None), (4, 3), (1, 3), (0, 1)]


def test_without_any_solved_each_starts_alone() -> None:
    assert {start for _, start in order(LINE, failing=frozenset(range(5)))} == {None}


def test_the_order_does_not_depend_on_the_units_and_ties_go_to_the_first() -> None:
    grid = np.array([[v, s] for v in (0.8, 1.2, 1.6) for s in (0.5, 0.6)])
    assert order(grid) == order(grid * [3.6, 100.0])
    twice = np.ones((3, 2))
    assert order(twice) == [(0, None), (1, 0), (2, 0)]
