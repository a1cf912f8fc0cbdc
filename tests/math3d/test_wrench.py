"""Loads about other points and in other axes, against cross products written out."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.errors import DynamicsError
from pipeline.math3d import Wrench


@pytest.fixture
def wrench(rng):
    return Wrench(*rng.normal(size=(3, 8, 3)))


def test_the_moment_of_a_force_about_a_point_is_arm_cross_force():
    """100 N upwards 0.2 m in front of the point: 0.2 x + 100 y = 20 Nm about z (to the right: it tilts backwards)."""
    load = Wrench(np.array([[0.0, 100.0, 0.0]]), np.zeros(3), np.array([0.2, 0.0, 0.0]))
    np.testing.assert_allclose(load.about(np.zeros(3)).moment_G, [[0.0, 0.0, 20.0]])


def test_a_moved_reference_adds_the_arm_from_new_to_old_crossed_with_the_force(wrench, rng):
    B = rng.normal(size=(8, 3))
    rows = zip(wrench.moment_G, wrench.point_G, B, wrench.force_G, strict=True)
    expected = [m + np.cross(a - b, f) for m, a, b, f in rows]
    moved = wrench.about(B)
    np.testing.assert_allclose(moved.moment_G, expected, atol=1e-14)
    np.testing.assert_array_equal(moved.force_G, wrench.force_G)
    np.testing.assert_array_equal(moved.point_G, B)


def test_turning_the_axes_commutes_with_moving_the_reference(wrench, rng):
    R, B = Rotation.random(random_state=5).as_matrix(), rng.normal(size=3)
    one, other = wrench.about(B).rotated(R), wrench.rotated(R).about(R @ B)
    np.testing.assert_allclose(one.moment_G, other.moment_G, atol=1e-13)
    np.testing.assert_allclose(one.force_G, wrench.force_G @ R.T, atol=0.0)


def test_a_single_point_and_moment_serve_all_frames():
    load = Wrench(np.ones((5, 3)), np.zeros(3), [0.0, 1.0, 2.0])
    assert len(load) == 5
    assert load.point_G.shape == load.moment_G.shape == (5, 3)


@pytest.mark.parametrize(
    ("force", "moment", "named"), [((3,), (3,), "force_G"), ((4, 2), (3,), "force_G"), ((4, 3), (5, 3), "moment_G")]
)
def test_wrong_shapes_are_refused_by_name(force, moment, named):
    with pytest.raises(DynamicsError, match=named):
        Wrench(np.zeros(force), np.zeros(moment), np.zeros(3))
