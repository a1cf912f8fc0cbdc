"""Axes and powers of joint loads: identities of work and energy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.errors import DynamicsError
from pipeline.math3d import cardan_angles
from pipeline.newton_euler import assemble, in_axes, joint_force_G, joint_moment_G, joint_power, solve

GRAVITY = np.array([0.0, -9.81, 0.0])


def test_powers_of_joints_gravity_and_ground_make_the_rate_of_kinetic_energy(leg, ground, time):
    """Energy balance of the leg, an independent check of every sign.

    The rate of kinetic energy is taken from the energy itself by a five-point difference (h = 1 ms: truncation
    h^4/30 times the fifth derivative; the energy's highest harmonics are near 14 rad/s: 3e-14 * 14^5 * 10 J, 2e-7 W).
    """
    segments = leg.states(time)
    total = solve(assemble(segments, ground, GRAVITY)).total
    foot, shank, thigh = segments
    moments = [joint_moment_G(total, k, s.R_GS) for k, s in enumerate(segments)]
    power = joint_power(moments[0], foot.omega_G - shank.omega_G)
    power += joint_power(moments[1], shank.omega_G - thigh.omega_G)
    power += joint_power(moments[2], thigh.omega_G)
    moving = list(reversed(leg.at(time)))
    power += np.sum(joint_force_G(total, 2) * moving[2].joint_velocity, axis=1)
    power += sum(s.mass * (s.com_velocity @ GRAVITY) for s in moving)
    at_com = ground.about(foot.com_G)
    power += np.sum(at_com.force_G * moving[0].com_velocity + at_com.moment_G * foot.omega_G, axis=1)

    h = 1e-3
    energy = [leg.kinetic_energy(time + k * h) for k in (-2, -1, 1, 2)]
    rate = (energy[0] - 8 * energy[1] + 8 * energy[2] - energy[3]) / (12 * h)
    assert np.ptp(rate) > 20.0  # there is something to balance
    np.testing.assert_allclose(power, rate, atol=1e-5)


@pytest.fixture
def pose(rng):
    R = Rotation.random(60, random_state=11).as_matrix()
    return rng.normal(size=(30, 3)), R[:30], R[30:]


def test_global_distal_and_proximal_components_describe_one_vector(pose):
    moment_G, R_GP, R_GD = pose
    for axes, R in (("proximal", R_GP), ("distal", R_GD)):
        back = np.einsum("tij,tj->ti", R, in_axes(moment_G, axes, R_GP, R_GD))
        np.testing.assert_allclose(back, moment_G, atol=1e-13)
    np.testing.assert_array_equal(in_axes(moment_G, "global", R_GP, R_GD), moment_G)


def test_a_moment_about_a_segments_own_axis_has_one_component_there():
    """A flexed knee: 10 Nm about the shank's y axis is purely about y in distal axes, not in proximal ones."""
    flexed = Rotation.from_euler("x", 0.5).as_matrix()[None]
    moment_G = 10.0 * flexed[:, :, 1]
    np.testing.assert_allclose(in_axes(moment_G, "distal", np.eye(3)[None], flexed), [[0, 10, 0]], atol=1e-14)
    assert abs(in_axes(moment_G, "proximal", np.eye(3)[None], flexed)[0, 2]) == pytest.approx(10 * np.sin(0.5))


def test_moments_about_joint_axes_times_the_rates_of_the_joint_angles_are_the_power(rng):
    """The joint's three axes are not orthogonal; what makes projections on them right is that they do the work.

    omega of distal in proximal is the sum of each Cardan rate (z, x, y) along its axis, so the power is the sum of
    projection times rate. Rates by a central difference of h = 1e-5 rad: truncation 1e-10.
    """
    R_GP = Rotation.random(40, random_state=4).as_matrix()
    R_PD = Rotation.from_euler("ZXY", rng.uniform(-1.2, 1.2, (40, 3))).as_matrix()
    omega_P, moment_G, h = rng.normal(size=(40, 3)), rng.normal(size=(40, 3)), 1e-5
    step = Rotation.from_rotvec(h * omega_P).as_matrix()
    rates = (cardan_angles(step @ R_PD, "zxy") - cardan_angles(np.swapaxes(step, 1, 2) @ R_PD, "zxy")) / (2 * h)
    x, y, z = in_axes(moment_G, "joint", R_GP, R_GP @ R_PD).T
    power = joint_power(moment_G, np.einsum("tij,tj->ti", R_GP, omega_P))
    np.testing.assert_allclose(z * rates[:, 0] + x * rates[:, 1] + y * rates[:, 2], power, atol=1e-7)
    # The same sum over orthogonal axes fails: the test can tell the two apart.
    x, y, z = in_axes(moment_G, "distal", R_GP, R_GP @ R_PD).T
    assert np.max(np.abs(z * rates[:, 0] + x * rates[:, 1] + y * rates[:, 2] - power)) > 0.1


def test_a_joint_that_turns_with_its_moment_generates_power():
    assert joint_power(np.array([[0.0, 0.0, -100.0]]), np.array([[0.0, 0.0, -2.0]])) == pytest.approx(200.0)


def test_unknown_axes_are_refused():
    with pytest.raises(DynamicsError, match=r"no axes 'sideways' .*Give one of distal, proximal, joint, global"):
        in_axes(np.zeros((1, 3)), "sideways", np.eye(3)[None], np.eye(3)[None])
