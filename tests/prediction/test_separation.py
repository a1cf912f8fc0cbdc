"""Distances of legs, and of hands and trunk: against bounded least squares, differences and Pinocchio's frames."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from pipeline.conventions import SIDES
from pipeline.prediction import GaitProblem, GaitTask, predict_gait
from pipeline.prediction.gait.problem import motion_of
from pipeline.prediction.gait.separation import HANDS, LEG_CLEARANCE, LEGS, leg_clearance
from pipeline.prediction.gait.separation_kernels import closest_points, segment_distances_kernel
from tests.oracles.pinocchio_tree import PinocchioTree


def test_distances_are_those_of_bounded_least_squares() -> None:
    rng = np.random.default_rng(1)
    a, b, c, d = rng.normal(size=(4, 300, 3))
    d[:20] = c[:20] + rng.normal(size=(20, 1)) * (b - a)[:20]  # parallel
    c[20:40], d[20:40] = 0.5 * (a + b)[20:40] - d[20:40], 0.5 * (a + b)[20:40] + d[20:40]  # crossing
    s, t = np.array([closest_points(*map(tuple, ends)) for ends in zip(a, b, c, d, strict=True)]).T
    own = np.linalg.norm(a + s[:, None] * (b - a) - c - t[:, None] * (d - c), axis=1)
    ends, unordered, none = np.array([[0, 1, 2, 3]]), 1.0, np.zeros((0, 4, 3, 0))
    distance = np.empty((len(a), 1))
    segment_distances_kernel(ends, np.stack([a, b, c, d], axis=1), none, unordered, distance, np.zeros((len(a), 1, 0)))
    np.testing.assert_allclose(distance[:, 0], own, atol=1e-12)
    for i in range(len(a)):
        found = lsq_linear(np.column_stack([(b - a)[i], -(d - c)[i]]), (c - a)[i], bounds=(0.0, 1.0), tol=1e-14)
        # Its interior-point steps end within about 1e-7 of the bounds.
        assert own[i] == pytest.approx(np.sqrt(2.0 * found.cost), abs=1e-6)
    assert np.all(own[20:40] < 1e-12)
    assert {0.0, 1.0} <= set(s) <= set(np.clip(s, 0.0, 1.0))


@pytest.mark.parametrize("pairs", [LEGS, HANDS])
def test_derivatives_of_distances_agree_with_differences_in_any_pose(skeleton, pairs) -> None:
    walk, rng = GaitProblem.make(skeleton, GaitTask(), "human"), np.random.default_rng(2)
    form = walk.problem.transcription
    x = walk.neutral_guess() + 0.4 * rng.normal(size=form.n_variables)
    direction, h = rng.normal(size=form.n_variables), 1e-6
    exact = pairs.distances(motion_of(walk.problem, x))
    gradient = form.states(x).gradient
    assert gradient is not None
    change = exact.directional(gradient.directional(direction))
    up, down = (pairs.distances(motion_of(walk.problem, x + sign * h * direction)).value for sign in (1, -1))
    # The second derivative jumps where a closest point reaches an end, and is of the order of 1/distance: 1e-3 m here.
    np.testing.assert_allclose((up - down) / (2 * h), change, atol=2e-3 * np.abs(change).max())
    assert (exact.value < 0.0).any() == pairs.ordered


def test_legs_on_the_wrong_side_of_one_another_have_a_negative_distance_that_grows_on_the_way_back(skeleton) -> None:
    walk = GaitProblem.make(skeleton, GaitTask(), "human")
    names, at = walk.walker.skeleton.joint_names, LEGS.names.index("left shank, right shank")
    shanks = []
    for adduction in np.radians([0.0, 10.0, 30.0]):
        states = walk.problem.transcription.states(walk.neutral_guess())
        for side in SIDES:
            states.q[:, names.index(f"{side}_hip_adduction")] = adduction
        shanks.append(LEGS.distances(walk.problem.model(states)).value[:, at])
    apart, near, crossed = shanks
    assert np.all(apart > 0.1)
    assert np.all(np.abs(near) < apart)
    assert np.all(crossed < near)
    assert np.all(crossed < 0.01)


def test_by_pinocchio_s_frames_the_legs_of_a_walk_are_apart_at_every_node(skeleton) -> None:
    walk = predict_gait(skeleton, GaitTask(1.2, 0.6))
    tree, share = PinocchioTree(skeleton), np.linspace(0.0, 1.0, 60)[:, None]
    joints = [[f"{side}_{joint}" for joint in ("hip_flexion", "knee_flexion", "ankle_flexion", "toe_extension")]
              for side in SIDES]  # fmt: skip
    smallest = np.inf
    for q in walk.q:
        tree.rnea(q, np.zeros_like(q), np.zeros_like(q))
        legs = []
        for names in joints:
            ends = [tree.data.oMi[tree.joint_id[skeleton.index(name)]].translation.copy() for name in names]
            legs.append(np.concatenate([a + share * (b - a) for a, b in pairwise(ends)]))
        smallest = min(smallest, np.linalg.norm(legs[0][:, None] - legs[1][None], axis=2).min())
    # Points 8 mm apart along either axis can be 0.4 mm farther from one another than the axes.
    assert smallest >= leg_clearance(walk.problem.walker.leg_length) - 1e-3
    assert walk.dense.leg_distance >= 0.06
    assert walk.dense.leg_distance <= smallest
    assert walk.dense.hand_distance > 0.12


def test_clearance_is_that_of_adults_but_not_more_than_the_usual_step_width_of_small_bodies() -> None:
    assert leg_clearance(0.9) == LEG_CLEARANCE
    assert leg_clearance(0.4) == pytest.approx(0.048)
