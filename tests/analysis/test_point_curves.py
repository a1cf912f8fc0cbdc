"""Curves of points of the body: one entry of the registry, the same of a measured and of a predicted walk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, gait_cycles, predicted_cycle
from pipeline.analysis.cycles import points_over_time
from pipeline.analysis.variables.points import speed
from tests.analysis.predicted_walks import hand_made_walk

TIME = np.linspace(0.0, 1.0, 201)


def test_the_speed_of_a_point_on_a_turning_wheel_that_rolls() -> None:
    """A cycloid: at angle a from its contact a point of the rim moves at 2 v sin(a / 2) in closed form."""
    v, r = 1.3, 0.45
    a = v / r * TIME
    rim = np.column_stack([r * (a - np.sin(a)), r * (1.0 - np.cos(a)), 0.0 * a])
    np.testing.assert_allclose(speed(TIME, rim), 2.0 * v * np.abs(np.sin(0.5 * a)), atol=2e-3 * v)


def test_a_walk_without_the_point_has_no_curve() -> None:
    assert points_over_time("left", TIME, {"right_heel": np.zeros((201, 3))}) == {}
    assert "heel_speed" in points_over_time("right", TIME, {"right_heel": np.zeros((201, 3))})


def test_the_heel_of_the_demo_stands_in_mid_stance_and_swings_past_at_thrice_the_walking_speed(demo_legs) -> None:
    cycles = gait_cycles(demo_legs.kinematics, demo_legs.loads).cycles
    for curves in cycles:
        heel = CYCLE_VARIABLES["heel_speed"].of(curves)
        walking = curves.parameters["speed"]
        assert heel[15:30].max() < 0.25 * walking
        assert 2.0 * walking < heel[60:].max() < 4.0 * walking
        path = np.trapezoid(heel, PERCENT / 100.0 * curves.parameters["stride_time"])
        assert path > curves.parameters["stride_length"], "no path is shorter than its ends' distance"


def test_the_heel_of_a_predicted_walk_is_read_by_the_same_entry() -> None:
    walk = hand_made_walk()
    of_right = predicted_cycle(walk, "right").of_points["heel_speed"]
    expected = speed(walk.time, walk.points["right_heel"])
    assert of_right[0] == pytest.approx(expected[0])
    shifted = replace(walk, points={name: point + np.array([3.0, 0.1, -2.0]) for name, point in walk.points.items()})
    np.testing.assert_allclose(predicted_cycle(shifted, "right").of_points["heel_speed"], of_right, atol=1e-9)
