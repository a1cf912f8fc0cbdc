"""Predicted runs: contacts of a run, and a whole-body motion that falls freely between them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.conventions import GRAVITY, SIDES
from pipeline.optimisation import NodeValues
from pipeline.prediction import GaitPrediction, GaitProblem, GaitTask, PredictionError, predict_gait
from pipeline.prediction.gait.active_limits import active_limits
from pipeline.prediction.gait.schedule import make_schedule
from pipeline.skeleton import Skeleton, load_skeleton
from tests.walks import SKELETON

pin = pytest.importorskip("pinocchio")

RUN = GaitTask(3.0, 1.05)
STANCE = 0.7
"""Share of a step in which one foot stands, with the default flight."""


@pytest.fixture(scope="module")
def skeleton() -> Skeleton:
    return load_skeleton(SKELETON, mass=73.0, height=1.78, sex="male")


@pytest.fixture(scope="module")
def problem(skeleton) -> GaitProblem:
    return GaitProblem.make(skeleton, RUN, "running")


@pytest.fixture(scope="module")
def run(skeleton) -> GaitPrediction:
    return predict_gait(skeleton, RUN, "running")


@pytest.mark.parametrize("flight", [0.25, 0.4])
def test_the_splines_of_a_run_have_equal_intervals_in_stance_and_in_flight(skeleton, flight) -> None:
    run = GaitProblem.make(skeleton, replace(RUN, flight=flight), "running")
    breaks = run.task.step_of(run.problem.transcription.spline.breaks)
    assert len(breaks) == run.preset.n_intervals + 1
    assert np.abs(breaks - (1.0 - flight)).min() < 1e-12, "the foot leaves the ground at a break"
    stance = np.diff(breaks[breaks <= 1.0 - flight + 1e-9])
    in_flight = np.diff(breaks[breaks >= 1.0 - flight - 1e-9])
    for intervals in (stance, in_flight):
        np.testing.assert_allclose(intervals, intervals[0], rtol=1e-9)
    assert 0.5 < stance[0] / in_flight[0] < 2.0


def test_one_foot_stands_at_a_time_and_none_in_flight(problem) -> None:
    u = np.array([0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.699, 0.701, 0.85, 0.999])
    plan = make_schedule(problem.walker, problem.task, u)
    stands = np.any([contact for (side, _), contact in plan.in_contact.items() if side == "right"], axis=0)
    np.testing.assert_array_equal(stands, u < STANCE)
    assert not any(contact.any() for (side, _), contact in plan.in_contact.items() if side == "left")
    np.testing.assert_array_equal(plan.share["right"], (u > 0.0) & (u < STANCE))
    np.testing.assert_array_equal(plan.flight, (u == 0.0) | (u > STANCE))
    assert make_schedule(problem.walker, problem.task, np.array([STANCE])).flight.all(), "the load ends in it"
    # The heel leaves the ground at 45 % of stance, the ball at 90 %, and the forefoot comes down at 20 %.
    for point, first, last in (("heel", 0.0, 0.45), ("ball_medial", 0.2, 0.9), ("toe", 0.2, 1.0)):
        np.testing.assert_array_equal(plan.in_contact["right", point], (u >= first * STANCE) & (u <= last * STANCE))


def test_the_second_step_of_a_stride_is_the_mirror_image_one_step_ahead(skeleton) -> None:
    two = GaitProblem.make(skeleton, replace(RUN, form="stride"), "running")
    u = np.array([0.1, 0.3, 0.6, 0.8])
    plan = make_schedule(two.walker, two.task, np.concatenate([u, 1.0 + u]))
    for point in ("heel", "toe"):
        one, other = plan.planned["right", point][:4], plan.planned["left", point][4:]
        np.testing.assert_allclose(other, one * [1.0, 1.0, -1.0] + [RUN.step_length, 0.0, 0.0], atol=1e-12)
        np.testing.assert_array_equal(plan.in_contact["right", point][:4], plan.in_contact["left", point][4:])
    np.testing.assert_array_equal(plan.flight, np.tile(u > STANCE, 2))
    np.testing.assert_allclose(two.problem.transcription.spline.breaks[[0, -1]], [0.0, 1.0])
    assert np.isclose(two.problem.transcription.spline.breaks, 0.5 * (1.0 + STANCE)).any(), "foot off is a break"


def test_the_moment_in_flight_is_about_a_point_below_the_body_in_both_steps(skeleton) -> None:
    two = GaitProblem.make(skeleton, replace(RUN, form="stride"), "running")
    (bound,) = (one for one in two.problem.constraints if one.name == "no ground reaction in flight")
    u = two.task.step_of(two.problem.transcription.nodes)
    force = np.tile([30.0, 400.0, -20.0], (len(u), 1))
    below = np.outer(RUN.step_length * (u - 0.5), [1.0, 0.0, 0.0])
    reaction = NodeValues(np.hstack([np.cross(below, force), force]))
    values = bound.quantity(SimpleNamespace(ground_reaction=reaction)).value
    np.testing.assert_allclose(values, np.hstack([0.0 * force, force / (73.0 * GRAVITY)]), atol=1e-12)
    assert u[two.problem.masks[two.problem.constraints.index(bound)].any(axis=1)].max() > 1.9, "the second flight too"


def test_a_forefoot_that_lands_first_bears_the_load_from_the_start(skeleton) -> None:
    task = replace(RUN, left_heel_off=0.0, right_heel_off=0.0)
    fore = GaitProblem.make(skeleton, task, "running")
    plan = make_schedule(fore.walker, fore.task, np.array([0.0, 0.02, 0.3]))
    assert not plan.in_contact["right", "heel"].any()
    assert plan.in_contact["right", "ball_medial"].all()


def test_a_foot_that_cannot_be_flat_lands_on_its_forefoot_as_in_walking() -> None:
    task, notes = RUN.complete(0.9, {"left": np.radians(-10.0), "right": np.radians(20.0)}, runs=True)
    assert (task.left_heel_off, task.right_heel_off) == (0.0, pytest.approx(0.45 * STANCE))
    assert "left forefoot bears the load from initial contact on, since its ankle is plantarflexed" in notes[-1]


def test_a_run_that_is_not_found_has_its_own_remedy(problem, skeleton, monkeypatch) -> None:
    def fail(result: object, asked: object, *, where: str, remedy: str) -> None:
        raise PredictionError("no solution", where=where, remedy=remedy)

    monkeypatch.setattr(GaitProblem, "solve", lambda *args, **options: SimpleNamespace(success=False))
    monkeypatch.setattr("pipeline.prediction.gait.predict.require_success", fail)
    with pytest.raises(PredictionError, match=r"preset running.*another speed, step length or flight"):
        predict_gait(skeleton, RUN, "running", start=problem.neutral_guess())


def test_reasons_are_those_of_running(problem) -> None:
    notes = " ".join(problem.notes)
    assert "elbows near 90 degrees" in notes
    assert "double support" not in notes
    assert "contralateral foot off" not in notes


@pytest.mark.long
def test_a_run_converges_and_its_checks_between_the_nodes_hold(run) -> None:
    assert run.success
    assert run.start == "", "the stored walks are no start of a run"
    # Beyond the 0.5 % of body weight that are allowed at the nodes, for what the splines do between them.
    assert run.max_violations_dense["no ground reaction in flight"] < 0.006
    assert not [one for one in active_limits(run.problem.problem, run.result.x) if "flight" in one.constraint]
    assert run.dense.support < 0.005
    assert run.dense.torque < 1.02
    assert run.dense.leg_distance > 0.07
    assert run.dense.slip < 0.05


@pytest.mark.long
def test_the_centre_of_mass_falls_freely_in_flight_and_momentum_is_conserved(run, skeleton) -> None:
    """By Pinocchio, from positions and rates alone: a parabola under gravity, and constant angular momentum."""
    from tests.oracles.pinocchio_tree import PinocchioTree

    tree = PinocchioTree(skeleton)
    flight = run.time >= STANCE * RUN.step_time - 1e-9
    time, centre, momentum = run.time[flight], [], []
    for q, qd in zip(run.q[flight], run.qd[flight], strict=True):
        pin.computeCentroidalMomentum(tree.model, tree.data, tree.to_pin(q), tree.to_pin(qd))
        centre.append(tree.data.com[0].copy())
        momentum.append(tree.data.hg.angular.copy())
    fall = np.polynomial.Polynomial.fit(time, np.array(centre)[:, 1], 2)
    # A force of 0.5 % of body weight changes gravity by as much, and the height by 0.03 mm over a flight of 0.1 s.
    assert fall.deriv(2)(time[0]) == pytest.approx(-GRAVITY, rel=0.006)
    np.testing.assert_allclose(np.array(centre)[:, 1], fall(time), atol=1e-4)
    forward = np.gradient(np.array(centre)[:, 0], time)
    np.testing.assert_allclose(forward, forward.mean(), atol=0.01)
    # The bounds are on force and moment about a point below the body: 3.4 Nm, and 3.6 N at about 1 m, over 0.1 s.
    assert np.ptp(momentum, axis=0).max() < 0.8


@pytest.mark.long
def test_the_ground_carries_the_body_over_a_step_and_neither_brakes_nor_drives_it(run) -> None:
    force = sum(run.ground_reaction[side].force_G for side in SIDES)
    weight = 73.0 * GRAVITY
    impulse = np.trapezoid(force, run.time, axis=0) / (weight * run.time[-1])
    # Trapezoids between 50 nodes of a force with a peak of two body weights; side forces cancel over two steps.
    np.testing.assert_allclose(impulse[:2], [0.0, 1.0], atol=5e-3)


@pytest.mark.long
def test_a_run_resembles_people_s(run) -> None:
    """Ranges of people at about 3 m/s (Novacheck 1998; Fukuchi et al. 2017), those of the knee with its known lack."""
    flexion = run.problem.walker.flexion
    knee = np.degrees(flexion * run.q[:, run.problem.skeleton.index("right_knee_flexion")])
    ankle = np.degrees(run.q[:, run.problem.skeleton.index("right_ankle_flexion")])
    vertical = run.ground_reaction["right"].force_G[:, 1] / (73.0 * GRAVITY)
    forward = run.ground_reaction["right"].force_G[:, 0] / (73.0 * GRAVITY)
    assert 1.9 < vertical.max() < 2.7
    assert -0.4 < forward.min() < -0.15
    assert 0.15 < forward.max() < 0.4
    assert knee[0] > 11.9
    assert 28.0 < knee.max() < 50.0
    assert 15.0 < ankle.max() < 28.0
