"""Motions of tasks: against closed forms of one link, Pinocchio, Newton's law of the arm, and published limits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

from pipeline.config import HOME, ArmTask, LiftTaskFile, load_task
from pipeline.muscles import rates_of, repeated_fatigue
from pipeline.optimisation import SQP, SolverError
from pipeline.prediction import (
    TASKS,
    LiftTask,
    PredictionError,
    arm_problem,
    predict_gait,
    repeat_lift,
    solve_task,
)
from pipeline.prediction.lifting.repeated import muscles_of
from pipeline.skeleton import link_poses, load_skeleton
from tests.oracles.pinocchio_tree import PinocchioTree

INERTIA, ANGLE, LIMIT = 0.3, 1.2, 8.0
"""kg m^2 about the joint, rad, Nm."""

ONE = {"name": "joint", "kind": "R", "mass": 1.0, "inertia": [0.2, 0.2, INERTIA], "max_effort": LIMIT}
ONE["move"] = [0.0, float(np.degrees(ANGLE))]

SPATIAL = {
    "task": "arm",
    "gravity": [0.0, 0.0, -9.81],
    "links": [
        {"name": "turn", "kind": "R", "alpha": 90.0, "d": 0.3, "mass": 3.0, "com": [0.01, -0.1, 0.0]}
        | {"inertia": [0.02, 0.03, 0.02], "max_effort": 30.0, "move": [-60.0, 70.0]},
        {"name": "lift", "kind": "R", "a": 0.4, "mass": 2.0, "com": [-0.2, 0.0, 0.02]}
        | {"inertia": [0.01, 0.04, 0.04, 0.001, 0.0, -0.002], "max_effort": 45.0, "move": [10.0, 50.0]},
        {"name": "reach", "kind": "P", "theta": 90.0, "alpha": 90.0, "mass": 1.0, "com": [0.0, 0.05, -0.1]}
        | {"inertia": [0.01, 0.01, 0.01], "max_effort": 60.0, "range": [0.1, 0.45], "move": [0.15, 0.4]},
    ],
    "load": {"mass": 1.5, "at": [0.0, 0.1, 0.05]},
    "weights": {"time": 1.0, "effort": 0.0005},
    "intervals": 12,
    "free_knots": False,
}


def arm(**changed) -> ArmTask:
    return ArmTask.model_validate({"task": "arm", "links": [ONE], "weights": {"effort": 1.0}} | changed)


def test_least_effort_of_one_link_is_the_cubic_of_the_closed_form() -> None:
    """For I q'' = tau from rest to rest, the least integral of tau^2 is 12 I^2 angle^2 / T^3."""
    motion = solve_task(arm(duration=0.8))
    expected = 12.0 * (INERTIA * ANGLE) ** 2 / 0.8**3
    assert motion.objectives["effort"] == pytest.approx(expected, rel=1e-3)  # of the trapezoidal rule
    s = motion.time / 0.8
    np.testing.assert_allclose(motion.q[:, 0], ANGLE * (3 * s**2 - 2 * s**3), atol=2e-4)


def test_time_against_effort_of_one_link_takes_the_time_of_the_closed_form() -> None:
    """w T + u 12 (I angle)^2 / T^3 is least at T^4 = 36 u (I angle)^2 / w."""
    motion = solve_task(arm(weights={"time": 2.0, "effort": 0.5}))
    assert motion.duration == pytest.approx((36.0 * 0.5 * (INERTIA * ANGLE) ** 2 / 2.0) ** 0.25, rel=2e-3)
    assert motion.objectives["time"] == pytest.approx(2.0 * motion.time[-1])
    effort = 0.5 * np.trapezoid(motion.tau[:, 0] ** 2, motion.time)
    assert motion.objectives["effort"] == pytest.approx(effort, rel=1e-3)  # between nodes too in the motion


def test_effort_alone_is_refused_if_gravity_is_along_the_axes_and_kept_if_it_loads_the_joint() -> None:
    """Along the axis, effort of T seconds is 12 I^2 angle^2 / T^3, which has no least value."""
    with pytest.raises(PredictionError, match="effort alone has no minimum: gravity loads no joint on the way"):
        solve_task(arm(gravity=[0.0, 0.0, -9.81]))
    swung = arm(links=[ONE | {"com": [-0.2, 0.0, 0.0], "a": 0.4}], gravity=[0.0, -9.81, 0.0], intervals=6)
    assert solve_task(swung.model_copy(update={"free_knots": False})).duration < 5.0


def test_least_time_of_one_link_is_that_of_full_torque_both_ways() -> None:
    motion = solve_task(arm(weights={"time": 1.0}))
    least = 2.0 * np.sqrt(INERTIA * ANGLE / LIMIT)
    assert least * 0.999 < motion.duration < least * 1.004


@pytest.mark.parametrize("limit", [LIMIT * 1e6, LIMIT * 1e3, LIMIT * 1e-5])
def test_least_time_is_found_whatever_its_order_of_magnitude(limit: float) -> None:
    """From 0.4 ms to two minutes. A fixed least duration was returned as the optimum of fast arms."""
    least = 2.0 * np.sqrt(INERTIA * ANGLE / limit)
    motion = solve_task(arm(links=[ONE | {"max_effort": limit}], weights={"time": 1.0}, intervals=8))
    assert motion.duration == pytest.approx(least, rel=4e-3)


@pytest.fixture(scope="module")
def spatial():
    task = ArmTask.model_validate(SPATIAL)
    return arm_problem(task), solve_task(task)


@pytest.mark.parametrize("unit", [1e-9, 1e-4, 1e5])
def test_the_motion_does_not_depend_on_the_unit_of_the_weights(unit: float) -> None:
    """Closed forms of one link: full torque both ways, and the cubic."""
    free_time = {"weights": {"time": unit}, "intervals": 8, "free_knots": True}
    assert solve_task(arm(**free_time)).duration == pytest.approx(2.0 * np.sqrt(ANGLE * INERTIA / LIMIT), rel=2e-3)
    effort = solve_task(arm(duration=0.8, weights={"effort": unit})).objectives["effort"]
    assert effort == pytest.approx(unit * 12.0 * (INERTIA * ANGLE) ** 2 / 0.8**3, rel=1e-3)


def test_a_search_that_ends_early_has_the_objective_of_the_given_weights() -> None:
    """The solver's own is that of scaled weights."""
    found = []
    for unit in (1.0, 1e4):
        with pytest.raises(SolverError) as caught:
            arm_problem(arm(weights={"time": unit})).solve(SQP(hessian="bfgs", max_iterations=2))
        found.append(caught.value.best.objective)
    assert found[1] == pytest.approx(1e4 * found[0], rel=1e-6)


