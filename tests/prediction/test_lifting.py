"""A predicted lift: its constraints, its dynamics by another program, and what load and distance do to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import Delaunay

from pipeline.conventions import SIDES
from pipeline.prediction import LiftPrediction, LiftTask, PredictionError, predict_lift
from pipeline.prediction.gait.problem import motion_of
from pipeline.prediction.gait.schedule import on_ground
from pipeline.prediction.gait.walker import make_walker
from pipeline.prediction.lifting.problem import TRUNK_DEPTH, LiftProblem, standing_schedule, with_load_in_hands
from pipeline.skeleton import merge_frozen, mirror_map, point_motion

TASK = LiftTask(load=10.0)


@pytest.fixture(scope="module")
def lift(skeleton) -> LiftPrediction:
    return predict_lift(skeleton, TASK)


def test_it_converges_and_the_box_goes_from_its_start_to_its_end(lift) -> None:
    assert lift.result.status == "converged"
    assert lift.result.max_relative_violation <= 1.0
    np.testing.assert_allclose(lift.grip_G[[0, -1], :2], [TASK.start, TASK.end], atol=1e-3)
    np.testing.assert_allclose(lift.grip_G[:, 2], TASK.box_width / 2, atol=1e-3)
    for rates in (lift.qd, lift.qdd):
        np.testing.assert_allclose(rates[[0, -1]], 0.0, atol=1e-9)


def test_between_the_nodes_the_constraints_hold_within_millimetres(lift) -> None:
    """Feet, box and zero-moment point on a grid ten times as dense; torques within 1 % of their limits."""
    for part in lift.problem.problem.constraints:
        limit = {"m": 0.003, "m/s": 0.02, "rad": 0.02, "of the limit": 0.01}.get(part.unit, 0.005)
        assert lift.max_violations_dense[part.name] <= limit, part.name


def test_pinocchio_confirms_balance_torques_limits_and_support(lift) -> None:
    """From the DH numbers alone with the load's mass in the hands; the wrenches act under the feet, which are flat."""
    pytest.importorskip("pinocchio", reason="the independent dynamics need Pinocchio (test extra)")
    from tests.oracles.pinocchio_tree import PinocchioTree

    loaded = lift.problem.skeleton
    tree = PinocchioTree(loaded)
    for k in range(len(lift.time)):
        tau = tree.rnea(lift.q[k], lift.qd[k], lift.qdd[k], lift.ground_reaction, k)[0]
        assert np.abs(tau[:6]).max() < 1e-8  # N, Nm; rounding of some 1e3
        np.testing.assert_allclose(tau, lift.tau[k], atol=1e-8)
        unsupported = tree.rnea(lift.q[k], lift.qd[k], lift.qdd[k])[1]
        total = sum(w.force_G[k] for w in lift.ground_reaction.values())
        np.testing.assert_allclose(total, unsupported[0], atol=1e-8)
    active = np.flatnonzero(~loaded.frozen)[6:]
    assert np.all(np.abs(lift.tau[:, active]) <= (1 + 1e-4) * loaded.tau_limit[active])
    assert np.all(lift.q[:, active] >= loaded.q_lower[active] - 1e-4)
    assert np.all(lift.q[:, active] <= loaded.q_upper[active] + 1e-4)
    x = [motion_of(lift.problem.problem, lift.result.x).position(f"right_{p}").value[:, 0] for p in ("heel", "toe")]
    assert np.all(lift.zmp_G[:, 0] > x[0] - 0.02)  # the sole reaches beyond both points by up to a tenth of the foot
    assert np.all(lift.zmp_G[:, 0] < x[1] + 0.02)
    np.testing.assert_allclose(lift.zmp_G[:, 2], 0.0, atol=1e-9)


def test_both_sides_are_mirror_images(lift, skeleton) -> None:
    partner, sign = mirror_map(skeleton)
    np.testing.assert_allclose(lift.q, lift.q[:, partner] * sign, atol=1e-12)
    for left, right in (("left_foot", "right_foot"), ("left_toes", "right_toes")):
        ours, theirs = (lift.ground_reaction[name].force_G for name in (left, right))
        np.testing.assert_allclose(ours, theirs * [1, 1, -1], atol=1e-8)


def test_at_rest_the_moment_of_the_spine_is_that_of_what_it_carries(lift) -> None:
    """Sum of weights above the lowest spine joint times their distance ahead of it, box included, by hand."""
    loaded = lift.problem.skeleton
    joint = loaded.index("spine1_flexion")
    at = point_motion(loaded, "spine1_flexion", np.zeros(3), lift.q, lift.qd, lift.qdd).position_G[:, 0]
    moment = np.zeros(len(lift.time))
    for k in np.flatnonzero(loaded.is_ancestor[joint] & (loaded.mass > 0)):
        place = point_motion(loaded, loaded.joint_names[k], loaded.com[k], lift.q, lift.qd, lift.qdd).position_G
        moment += loaded.mass[k] * 9.81 * (place[:, 0] - at)
    np.testing.assert_allclose(lift.lumbar_moment[[0, -1]], moment[[0, -1]], rtol=1e-9)
    assert lift.lumbar_moment.max() > moment.max()  # and more while the box is accelerated


