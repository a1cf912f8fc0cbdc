"""The motion from which the search for a reach begins, and both readings of the angle of a published arm."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.interpolate import BSpline

from pipeline.optimisation import Spline
from pipeline.prediction import prismatic_revolute_skeleton
from pipeline.prediction.arms import ArmProblem


@pytest.mark.parametrize("rate", [None, [0.4, -2.0]])
def test_the_first_guess_goes_from_the_first_pose_to_the_last_with_the_given_rates(rate) -> None:
    begin, end, spline, duration = np.array([0.2, -1.0]), np.array([1.4, 0.5]), Spline.uniform(3, 4), 0.8
    own = SimpleNamespace(begin=begin, end=end, begin_rate=None if rate is None else np.array(rate))
    points = ArmProblem._guess(own, SimpleNamespace(spline=spline, duration=duration))
    curve = BSpline(duration * spline.knots, points, spline.degree)
    np.testing.assert_allclose(curve(0.0), begin, atol=1e-12)
    np.testing.assert_allclose(curve(duration), end, atol=1e-12)
    if rate is None:
        np.testing.assert_allclose(
            np.diff(points, axis=0), np.tile((end - begin) / (len(points) - 1), (len(points) - 1, 1))
        )
    else:
        np.testing.assert_allclose(curve.derivative()(0.0), rate, atol=1e-9)


def test_an_offset_turns_the_second_link_of_the_published_arm_by_a_quarter_of_a_turn() -> None:
    drawn, turned = (prismatic_revolute_skeleton(reading) for reading in ("posture", "offset"))
    np.testing.assert_allclose(turned.theta - drawn.theta, [0.0, 0.5 * np.pi])
    np.testing.assert_array_equal(turned.mass, drawn.mass)