def test_an_arm_in_space_under_gravity_has_the_torques_and_sensitivities_of_pinocchio(spatial) -> None:
    problem, motion = spatial
    other = PinocchioTree(problem.skeleton, gravity=problem.gravity)
    for frame in range(0, len(motion.time), 97):
        q, qd, qdd = motion.q[frame], motion.qd[frame], motion.qdd[frame]
        tau, force, moment = other.rnea(q, qd, qdd)
        np.testing.assert_allclose(motion.tau[frame], tau, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(motion.force_G[frame], force, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(motion.moment_G[frame], moment, rtol=1e-9, atol=1e-9)
        for found, own in zip(
            (motion.dtau_dq, motion.dtau_dqd, motion.dtau_dqdd), other.rnea_derivatives(q, qd, qdd), strict=True
        ):
            np.testing.assert_allclose(found[frame], own, rtol=1e-7, atol=1e-7)


def test_the_base_carries_the_whole_arm_with_its_load(spatial) -> None:
    """Newton's law of the centre of mass, whose acceleration is that of a spline through its path over time."""
    problem, motion = spatial
    skeleton, time = problem.skeleton, motion.time
    links = SPATIAL["links"]
    masses = [link["mass"] for link in links]
    assert skeleton.mass.sum() == pytest.approx(sum(masses) + SPATIAL["load"]["mass"])
    R, r = link_poses(skeleton, motion.q)
    own = [r[:, j] + R[:, j] @ np.array(link["com"]) for j, link in enumerate(links)]
    carried = r[:, -1] + R[:, -1] @ np.array(SPATIAL["load"]["at"])
    momentum = sum(m * c for m, c in zip([*masses, SPATIAL["load"]["mass"]], [*own, carried], strict=True))
    spline = make_interp_spline(time, momentum, 5)
    expected = spline.derivative(2)(time) - skeleton.mass.sum() * problem.gravity
    # Accelerations of cubic splines have corners at the knots, where the interpolation is not smooth.
    knots = time[-1] * np.linspace(0.0, 1.0, SPATIAL["intervals"] + 1)
    inside = np.abs(time[:, None] - knots).min(axis=1) > 0.02 * time[-1]
    assert inside.sum() > 500
    np.testing.assert_allclose(motion.force_G[inside, 0], expected[inside], atol=1e-3 * np.abs(expected).max())


def test_ends_limits_and_ranges_are_kept_between_nodes(spatial) -> None:
    _, motion = spatial
    np.testing.assert_allclose(np.degrees(motion.q[[0, -1], :2]), [[-60, 10], [70, 50]], atol=1e-6)
    np.testing.assert_allclose(motion.qd[[0, -1]], 0.0, atol=1e-8)
    assert (np.abs(motion.tau) / motion.tau_limit).max() < 1.0 + 2e-3
    assert motion.q[:, 2].min() > 0.1 - 1e-3
    assert motion.q[:, 2].max() < 0.45 + 1e-3
    assert max(violation.dense for violation in motion.violations) < 2e-3
    assert [violation.tolerance for violation in motion.violations] == [1e-3, 1e-3]  # of the limit; mm or mrad
    assert motion.ended == "converged"


def test_a_load_makes_the_arm_slower() -> None:
    light, heavy = (
        solve_task(ArmTask.model_validate(SPATIAL | {"load": load})) for load in (None, {"mass": 2.0, "at": [0, 0, 0]})
    )
    assert heavy.duration > light.duration


@pytest.mark.parametrize("name", [pytest.param("two_revolute", marks=pytest.mark.long), "prismatic_revolute"])
def test_an_arm_under_way_is_replanned_to_another_end(name: str) -> None:
    problem = arm_problem(load_task(TASKS / f"{name}.yaml"))  # type: ignore[arg-type]
    motion = problem.solve()
    goal = problem.end + np.array([-0.15, 0.3])
    for share in (0.2, 0.5):
        at = share * motion.total_time
        again = problem.replanned(motion, at, goal)
        rest = again.solve()
        frame = int(np.argmin(np.abs(motion.time - at)))
        np.testing.assert_allclose(rest.q[0], motion.q[frame], atol=5e-3)
        np.testing.assert_allclose(rest.qd[0], again.begin_rate, atol=2e-5)
        np.testing.assert_allclose(rest.q[-1], goal, atol=1e-9)
        np.testing.assert_allclose(rest.qd[-1], 0.0, atol=1e-8)
        assert rest.max_violation_dense < 5e-3  # few knots


@pytest.mark.parametrize("mass", [1e-6, 1.0, 1e4])
def test_an_arm_is_loaded_at_rest_where_gravity_turns_a_joint_on_its_way(mass: float) -> None:
    """A pendulum on a level slide is not loaded where it hangs all the way, and is where it swings aside, light or
    heavy. Frames are turned by 30 degrees, so that a torque that balances is zero only to rounding."""
    slide = {"name": "slide", "kind": "P", "theta": 30.0, "mass": mass, "inertia": [mass] * 3, "max_effort": 1.0}
    swing = slide | {"name": "swing", "kind": "R", "theta": 0.0, "com": [0.3, 0.0, 0.0]}
    for end, loaded in ((-120.0, False), (-110.0, True)):
        links = [slide | {"move": [0.1, 0.4]}, swing | {"move": [-120.0, end]}]
        assert arm_problem(arm(links=links, gravity=[0.0, -9.81, 0.0])).is_loaded_at_rest == loaded


@pytest.mark.parametrize(("at", "left"), [(0.3, 0.5), (0.79, 0.08)])
def test_a_given_duration_ends_when_it_was_to_end_or_after_a_tenth_of_it(at: float, left: float) -> None:
    problem = arm_problem(arm(duration=0.8))
    again = problem.replanned(problem.solve(), at, 0.5 * problem.end)
    assert again.duration == pytest.approx(left)


@pytest.fixture(scope="module")
def body():
    return load_skeleton(HOME / "config/skeleton.yaml")


def test_strength_falls_as_the_cycle_averaged_model_of_fatigue_says(body) -> None:
    """Of one motion; the averaged equations are integrated over minutes, the lifts one by one."""
    task, every, lifts = LiftTask(load=10.0), 6.0, 5
    first, found = repeat_lift(body, task, every, lifts)
    assert found.able
    limit, time = np.asarray(body.tau_limit), first.time
    fine = np.linspace(0.0, every, 1201)[:-1]
    for name in ("right_hip_flexion", "spine1_flexion", "right_ankle_flexion"):
        j = body.index(name)
        share = np.abs(first.tau[:, j]) / limit[j]
        load = np.where(fine < time[-1], np.interp(fine, time, share), 0.0)
        rates = rates_of(muscles_of(name))
        tired = repeated_fatigue(rates, np.linspace(0.0, every * (lifts - 1), 100), load)[-1]
        # Following the load takes the active share about a tenth of a second of the 1.5 s.
        assert 1.0 - found.strength[-1, j] == pytest.approx(tired, rel=0.15)


@pytest.mark.long
def test_a_heavy_box_ends_the_task_and_a_light_one_does_not(body) -> None:
    _, heavy = repeat_lift(body, LiftTask(load=40.0), 2.0, 60)
    assert not heavy.able
    assert 1 <= heavy.lifts < 60
    assert "no lift is found within the remaining strength" in heavy.ended
    _, light = repeat_lift(body, LiftTask(load=2.0), 10.0, heavy.lifts + 5)
    assert light.able
    assert light.strength[-1].min() > heavy.strength[-1].min()
    # Each solution keeps to the strength that it was given.
    for number, tau in zip(heavy.number, heavy.tau, strict=True):
        limit = np.asarray(body.tau_limit) * heavy.strength[number - 1]
        assert (np.abs(tau[:, 6:]) / limit[6:]).max() < 1.0 + 1e-3


def test_a_repeated_lift_has_its_sensitivities_internal_loads_and_limit() -> None:
    task = load_task(TASKS / "lift.yaml")
    assert isinstance(task, LiftTaskFile)
    told: list[int] = []
    short = task.model_copy(update={"repeat": task.repeat.model_copy(update={"most": 3})})
    motion = solve_task(short, lambda number, strength: told.append(number))
    assert told == [1, 2, 3]
    assert motion.repeated.lifts == 3
    assert motion.repeated.strength.shape == (3, len(motion.joint_names))
    assert 3.0 < motion.repeated.weight_limit < 20.0
    # The feet carry body and box: at rest at the end the pelvis carries what is above it.
    j = motion.joint_names.index("spine1_flexion")
    assert motion.force_G[-1, j, 1] > 20.0 * 9.81
    assert np.isfinite(motion.dtau_dq).all()
    with pytest.raises(PredictionError, match="out of reach"):
        solve_task(task.model_copy(update={"repeat": None, "end": [3.0, 1.0]}))


@pytest.mark.long
def test_a_walk_of_a_file_is_that_of_the_same_body_and_task() -> None:
    task = load_task(TASKS / "walk.yaml")
    motion = solve_task(task)
    other = predict_gait(load_skeleton(HOME / "config/skeleton.yaml", mass=73, height=1.741, sex="male"))
    np.testing.assert_allclose(motion.q, other.q, atol=1e-9)
    assert motion.duration == pytest.approx(0.5)
    # The mass matrix of the whole body: a push along x moves all of its mass.
    x = motion.joint_names.index("pelvis_tx")
    np.testing.assert_allclose(motion.dtau_dqdd[:, x, x], 73.0, rtol=1e-9)
    # Of the pelvis the ground carries the weight: no residual.
    np.testing.assert_allclose(motion.tau[:, :6], 0.0, atol=1e-6)