def test_the_spine_s_moment_rises_with_the_load_and_its_distance(skeleton, lift) -> None:
    """At lift-off; the peak with the load: what a farther box asks for, another posture and start can give back."""
    heavier = predict_lift(skeleton, replace(TASK, load=20.0))
    assert heavier.lumbar_moment.max() > 1.05 * lift.lumbar_moment.max()
    assert heavier.lumbar_moment[0] > 1.2 * lift.lumbar_moment[0]
    farther = predict_lift(skeleton, replace(TASK, start=(0.50, 0.35)))
    assert farther.lumbar_moment[0] > 1.05 * lift.lumbar_moment[0]


def test_gradients_of_the_constraints_agree_with_finite_differences(skeleton) -> None:
    """Central differences along a random direction, relative to the largest change: 1e-6 by the step's square."""
    from pipeline.optimisation import Evaluation

    problem = LiftProblem.make(skeleton, TASK)
    x = problem.guess
    direction = np.random.default_rng(0).normal(size=len(x))
    step = 1e-5 * direction
    ahead, behind = (Evaluation(problem.problem, x + s * step) for s in (1, -1))
    here = Evaluation(problem.problem, x)
    expected = (ahead.rows - behind.rows) / 2e-5
    assert np.abs(here.jacobian_times(direction) - expected).max() < 1e-6 * np.abs(expected).max()
    slope = (ahead.objective - behind.objective) / 2e-5
    assert here.gradient @ direction == pytest.approx(slope, rel=1e-6)


def test_the_load_is_where_both_feet_can_bear_a_half_of_it_each_as_far_to_its_side(skeleton) -> None:
    """The forces of the feet are at opposite offsets from the zero-moment point, each on its own sole."""
    walker, task = make_walker(merge_frozen(skeleton)), replace(TASK, toe_out=0.2)
    plan = standing_schedule(walker, task, 1)
    points = np.random.default_rng(2).uniform([-0.1, -0.1], [0.25, 0.1], (2000, 2))
    expected, aside = np.ones(len(points), dtype=bool), {side: plan.offset[side][0, [0, 2]] for side in SIDES}
    for side in SIDES:
        sole = Delaunay(on_ground(walker.sole["full"], side, 0.0, task)[:, [0, 2]])
        expected &= sole.find_simplex(points + aside[side]) >= 0
    assert 0.1 < expected.mean() < 0.9
    np.testing.assert_allclose(aside["left"], -aside["right"], atol=1e-12)
    rows = plan.half_planes[0]
    np.testing.assert_array_equal((points @ rows[:, :2].T <= rows[:, 2]).all(axis=1), expected)


def test_the_box_is_clear_of_knees_and_trunk_where_its_near_side_is_ahead_of_them(skeleton) -> None:
    """By hand from the positions: the hands hold the box in its middle, the trunk reaches ahead of the hips."""
    lift = LiftProblem.make(skeleton, TASK)
    motion, parts = motion_of(lift.problem, lift.guess), {part.name: part for part in lift.problem.constraints}
    near = motion.position("right_grip").value[:, 0] - TASK.box_depth / 2.0
    for name, point, depth in (("knees", "right_knee", 0.0), ("pelvis", "right_hip", TRUNK_DEPTH)):
        part, front = parts[f"box clear of the {name}"], motion.position(point).value[:, 0] + depth
        np.testing.assert_allclose(part.quantity(motion).value[:, 0] - part.lower, near - front, atol=1e-12)


def test_the_first_guess_lifts_the_hands_to_where_the_box_ends_by_a_part_of_its_way(skeleton) -> None:
    """From a half squat; a start with raised hands ends at a lift of more effort."""
    lift = LiftProblem.make(skeleton, TASK)
    hands = motion_of(lift.problem, lift.guess).position("right_grip").value[[0, -1], :2]
    np.testing.assert_allclose(hands[1], TASK.end, atol=0.1)
    assert 0.25 < (hands[1] - hands[0])[1] / (TASK.end[1] - TASK.start[1]) < 1.0


def test_a_load_is_half_in_each_hand(skeleton) -> None:
    loaded = with_load_in_hands(skeleton, 12.0)
    changed = loaded.mass - skeleton.mass
    assert changed.sum() == pytest.approx(12.0)
    assert [changed[skeleton.segment(f"{side}_hand").joint] for side in SIDES] == [6.0, 6.0]
    assert make_walker(merge_frozen(loaded)).mass == pytest.approx(skeleton.mass.sum() + 12.0)


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (LiftTask(load=-1.0), "load is -1 kg"),
        (LiftTask(end=(0.3, 3.0)), "out of reach"),
        (LiftTask(duration=0.1), "too short"),
        (LiftTask(friction=0.0), "friction is 0"),
        (LiftTask(friction=60.0), "friction is 60, above 2"),
    ],
)
def test_impossible_tasks_are_refused(skeleton, task: LiftTask, words: str) -> None:
    with pytest.raises(PredictionError, match=words):
        predict_lift(skeleton, task)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"toe_out": 10.0}, "toe_out is 10 rad, beyond 1.05 either way"),
        ({"step_width": -0.2}, "step_width is -0.2 m, outside 0 to the reach of 2.00"),
        ({"step_width": np.nan}, "step_width is nan"),
        ({"box_width": 400.0}, "box_width is 400 m"),
        ({"load": "10"}, "load is '10'"),
        ({"start": 0.4}, "start is 0.4"),
    ],
)
def test_a_lift_with_no_numbers_or_other_units_is_refused(given, message):
    """Feet turned by ten radians, or half a metre beyond each other, were accepted."""
    with pytest.raises(PredictionError, match=message):
        LiftTask(**given).check(2.0)
