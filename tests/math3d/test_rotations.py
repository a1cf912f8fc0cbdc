"""Rotations against SciPy, against analytic motions and against their definitions."""

from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.math3d import (
    angular_motion,
    cardan_angles,
    nearest_rotation,
    rotation_about,
    rotation_from_axes,
    skew,
    unit,
)

ROUNDING = 1e-13
"""A few dozen double-precision operations on numbers of order one."""

SEQUENCES = ["".join(p) for p in permutations("xyz")]


@pytest.mark.parametrize("order", SEQUENCES)
def test_cardan_angles_are_scipys_intrinsic_angles_in_every_sequence(order):
    R = Rotation.random(500, random_state=1).as_matrix()
    expected = Rotation.from_matrix(R).as_euler(order.upper())
    # arcsin loses digits as the second angle nears a right angle: half of them, 1e-8, at the very worst.
    tolerance = ROUNDING / np.abs(np.cos(expected[:, 1:2]))
    assert np.all(np.abs(np.angle(np.exp(1j * (cardan_angles(R, order) - expected)))) < tolerance)


def test_cardan_angles_refuse_a_sequence_that_names_an_axis_twice():
    with pytest.raises(ValueError, match="three different axes"):
        cardan_angles(np.eye(3), "zxz")


def test_rotation_about_is_scipys_rotation_vector_for_any_length_of_axis(rng):
    axis, angle = rng.normal(size=(40, 3)), rng.uniform(-4, 4, 40)
    expected = Rotation.from_rotvec(unit(axis) * angle[:, None]).as_matrix()
    np.testing.assert_allclose(rotation_about(3.0 * axis, angle), expected, atol=ROUNDING)


@pytest.mark.parametrize("order", SEQUENCES)
def test_a_frame_keeps_its_first_axis_and_the_side_of_its_second(order, rng):
    """The order names two axes; the third follows from right-handedness, whichever two are named."""
    pairs = order[:2]
    first, second, third = ("xyz".index(letter) for letter in order)
    primary, secondary = rng.normal(size=(30, 3)), rng.normal(size=(30, 3))
    R = rotation_from_axes(primary, secondary, pairs)
    np.testing.assert_allclose(np.swapaxes(R, 1, 2) @ R, np.broadcast_to(np.eye(3), R.shape), atol=ROUNDING)
    np.testing.assert_allclose(np.linalg.det(R), 1.0, atol=ROUNDING)
    np.testing.assert_allclose(R[..., first], unit(primary), atol=ROUNDING)
    assert np.all(np.sum(R[..., second] * secondary, axis=1) > 0.0)
    np.testing.assert_allclose(np.sum(R[..., third] * secondary, axis=1), 0.0, atol=ROUNDING)


@pytest.mark.parametrize("factor", [1.0, -2.5])
def test_parallel_directions_define_no_frame(factor, rng):
    """Rounding must not turn two parallel directions into a frame of noise."""
    direction = rng.normal(size=(200, 3))
    assert np.isnan(rotation_from_axes(direction, factor * direction, "yz")).all()


def test_a_missing_direction_touches_its_own_frame_only(rng):
    primary, secondary = rng.normal(size=(2, 4, 3))
    complete = rotation_from_axes(primary, secondary, "xz")
    secondary[2, 1] = np.nan
    R = rotation_from_axes(primary, secondary, "xz")
    assert not np.isfinite(R[2]).all()
    np.testing.assert_array_equal(np.delete(R, 2, axis=0), np.delete(complete, 2, axis=0))


def test_unit_of_nothing_is_missing():
    assert np.isnan(unit(np.zeros(3))).all()
    np.testing.assert_allclose(unit(np.array([0.0, -3.0, 4.0])), [0.0, -0.6, 0.8], atol=ROUNDING)


def test_skew_is_the_cross_product(rng):
    v, w = rng.normal(size=(2, 20, 3))
    np.testing.assert_allclose((skew(v) @ w[..., None])[..., 0], np.cross(v, w), atol=ROUNDING)


def test_angular_motion_is_expressed_in_the_global_frame():
    """A top: spin s about its own axis, tilted by b, while it precesses at p about the vertical y.

    omega = p y + s e with e = R y; alpha = p y x s e, in G. An omega in the body's axes would not turn with e.
    """
    p, s, b, t = 0.7, 5.0, 0.4, np.linspace(0.0, 2.0, 9)
    y, z = np.eye(3)[1], np.eye(3)[2]
    P, B, S = rotation_about(y, p * t), rotation_about(z, b), rotation_about(y, s * t)
    R = P @ B @ S
    P_dot, S_dot = p * skew(y) @ P, s * skew(y) @ S
    R_dot = P_dot @ B @ S + P @ B @ S_dot
    R_ddot = p**2 * skew(y) @ skew(y) @ R + 2 * P_dot @ B @ S_dot + P @ B @ (s**2 * skew(y) @ skew(y) @ S)
    omega, alpha = angular_motion(R, R_dot, R_ddot)
    e = P @ B @ y
    np.testing.assert_allclose(omega, p * y + s * e, atol=10 * ROUNDING)
    np.testing.assert_allclose(alpha, np.cross(p * y, s * e), atol=100 * ROUNDING)


def test_nearest_rotation_gives_back_a_scaled_rotation_and_never_a_reflection(rng):
    R = Rotation.random(20, random_state=3).as_matrix()
    np.testing.assert_allclose(nearest_rotation(2.5 * R), R, atol=ROUNDING)
    np.testing.assert_allclose(np.linalg.det(nearest_rotation(rng.normal(size=(50, 3, 3)))), 1.0, atol=ROUNDING)


def test_nearest_rotation_is_scipys_solution_of_wahbas_problem(rng):
    A = rng.normal(size=(3, 3))
    # sum |a_i - R e_i|^2 over the columns of A is what align_vectors minimises.
    expected = Rotation.align_vectors(A.T, np.eye(3))[0].as_matrix()
    np.testing.assert_allclose(nearest_rotation(A), expected, atol=1e-10)


def test_nearest_rotation_of_a_missing_matrix_is_missing_and_leaves_the_others(rng):
    A = rng.normal(size=(3, 3, 3))
    expected = nearest_rotation(A[[0, 2]])
    A[1, 0, 0] = np.nan
    R = nearest_rotation(A)
    assert np.isnan(R[1]).all()
    np.testing.assert_allclose(R[[0, 2]], expected, atol=ROUNDING)
