"""Derivatives of quintic splines against analytic functions, with the error that theory gives them."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.signals import angular_derivatives, derivatives
from pipeline.signals.derivatives import DEGREE

RATE = 100.0


def test_polynomials_up_to_the_splines_degree_are_exact_to_the_ends():
    """Rounding: eps * rate^2 amplified by the spline's solve, below 1e-8."""
    t = np.arange(60) / RATE
    p = np.polynomial.Polynomial([0.3, -1.0, 2.0, 0.5, -3.0, 1.2])
    assert p.degree() == DEGREE
    velocity, acceleration = derivatives(p(t), RATE)
    np.testing.assert_allclose(velocity, p.deriv()(t), atol=1e-8)
    np.testing.assert_allclose(acceleration, p.deriv(2)(t), atol=1e-6)


@pytest.mark.parametrize("frequency", [1.0, 3.0, 6.0, 10.0])
def test_the_error_away_from_the_ends_falls_as_the_order_of_the_spline_says(frequency):
    """An interpolating quintic spline on a uniform grid: relative error of order (w h)^6 in the first derivative and
    (w h)^4 in the second at the knots, with constants below 1/100 (Fourier symbol: (w h)^6 / 5040, (w h)^4 / 720).

    The loss is measured in the middle, where end effects, which fall by 0.43 a frame, have died out.
    """
    t = np.arange(400) / RATE
    w = 2 * np.pi * frequency
    velocity, acceleration = derivatives(np.sin(w * t), RATE)
    middle, wh = slice(100, -100), w / RATE
    assert np.max(np.abs(velocity / w - np.cos(w * t))[middle]) < wh**6 / 1000 + 1e-11
    assert np.max(np.abs(acceleration / w**2 + np.sin(w * t))[middle]) < wh**4 / 500 + 1e-9


def test_gaps_bound_the_splines_and_touch_no_other_marker(rng):
    markers = np.cumsum(np.cumsum(rng.normal(size=(100, 3, 3)), axis=0), axis=0)
    expected = derivatives(markers, RATE)
    markers[40:45, 1] = np.nan
    for found, whole in zip(derivatives(markers, RATE), expected, strict=True):
        np.testing.assert_allclose(found[:, [0, 2]], whole[:, [0, 2]], atol=1e-9 * np.max(np.abs(whole)))
        assert np.isnan(found[40:45, 1]).all()
        assert np.isfinite(np.delete(found[:, 1], range(40, 45), axis=0)).all()


def test_a_run_too_short_for_the_spline_is_missing(rng):
    data = rng.normal(size=(20, 3))
    data[5] = np.nan
    velocity, _ = derivatives(data, RATE)
    assert np.isnan(velocity[:6]).all()
    assert np.isfinite(velocity[6:]).all()


def test_angular_velocity_and_acceleration_of_a_precessing_top_are_those_in_the_global_frame():
    """omega = p y + s e, alpha = p y x s e with e the top's axis; e moves at 1 Hz: (2 pi / 100)^4 / 720 of 40 rad/s^2,
    and the entries of R hold s + p = 2 Hz: 16 times as much, 1e-5."""
    p, s, b, t = 2 * np.pi, 2 * np.pi, 0.4, np.arange(300) / RATE
    P = Rotation.from_rotvec(p * t[:, None] * [0, 1, 0])
    R = (P * Rotation.from_rotvec([0, 0, b]) * Rotation.from_rotvec(s * t[:, None] * [0, 1, 0])).as_matrix()
    omega, alpha = angular_derivatives(R, RATE)
    y = np.array([0.0, 1.0, 0.0])
    e = (P * Rotation.from_rotvec([0, 0, b])).apply(y)
    np.testing.assert_allclose(omega[50:-50], (p * y + s * e)[50:-50], atol=1e-6)
    np.testing.assert_allclose(alpha[50:-50], np.cross(p * y, s * e)[50:-50], atol=1e-4)
