"""Passive joint moments against values worked by hand from the paper's equations, and their slopes by differences."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.skeleton import PASSIVE_JOINTS, passive_moments

POSTURES = np.radians([[0, 0, 0], [-15, 5, 10], [30, 60, -20], [10, 40, 15], [-5, 2, -30]])


def test_standing_by_hand() -> None:
    """At zero angles only the first numbers of the exponents count. Hip: e^1.4655 - e^1.3403 + 8.072 = 4.3297 - 3.8202
    + 8.072 = 8.582; knee: e^1.8 - e^-3.971 - 4.82 + e^2.22 = 6.0496 - 0.0189 - 4.82 + 9.2073 = 10.418; ankle, positive
    toes up: -(e^2.1016 - e^-7.9763 - 1.792) = -(8.1792 - 0.0003 - 1.792) = -6.387 Nm."""
    np.testing.assert_allclose(passive_moments(np.zeros(3))[0], [8.582, 10.418, -6.387], atol=2e-3)


def test_late_stance_by_hand() -> None:
    """Hip 15 degrees extended, knee 5 flexed, ankle 10 dorsiflexed, so -10 in the paper.

    Hip: e^(1.4655 - 0.017 + 1.125) - e^(1.3403 - 0.113 - 0.4575) + 8.072 = 13.110 - 2.159 + 8.072 = 19.023; knee:
    e^(1.8 + 0.46 - 0.176 - 0.3255) - e^(-3.971 + 0.004 + 0.2475 + 0.192) - 4.82 + e^(2.22 - 0.75) = 5.804 - 0.029
    - 4.82 + 4.349 = 5.304; ankle: -(e^(2.1016 + 0.843 - 0.088) - e^(-7.9763 - 1.949 + 0.004) - 1.792) = -15.615 Nm."""
    found, _ = passive_moments(np.radians([-15.0, 5.0, 10.0]))
    np.testing.assert_allclose(found, [19.02, 5.304, -15.61], atol=1e-2)


def test_slopes_are_the_derivatives() -> None:
    """By central differences of 1e-5 rad, whose error is the third derivative (below 1e5 Nm/rad^3) times 2e-11."""
    _, slope = passive_moments(POSTURES)
    assert slope.shape == (5, 3, 3)
    for k, step in enumerate(1e-5 * np.eye(3)):
        difference = (passive_moments(POSTURES + step)[0] - passive_moments(POSTURES - step)[0]) / 2e-5
        np.testing.assert_allclose(slope[..., k], difference, atol=1e-5)
    assert np.abs(slope).max() > 10


@pytest.mark.parametrize("joint", range(len(PASSIVE_JOINTS)))
def test_joints_resist_their_own_rotation(joint: int) -> None:
    """Passive structures resist: more flexion of a joint never adds to its own flexing moment."""
    assert (passive_moments(POSTURES)[1][:, joint, joint] < 0).all()


def test_what_crosses_two_joints_couples_them() -> None:
    """A stretched calf holds the ankle less with a flexed knee; rectus femoris resists knee flexion more with an
    extended hip."""
    straight, bent = passive_moments(np.radians([[0.0, 0.0, 15.0], [0.0, 60.0, 15.0]]))[0]
    assert straight[2] < bent[2] - 10 < 0
    flexed, extended = passive_moments(np.radians([[30.0, 90.0, 0.0], [-15.0, 90.0, 0.0]]))[0]
    assert extended[1] < flexed[1] < 0


def test_unknown_angles_stay_unknown() -> None:
    found, _ = passive_moments(np.array([[np.nan, 0.1, 0.1], [0.0, 0.1, 0.1]]))
    assert np.isnan(found[0, 0])
    assert np.isfinite(found[1]).all()
