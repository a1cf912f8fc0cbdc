"""Bands of curves that are not linear: coverage of known truths by Monte Carlo, points of the ball, and hand values."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.config import UncertaintySettings
from pipeline.uncertainty.body_errors import body_errors
from pipeline.uncertainty.profile_band import main_derivatives, profile_band
from tests.uncertainty.test_bands import Quadratic, as_kind, quadratic, shifts_mm

PRODUCT = np.array([[0.0, 1.0], [1.0, 0.0]])
"""Hessian of a product of two factors."""


@pytest.mark.parametrize(("angle", "symmetric"), [(0.0, 98.1), (20.0, 92.2), (45.0, 89.7)])
def test_bands_of_a_product_cover_its_truth_whatever_its_true_factors(angle, symmetric):
    """Curves (a + x)(b + y) of errors x and y, whose gradient (b, a) has that angle. 95 % of 10 000 estimates are
    covered within 0.9, four times their sampling error. Symmetric bands of 1.96 standard deviations, without what they
    count twice, cover nearly all where one factor is zero, and too few where both are alike."""
    rng = np.random.default_rng(7)
    g, H = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]), 0.3 * PRODUCT
    x = rng.standard_normal((2, 10_000))
    error = g @ x + 0.3 * x[0] * x[1]
    gradient = g[:, None] + H @ x
    squares, second = np.sum(gradient**2, axis=0), 0.3**2
    below, above = profile_band(np.sqrt(np.maximum(squares - second, 0.0)), gradient, H[:, :, None] * np.ones(10_000))
    covered = 100.0 * np.mean((error <= below) & (-error <= above))
    assert covered == pytest.approx(95.0, abs=0.9)
    half = 1.96 * np.sqrt(squares - np.minimum(second, 0.5 * squares))
    assert 100.0 * np.mean(np.abs(error) <= half) == pytest.approx(symmetric, abs=0.9)


def test_bands_of_linear_curves_are_1_96_standard_deviations_to_both_sides():
    """Also where the body's errors are all or nothing of it, and where nothing varies."""
    gradient = np.array([[3.0, 0.0, 1.0, 0.0], [4.0, 0.0, 1.0, 0.0]])
    sd = np.array([5.0, 2.0, 4.0, 0.0])
    for reach in profile_band(sd, gradient, np.zeros((2, 2, 4))):
        np.testing.assert_allclose(reach, 1.96 * sd, rtol=1e-9, atol=1e-12)


def test_a_square_reaches_further_on_its_steep_side_and_not_below_its_minimum():
    """x + x^2 / 10 around x = 0: up to 1.96 + 0.384, down to -1.96 + 0.384. x + x^2 / 2: down to its minimum, -0.5.
    Half the squared second derivative is what the squared gradient has too much."""
    curvature = np.array([0.2, 1.0])
    below, above = profile_band(np.sqrt(1.0 - 0.5 * curvature**2), np.ones((1, 2)), curvature[None, None])
    np.testing.assert_allclose(above, 1.96 + 0.5 * curvature * 1.96**2, rtol=1e-6)
    np.testing.assert_allclose(below, [1.96 - 0.1 * 1.96**2, 0.5], rtol=1e-6)


def test_no_errors_within_the_radius_pass_the_band_and_some_reach_it():
    """Random curves of three errors and a linear part, against 4000 points of the sphere: the best is within 4 %."""
    rng = np.random.default_rng(3)
    g, H = rng.standard_normal((3, 30)), 0.3 * rng.standard_normal((3, 3, 30))
    H = H + H.swapaxes(0, 1)
    sd = np.full(30, 4.0)
    linear = np.sqrt(sd**2 + 0.5 * np.sum(H**2, axis=(0, 1)) - np.sum(g**2, axis=0))
    points = rng.standard_normal((4000, 4))
    points *= 1.96 / np.linalg.norm(points, axis=1, keepdims=True)
    x, y = points[:, :3], points[:, 3:]
    change = x @ g + 0.5 * np.einsum("pi,ijn,pj->pn", x, H, x) + y * linear
    below, above = profile_band(sd, g, H)
    for reach, best in ((above, change.max(axis=0)), (below, -change.min(axis=0))):
        assert (best <= reach).all()
        np.testing.assert_allclose(best, reach, rtol=0.04)


def test_the_main_derivatives_of_a_quadratic_curve_are_its_own_in_orthogonal_directions(recorded):
    """With as many errors as directions, length of gradient, trace and sum of squares of second derivatives are those
    of the curve, and so is the second derivative along the gradient."""
    walk = as_kind(Quadratic, recorded)
    errors = list(
        body_errors(walk.marker_set, walk.attached_to, walk.kinematics.calibration.values, UncertaintySettings())
    )[:6]
    of_errors = np.array([shifts_mm(walk, error) for error in errors])
    gradient, hessian = quadratic(of_errors.shape[1])
    g, H = of_errors @ gradient, of_errors @ hessian @ of_errors.T
    changes = np.array([walk.curves(walk.with_body_error(error)) for error in errors]) - walk.mean_curves
    ones = np.ones_like(walk.mean_curves)
    found, second = main_derivatives(walk, errors, changes, ones, ones)
    at = tuple(np.argwhere(np.isfinite(walk.mean_curves))[0])
    g_m, H_m = found[(slice(None), *at)], second[(slice(None), slice(None), *at)]
    assert g_m @ g_m == pytest.approx(g @ g)
    assert np.trace(H_m) == pytest.approx(np.trace(H))
    assert np.sum(H_m**2) == pytest.approx(np.sum(H**2))
    assert g_m @ H_m @ g_m == pytest.approx(g @ H @ g)
