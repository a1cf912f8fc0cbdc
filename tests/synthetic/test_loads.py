"""The plain Newton-Euler loop against free-body diagrams worked by hand, and against laws that it does not use."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.math3d import Wrench, angular_motion, rotation_about
from pipeline.synthetic import SegmentMotion
from pipeline.synthetic.curves import FourierSeries
from tests.oracles.segment_loads import SegmentInertia, joint_loads

ZERO = np.zeros((1, 3))


def test_a_leg_at_rest_on_a_force_carries_what_a_free_body_diagram_gives():
    """Shank vertical, 0.4 m, 3 kg at its middle; foot 1 kg at 0.1 m ahead of and 0.05 m below the ankle; g = 10.

    The ground pushes 100 N up and 20 N back at 0.15 m ahead of and 0.1 m below the ankle.

    Ankle: force on the foot = (20, 10 - 100, 0) = (20, -90, 0). Moment about the ankle from outside: the ground's is
    x Fy - y Fx = 0.15*100 - (-0.1)(-20) = 13 Nm, the weight's 0.1*(-10) = -1 Nm: together 12, so the joint gives -12.
    Knee: force = (20, -90 + 30, 0) = (20, -60, 0). On the shank act at the ankle (0.4 m below) minus the ankle's load:
    force (-20, 90), moment +12; its moment about the knee is x Fy - y Fx = -(-0.4)(-20) = -8, so the joint gives -4.
    """
    segments = {
        "shank": SegmentMotion(np.eye(3)[None], np.array([[0.0, 0.5, 0.0]]), ZERO, ZERO, ZERO, ZERO),
        "foot": SegmentMotion(np.eye(3)[None], np.array([[0.0, 0.1, 0.0]]), ZERO, ZERO, ZERO, ZERO),
    }
    inertias = {
        "shank": SegmentInertia(3.0, np.array([0.0, -0.2, 0.0]), 0.1 * np.eye(3)),
        "foot": SegmentInertia(1.0, np.array([0.1, -0.05, 0.0]), 0.1 * np.eye(3)),
    }
    ground = Wrench(np.array([[-20.0, 100.0, 0.0]]), np.zeros(3), np.array([0.15, 0.0, 0.0]))
    loads = joint_loads(("shank", "foot"), segments, inertias, {"foot": ground}, (0.0, -10.0, 0.0))
    np.testing.assert_allclose(loads["foot"].force_G, [[20.0, -90.0, 0.0]], atol=1e-12)
    np.testing.assert_allclose(loads["foot"].moment_G, [[0.0, 0.0, -12.0]], atol=1e-12)
    np.testing.assert_allclose(loads["shank"].force_G, [[20.0, -60.0, 0.0]], atol=1e-12)
    np.testing.assert_allclose(loads["shank"].moment_G, [[0.0, 0.0, -4.0]], atol=1e-12)


def test_a_rod_that_swings_up_from_the_horizontal_needs_the_textbook_moment():
    """Rod along +X, centre of mass at 0.5 m, 2 kg, I = 0.3 about z; omega = 3, alpha = 4 about z; g = 10 down.

    a = (-omega^2 r, alpha r) = (-4.5, 2); F = m (a - g) = (-9, 24, 0).
    M about the pivot = (I + m r^2) alpha + m g r = 0.8*4 + 10 = 13.2 Nm.
    """
    rod = SegmentMotion(np.eye(3)[None], ZERO, ZERO, ZERO, np.array([[0.0, 0.0, 3.0]]), np.array([[0.0, 0.0, 4.0]]))
    body = SegmentInertia(2.0, np.array([0.5, 0.0, 0.0]), np.diag([0.1, 0.2, 0.3]))
    load = joint_loads(("rod",), {"rod": rod}, {"rod": body}, {}, (0.0, -10.0, 0.0))["rod"]
    np.testing.assert_allclose(load.force_G, [[-9.0, 24.0, 0.0]], atol=1e-12)
    np.testing.assert_allclose(load.moment_G, [[0.0, 0.0, 13.2]], atol=1e-12)


def test_a_free_moment_and_a_skewed_fast_spin_enter_the_moment():
    """A body turned by 30 degrees about X spins steadily about Y: M = omega x I omega less what is given."""
    R = rotation_about(np.array([1.0, 0.0, 0.0]), np.pi / 6)
    omega = np.array([0.0, 5.0, 0.0])
    inertia_S = np.diag([0.1, 0.2, 0.4])
    body = SegmentInertia(1.0, np.zeros(3), inertia_S)
    spin = SegmentMotion(R[None], ZERO, ZERO, ZERO, omega[None], ZERO)
    twist = Wrench(ZERO, np.array([[1.0, 2.0, 3.0]]), np.array([0.3, 0.2, 0.1]))
    load = joint_loads(("body",), {"body": spin}, {"body": body}, {"body": twist}, (0.0, 0.0, 0.0))["body"]
    # By hand: in S omega = 5 (0, cos 30, -sin 30), I omega = (0, 0.866, -1), omega x I omega = (-4.330 + 2.165, 0, 0).
    np.testing.assert_allclose(load.moment_G, [[-2.165064 - 1.0, -2.0, -3.0]], atol=1e-6)


@pytest.fixture(scope="module")
def tumbling() -> tuple[dict[str, SegmentMotion], dict[str, SegmentInertia], np.ndarray]:
    """Two hinged bodies that move in general 3-D motion, from exact series."""
    period, n = 1.3, 401
    phase = 2 * np.pi * np.arange(n) / n
    axes = np.array([[1.0, 0.4, 0.2], [-0.3, 0.8, 0.7]])
    upper_R = rotation_about(axes[0], 0.8 * np.sin(phase)) @ rotation_about(axes[1], 0.5 * np.cos(2 * phase))
    lower_R = upper_R @ rotation_about(axes[1], 0.9 * np.cos(phase) - 0.4)
    hip = np.stack([0.1 * np.sin(phase), 0.05 * np.cos(2 * phase), 0.02 * np.sin(phase)], axis=-1)
    knee = hip + upper_R @ np.array([0.02, -0.4, 0.01])
    time = np.linspace(0.0, period, 37)

    def motion(R: np.ndarray, origin: np.ndarray) -> SegmentMotion:
        rotation, path = (FourierSeries.through(x, period) for x in (R, origin))
        omega, alpha = angular_motion(*(rotation(time, order) for order in range(3)))
        return SegmentMotion(rotation(time), path(time), path(time, 1), path(time, 2), omega, alpha)

    segments = {"upper": motion(upper_R, hip), "lower": motion(lower_R, knee)}
    inertia = np.array([[0.1, 0.01, 0.02], [0.01, 0.03, -0.01], [0.02, -0.01, 0.12]])
    inertias = {
        "upper": SegmentInertia(7.0, np.array([0.01, -0.18, 0.0]), inertia),
        "lower": SegmentInertia(3.0, np.array([0.02, -0.15, -0.01]), 0.5 * inertia),
    }
    return segments, inertias, time


def test_power_of_all_loads_equals_the_rate_of_the_mechanical_energy(tumbling):
    """An identity that shares nothing with the recursion: joint, ground and gravity power feed kinetic energy."""
    segments, inertias, time = tumbling
    n, gravity = len(time), np.array([0.3, -9.81, 0.2])
    rng = np.random.default_rng(1)
    ground = Wrench(50 * rng.standard_normal((n, 3)), rng.standard_normal((n, 3)), rng.standard_normal((n, 3)))
    loads = joint_loads(("upper", "lower"), segments, inertias, {"lower": ground}, tuple(gravity))
    upper, lower = segments["upper"], segments["lower"]

    def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.sum(a * b, axis=-1)

    power = dot(loads["upper"].force_G, upper.velocity_G) + dot(loads["upper"].moment_G, upper.omega_G)
    power = power + dot(loads["lower"].moment_G, lower.omega_G - upper.omega_G)
    at_ground = lower.velocity_G + np.cross(lower.omega_G, ground.point_G - lower.origin_G)
    power = power + dot(ground.force_G, at_ground) + dot(ground.moment_G, lower.omega_G)
    rate = np.zeros(n)
    for name, body in inertias.items():
        move = segments[name]
        arm = move.R_GS @ body.com_S
        velocity = move.velocity_G + np.cross(move.omega_G, arm)
        centripetal = np.cross(move.omega_G, np.cross(move.omega_G, arm))
        acceleration = move.acceleration_G + np.cross(move.alpha_G, arm) + centripetal
        momentum = np.einsum("tij,jk,tlk,tl->ti", move.R_GS, body.inertia_S, move.R_GS, move.alpha_G)
        rate += body.mass * dot(velocity, acceleration - gravity) + dot(move.omega_G, momentum)
    np.testing.assert_allclose(power, rate, atol=1e-9)  # watts of the order of 100; series exact to rounding
