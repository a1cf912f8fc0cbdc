"""Belts of a treadmill: a foot at rest on one moves back in the laboratory at the belt's speed."""

import numpy as np
import pytest

from pipeline.signals import Foot
from pipeline.signals.belts import backward_speed, belt_travel

TIME = np.linspace(0.0, 0.5, 51)
RESTING = np.array([0.9, 0.04, -0.1])


@pytest.mark.parametrize("speed", [0.0, 1.3])
def test_travel_brings_a_point_that_rests_on_a_belt_to_rest(speed):
    on_belt = RESTING - speed * TIME[:, None] * [1.0, 0.0, 0.0]
    np.testing.assert_allclose(on_belt + belt_travel(speed, TIME), np.tile(RESTING, (51, 1)), atol=1e-12)
    foot = Foot(on_belt, on_belt + np.array([0.2, 0.0, 0.0]))
    assert backward_speed(foot, TIME, 0.1, 0.4) == pytest.approx(speed)
