"""Poses and motions of points, with their derivatives, against Pinocchio and differences along a motion."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.skeleton import (
    joint_axes,
    link_poses,
    load_skeleton,
    point_jacobians,
    point_motion,
    scale_segments,
    segment_pose,
)
from tests.oracles.pinocchio_tree import PinocchioTree
from tests.oracles.random_trees import random_state, random_tree

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"
POINT = np.array([0.1, -0.2, 0.3])


@pytest.mark.parametrize("seed", range(8))
def test_link_poses_and_point_jacobians_agree_with_pinocchio(seed):
    rng = np.random.default_rng(seed)
    skeleton = load_skeleton(SKELETON) if seed == 0 else random_tree(rng, int(rng.integers(1, 25)))
    n = len(skeleton)
    q, _, _ = random_state(rng, n, 10)
    reference = PinocchioTree(skeleton)
    R, r = link_poses(skeleton, q)
    j = n - 1
    jacobian = point_jacobians(skeleton, skeleton.joint_names[j], POINT, q).dr_dq
    for t in range(10):
        for k in range(n):
            pose = reference.link_pose(q[t], k)
            np.testing.assert_allclose(R[t, k], pose.rotation, atol=1e-13)
            np.testing.assert_allclose(r[t, k], pose.translation, atol=1e-12)
        np.testing.assert_allclose(jacobian[t], reference.point_jacobian(q[t], j, POINT), atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_velocity_and_acceleration_are_the_rates_of_the_position(seed):
    """Along q + qd t + qdd t^2 / 2. Step 1e-4: the error is h^2 of the fourth derivative, 1e-8 times 1e3 to 1e4."""
    rng, h = np.random.default_rng(seed), 1e-4
    skeleton = load_skeleton(SKELETON) if seed == 0 else random_tree(rng, 12)
    q, qd, qdd = (v / 5 for v in random_state(rng, len(skeleton), 4))
    name = "right_toes" if seed == 0 else "joint_11"

    def at(t):
        return point_motion(skeleton, name, POINT, q + qd * t + qdd * t**2 / 2, qd + qdd * t, qdd)

    here, after, before = at(0.0), at(h), at(-h)
    assert np.abs(here.acceleration_G).max() > 0.1
    velocity = (after.position_G - before.position_G) / (2 * h)
    acceleration = (after.velocity_G - before.velocity_G) / (2 * h)
    np.testing.assert_allclose(here.velocity_G, velocity, atol=1e-5)
    np.testing.assert_allclose(here.acceleration_G, acceleration, atol=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_all_derivatives_of_a_points_motion_agree_with_central_differences(seed):
    """Step 1e-5: error h^2 times third derivatives of at most 1e3, and rounding eps / h, together below 1e-6."""
    rng, h = np.random.default_rng(seed), 1e-5
    skeleton = load_skeleton(SKELETON) if seed == 0 else random_tree(rng, 10)
    name = "left_hand" if seed == 0 else "joint_9"
    state = [v / 3 for v in random_state(rng, len(skeleton), 3)]
    ours = point_jacobians(skeleton, name, POINT, *state)
    for which, expected in enumerate(
        (
            {"position_G": ours.dr_dq, "velocity_G": ours.dv_dq, "acceleration_G": ours.da_dq},
            {"velocity_G": ours.dr_dq, "acceleration_G": ours.da_dqd},
            {"acceleration_G": ours.dr_dq},
        )
    ):
        for j in range(len(skeleton)):
            up, down = [v.copy() for v in state], [v.copy() for v in state]
            up[which][:, j] += h
            down[which][:, j] -= h
            plus, minus = (point_motion(skeleton, name, POINT, *moved) for moved in (up, down))
            for quantity, derivative in expected.items():
                difference = (getattr(plus, quantity) - getattr(minus, quantity)) / (2 * h)
                np.testing.assert_allclose(derivative[..., j], difference, atol=1e-6)


def test_a_segments_pose_is_that_of_its_frame_in_the_link():
    rng, skeleton = np.random.default_rng(3), load_skeleton(SKELETON)
    q, _, _ = random_state(rng, 55, 3)
    R, r = segment_pose(skeleton, "right_shank", q)
    motion = point_motion(skeleton, "right_shank", POINT, q)
    np.testing.assert_allclose(motion.position_G, r + R @ POINT, atol=1e-12)


def test_the_axis_of_a_joint_is_z_of_its_own_frame_and_its_origin_lies_there():
    rng, skeleton = np.random.default_rng(4), random_tree(np.random.default_rng(4), 8)
    q, _, _ = random_state(rng, 8, 2)
    R, r = link_poses(skeleton, q)
    z, o = joint_axes(skeleton, q)
    for j in range(8):
        k = skeleton.parent[j]
        Rk, rk = (np.eye(3), np.zeros(3)) if k < 0 else (R[:, k], r[:, k])
        np.testing.assert_allclose(z[:, j], Rk @ skeleton.origin[j, :3, 2] + np.zeros((2, 3)), atol=1e-13)
        np.testing.assert_allclose(o[:, j], rk + Rk @ skeleton.origin[j, :3, 3] + np.zeros((2, 3)), atol=1e-13)


def test_a_coordinate_that_is_not_finite_is_refused():
    skeleton = random_tree(np.random.default_rng(5), 4)
    q = np.zeros((3, 4))
    q[1, 2] = np.nan
    with pytest.raises(DynamicsError, match="q is nan in frame 1, joint joint_2"):
        link_poses(skeleton, q)


def test_many_points_in_one_pass_are_the_points_one_by_one():
    rng, skeleton = np.random.default_rng(6), load_skeleton(SKELETON)
    state = random_state(rng, 55, 4)
    names, points = ["right_foot", "head", "left_wrist_flexion"], rng.normal(size=(3, 3))
    together, derivatives = (f(skeleton, names, points, *state) for f in (point_motion, point_jacobians))
    assert together.acceleration_G.shape == (4, 3, 3)
    assert derivatives.da_dq.shape == (4, 3, 3, 55)
    for m, (name, point) in enumerate(zip(names, points, strict=True)):
        alone, slopes = (f(skeleton, name, point, *state) for f in (point_motion, point_jacobians))
        for quantity in ("position_G", "velocity_G", "acceleration_G"):
            np.testing.assert_array_equal(getattr(together, quantity)[:, m], getattr(alone, quantity))
        for quantity in ("dr_dq", "dv_dq", "da_dq", "da_dqd"):
            np.testing.assert_array_equal(getattr(derivatives, quantity)[:, m], getattr(slopes, quantity))


def test_points_that_do_not_match_their_names_are_refused():
    skeleton = random_tree(np.random.default_rng(7), 4)
    with pytest.raises(DynamicsError, match=r"point has shape \(2, 3\)"):
        point_motion(skeleton, "joint_1", np.zeros((2, 3)), np.zeros((1, 4)))


def test_points_and_factors_that_are_no_real_numbers_are_named():
    body, q = random_tree(np.random.default_rng(2), 3), np.zeros((1, 3))
    with pytest.raises(DynamicsError, match="point is not an array of numbers"):
        point_motion(body, "joint_1", np.array([1j, 0, 0]), q)
    with pytest.raises(DynamicsError, match="factors is not an array of numbers"):
        scale_segments(body, {"joint_1": "2"})
