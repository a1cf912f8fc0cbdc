"""Rigid clusters: against SciPy's least-squares rotation, with gaps, and where the pose is not determined."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.anatomy import cluster_pose, cluster_shape

SHAPE = np.array([[0.05, 0.02, 0.01], [-0.04, 0.06, 0.0], [0.0, -0.07, 0.02], [-0.01, -0.01, -0.03]])


@pytest.fixture
def moved():
    """Rotations, origins and points (T, K, 3) of a cluster that moves in space."""
    rng = np.random.default_rng(3)
    R = Rotation.random(40, random_state=4).as_matrix()
    origin = rng.normal(size=(40, 3))
    return R, origin, origin[:, None] + SHAPE @ np.swapaxes(R, 1, 2)


def test_the_pose_is_recovered_and_the_residual_is_zero(moved):
    """To rounding: 1e-9."""
    R, origin, points = moved
    pose = cluster_pose(SHAPE, points)
    np.testing.assert_allclose(pose.R_GS, R, atol=1e-9)
    np.testing.assert_allclose(pose.origin, origin, atol=1e-9)
    assert pose.residual.max() < 1e-9


def test_with_noise_it_is_the_least_squares_rotation(moved):
    """SciPy's `Rotation.align_vectors`, which solves the same problem by another route."""
    points = moved[2] + 0.005 * np.random.default_rng(5).normal(size=moved[2].shape)
    pose = cluster_pose(SHAPE, points)
    for frame in range(len(points)):
        found, distance = Rotation.align_vectors(points[frame] - points[frame].mean(axis=0), SHAPE - SHAPE.mean(axis=0))
        np.testing.assert_allclose(pose.R_GS[frame], found.as_matrix(), atol=1e-9)
        assert pose.residual[frame] == pytest.approx(distance / 2.0, abs=1e-9)  # root of the sum over four markers


def test_three_of_four_markers_give_the_same_pose_and_two_give_none(moved):
    R, origin, points = moved
    points = points.copy()
    points[5, 1] = points[7, :2] = np.nan
    pose = cluster_pose(SHAPE, points)
    np.testing.assert_allclose(pose.R_GS[5], R[5], atol=1e-9)
    np.testing.assert_allclose(pose.origin[5], origin[5], atol=1e-9)
    assert np.isnan(pose.R_GS[7]).all()
    assert np.isnan(pose.origin[7]).all()
    assert np.isfinite(pose.R_GS[[4, 6, 8]]).all()


def test_markers_on_a_line_show_no_pose(moved):
    R, origin, _ = moved
    line = np.array([[0.0, 0.1, 0.0], [0.0, 0.0, 0.0], [0.001, -0.1, 0.0]])
    assert np.isnan(cluster_pose(line, origin[:, None] + line @ np.swapaxes(R, 1, 2)).R_GS).all()


def test_a_mirrored_cluster_is_not_a_rotation(moved):
    """A fit without the determinant's sign would return a reflection with no residual."""
    pose = cluster_pose(SHAPE, moved[2] * [1.0, 1.0, -1.0])
    np.testing.assert_allclose(np.linalg.det(pose.R_GS), 1.0, atol=1e-9)
    assert pose.residual.min() > 0.01


def test_the_shape_is_found_from_frames_with_gaps(moved):
    """Up to its axes: distances between its markers are the true ones, to 1e-9 m."""
    points = moved[2].copy()
    points[::2, 0] = np.nan
    points[1::4, 3] = np.nan
    shape = cluster_shape(points)
    for a in range(4):
        found, true = (np.linalg.norm(s[a] - s, axis=1) for s in (shape, SHAPE))
        np.testing.assert_allclose(found, true, atol=1e-9)
