"""When a muscle is on, of curves whose bursts are known."""

import numpy as np
import pytest

from tests.benchmarks.muscle_activations import active_period


@pytest.mark.parametrize(
    ("bursts", "expected"),
    [
        ([(20, 40, 1.0)], (20, 40)),
        ([(90, 110, 1.0)], (90, 10)),  # across the end of the cycle
        ([(20, 30, 1.0), (34, 40, 1.0)], (20, 40)),  # a pause of 4 %
        ([(20, 30, 1.0), (60, 62, 1.0)], (20, 30)),  # the larger burst
        ([(20, 30, 0.2), (50, 70, 1.0)], (50, 70)),  # below a quarter of the range
    ],
)
def test_the_period_of_the_largest_burst(bursts: list[tuple[int, int, float]], expected: tuple[int, int]) -> None:
    curve = np.full(101, 0.1)
    for start, stop, height in bursts:
        curve[np.arange(start, stop) % 100] += height
    assert active_period(curve) == expected
