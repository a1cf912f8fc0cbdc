"""The curves take the values of Thelen (2003), and their slopes are those of finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.muscles.hill import Curves, active_force, force_velocity, passive_force, tendon_force

YOUNG = Curves()


def test_active_force_length() -> None:
    """exp(-(l - 1)^2 / 0.45) by hand: 0.57375 at half the optimal length, 0.91476 at 1.2."""
    force, _ = active_force(YOUNG, np.array([0.5, 1.0, 1.2]))
    np.testing.assert_allclose(force, [0.573753, 1.0, 0.914947], atol=1e-6)


def test_passive_force_is_maximum_isometric_force_at_its_strain() -> None:
    force, slope = passive_force(YOUNG, np.array([0.8, 1.0, 1.3, 1.6]))
    np.testing.assert_allclose(force, [0.0, 0.0, (np.exp(2.5) - 1) / (np.exp(5) - 1), 1.0], rtol=1e-12)
    assert slope[0] == 0.0


def test_tendon_force_is_maximum_isometric_force_at_four_per_cent() -> None:
    """Toe of 0.609 of that strain at a third of the force, then a stiffness of 1.712 over the strain."""
    force, slope = tendon_force(YOUNG, np.array([-0.01, 0.0, 0.609 * 0.04, 0.04, 0.05]))
    np.testing.assert_allclose(force, [0, 0, 0.33, 1.0, 1.0 + 1.712 * 0.25], rtol=2e-3)
    np.testing.assert_allclose(slope[-2:], 1.712 / 0.04, rtol=1e-3)  # published to four digits


def test_force_velocity() -> None:
    """Hill's hyperbola by hand; the slope doubles where the fibre starts to lengthen (Katz 1939)."""
    force, _ = force_velocity(YOUNG, np.array([-1.2, -1.0, -0.5, 0.0]))
    np.testing.assert_allclose(force, [0.0, 0.0, 0.5 / 3.0, 1.0], atol=1e-12)
    _, slope = force_velocity(YOUNG, np.array([-1e-9, 1e-9]))
    np.testing.assert_allclose(slope, [5.0, 10.0], rtol=1e-6)


def test_force_velocity_solves_the_published_equation_for_the_velocity() -> None:
    """v = (F - 1) / b with b of equation 7 at full activation and optimal length."""
    v = np.array([-0.8, -0.3, -0.05, 0.02, 0.1, 0.18])
    F, _ = force_velocity(YOUNG, v)
    b = np.where(F <= 1, 1 + F / 0.25, (2 + 2 / 0.25) * (1.4 - F) / 0.4)
    np.testing.assert_allclose((F - 1) / b, v, atol=1e-12)


def test_beyond_95_per_cent_of_the_eccentric_force_the_curve_goes_on_straight() -> None:
    """F = 1.4 - 0.4 / (1 + 25 v) is 1.33 at v = 0.33 / 1.75, with slope 10 (0.07 / 0.4)^2."""
    last, slope = 0.33 / 1.75, 0.30625
    force, slopes = force_velocity(YOUNG, np.array([last, 0.5, 3.0]))
    np.testing.assert_allclose(force, [1.33, 1.33 + slope * (0.5 - last), 1.33 + slope * (3.0 - last)], rtol=1e-12)
    np.testing.assert_allclose(slopes, slope, rtol=1e-12)


@pytest.mark.parametrize("curve", [active_force, passive_force, force_velocity, tendon_force])
@pytest.mark.parametrize("curves", [YOUNG, Curves.gait2392()])
def test_slopes_are_derivatives(curve, curves: Curves) -> None:
    """Central differences of 1e-6: their error is about 1e-10 times the third derivative, here below 1e-5."""
    scale = curves.tendon_strain if curve is tendon_force else 1.0
    x = scale * np.array([-0.93, -0.41, -0.11, 0.07, 0.36, 0.57, 0.83, 1.13, 1.47, 2.2])
    h = 1e-6 * scale
    numeric = (curve(curves, x + h)[0] - curve(curves, x - h)[0]) / (2 * h)
    np.testing.assert_allclose(curve(curves, x)[1], numeric, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"eccentric_force": 1.0}, "eccentric_force is 1, not above 1"),
        ({"active_width": -0.45}, "active_width is -0.45, not above 0"),
        ({"hill_ratio": 0.0}, "hill_ratio is 0"),
        ({"tendon_strain": np.nan}, "tendon_strain is nan"),
        ({"passive_shape": "5"}, "passive_shape is not an array of numbers"),
    ],
)
def test_parameters_without_curves_are_refused(wrong, message):
    """They gave forces of NaN, or an active force that rises without bound away from the optimal length."""
    with pytest.raises(DynamicsError, match=message):
        Curves(**wrong)
