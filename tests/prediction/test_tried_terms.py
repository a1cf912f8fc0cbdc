"""Terms of the objective and of the ablation table: derivatives, passive moments as generalised forces, energy."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pinocchio as pin
import pytest

from pipeline.conventions import SIDES
from pipeline.optimisation import Evaluation, NodeValues
from pipeline.prediction import find_preset
from pipeline.prediction.gait import human_terms
from pipeline.prediction.gait.problem import GaitProblem, motion_of
from pipeline.prediction.gait.walker import Spring
from pipeline.skeleton import passive_moments
from tests.benchmarks import prediction_terms
from tests.benchmarks.prediction_agreement import norm_request
from tests.oracles.pinocchio_tree import PinocchioTree

LEG = ("hip_flexion", "hip_adduction", "knee_flexion", "ankle_flexion")


def problem_of(row: str) -> tuple[GaitProblem, np.ndarray]:
    """A row's problem at free speed, and a motion with bent knees and ankles at which no term is at rest."""
    _, body, task, _ = norm_request("free")
    problem = GaitProblem.make(body.skeleton, task, prediction_terms.ROWS[row])
    return problem, problem.neutral_guess() + 0.1 * np.random.default_rng(1).normal(size=problem.problem.n_variables)


@pytest.mark.parametrize("row", ["human", "rigid Achilles tendons", "powers penalised", "vertical force penalised"])
def test_gradient_is_that_of_finite_differences(row) -> None:
    problem, x = problem_of(row)
    gradient, rng = Evaluation(problem.problem, x).gradient, np.random.default_rng(0)
    for _ in range(2):
        along, step = rng.normal(size=len(x)), 1e-6
        ends = [Evaluation(problem.problem, x + sign * step * along).objective for sign in (1.0, -1.0)]
        # Central differences: rounding of the objective over the step, with a margin.
        assert (ends[0] - ends[1]) / (2.0 * step) == pytest.approx(gradient @ along, rel=1e-5)


def test_passive_moments_act_on_the_leg_s_joints_alone() -> None:
    problem, x = problem_of("human")
    motion, walker = motion_of(problem.problem, x), problem.walker
    value, names = motion.passive_tau.value, walker.skeleton.joint_names
    own = [names.index(f"right_{name}_flexion") for name in ("hip", "knee", "ankle")]
    scale = walker.mass * walker.leg_length / (70.0 * 0.92)
    np.testing.assert_allclose(value[:, own], scale * passive_moments(motion.states.q[:, own])[0])
    legs = [j for j, name in enumerate(names) if name.endswith(("hip_flexion", "knee_flexion", "ankle_flexion"))]
    assert np.all(np.delete(value, legs, axis=1) == 0.0)
    taken = motion.muscle_tau.value - value
    joints = np.array(own)
    active = human_terms.active_torques(joints, np.ones(3))(motion).value
    np.testing.assert_allclose(active, taken[:, joints])
    net = motion_of(problem_of("without passive moments")[0].problem, x)
    np.testing.assert_allclose(net.passive_tau.value, value, err_msg="of the motion, whatever the terms")


def test_a_spring_takes_the_place_of_its_joint_s_passive_moment() -> None:
    _, body, task, _ = norm_request("free")
    springs = [Spring(f"{side}_ankle_flexion", 300.0) for side in ("left", "right")]
    bare, x = problem_of("human")
    with_springs = GaitProblem.make(body.skeleton, task, "human", springs)
    own, other = (motion_of(one.problem, x).passive_tau.value for one in (with_springs, bare))
    ankles = list(bare.walker.ankles.values())
    assert np.all(own[:, ankles] == 0.0)
    assert np.abs(other[:, ankles]).max() > 0.1
    np.testing.assert_array_equal(np.delete(own, ankles, axis=1), np.delete(other, ankles, axis=1))
    slack = GaitProblem.make(body.skeleton, task, "human", [replace(spring, stiffness=0.0) for spring in springs])
    np.testing.assert_array_equal(motion_of(slack.problem, x).passive_tau.value, other, err_msg="without stiffness")


@pytest.mark.parametrize(("row", "stiffness"), [("human", 470.0), ("rigid Achilles tendons", np.inf)])
def test_energy_of_muscles_is_work_over_their_efficiencies(row: str, stiffness: float) -> None:
    """Where powers exceed the smoothing: four times what is generated, and five sixths of what is absorbed.

    The calf gives the ankle's power and the change of energy of a spring that carries the plantarflexor torque.
    """
    problem, x = problem_of(row)
    motion, walker = motion_of(problem.problem, x), problem.walker
    joints = np.array([walker.skeleton.index(f"{side}_{name}") for side in SIDES for name in LEG])
    active = motion.muscle_tau.value[:, joints] - motion.passive_tau.value[:, joints]
    power = active * motion.states.qd[:, joints] / walker.mass
    tendon = stiffness * walker.mass * walker.leg_length / (70.0 * 0.92)
    stored = 0.5 * np.minimum(active, 0.0) ** 2 / tendon / walker.mass * [one == "ankle_flexion" for one in 2 * LEG]
    steps = np.diff(motion.states.time)[:, None]
    calf = 0.5 * (power[1:] + power[:-1]) + np.diff(stored, axis=0) / steps
    expected = np.where(calf > 0.0, calf / 0.25, -calf / 1.2)
    rate = human_terms.energy_rate_root(calf)[0] ** 2
    # Smoothing adds at most half its 0.1 W/kg at each efficiency.
    assert np.all(rate >= expected)
    assert np.all(rate <= expected + 0.5 * 0.1 * (1 / 0.25 + 1 / 1.2) + 1e-12)
    (term,) = [one for one in problem.problem.objectives if one.name == "work of muscles"]
    energy = Evaluation(problem.problem, x).objective_terms()["work of muscles"] / term.weight
    assert energy == pytest.approx(np.sum(rate * steps), rel=1e-9)


def test_an_ankle_that_turns_against_its_tendon_alone_takes_no_work_of_the_calf() -> None:
    """Torque -k a at a dorsiflexion a: the ankle absorbs what the tendon stores, by the trapezoidal rule exactly."""
    problem, _ = problem_of("human")
    walker, rng = problem.walker, np.random.default_rng(4)
    ankle = np.array([walker.ankles["left"]])
    k = 470.0 * walker.mass * walker.leg_length / (70.0 * 0.92)
    angle = np.cumsum(np.abs(rng.normal(size=40))) * 0.01
    torque = np.zeros((len(angle), len(walker.skeleton)))
    torque[:, ankle[0]] = -k * angle
    motion = SimpleNamespace(active_tau=NodeValues(torque))
    energy = human_terms.tendon_energy(SimpleNamespace(walker=walker), ankle)
    stored = energy(motion).value[:, 0]
    absorbed = np.cumsum(0.5 * k * (angle[1:] + angle[:-1]) * np.diff(angle)) / walker.mass
    np.testing.assert_allclose(stored[1:] - stored[0], absorbed, rtol=1e-12)
    torque[:, ankle[0]] *= -1.0
    assert np.all(energy(motion).value == 0.0), "dorsiflexors pull on other tendons"


def test_rates_of_torques_are_those_of_the_muscles_of_hip_knee_and_ankle() -> None:
    """From node to node, over the root of the joint's own limit times 2.05 Nm/kg, those of hips by a factor; of knees
    beyond 0.39 of the hip's and 0.085 of the ankle's extensor torque."""
    problem, x = problem_of("human")
    motion, walker, weights = motion_of(problem.problem, x), problem.walker, find_preset("human").weights
    joints = [walker.skeleton.index(f"{side}_{name}") for side in SIDES for name in LEG]
    active = motion.muscle_tau.value[:, joints] - motion.passive_tau.value[:, joints]
    for hip, knee, ankle in ((0, 2, 3), (4, 6, 7)):
        active[:, knee] += 0.39 * active[:, hip] + 0.085 * active[:, ankle]
    change = np.diff(active, axis=0) / np.diff(motion.states.time)[:, None]
    relative = change**2 / (walker.skeleton.tau_limit[joints] * 2.05 * walker.mass)
    factors = [weights.hip_rate if "hip" in name else 1.0 for _ in SIDES for name in LEG]
    expected = weights.torque_rate * np.sum(factors * relative * np.diff(motion.states.time)[:, None])
    assert Evaluation(problem.problem, x).objective_terms()["rates of torques"] == pytest.approx(expected)


def test_pelvis_posture_is_of_rotation_and_obliquity() -> None:
    problem, x = problem_of("human")
    (term,) = [one for one in problem.problem.objectives if one.name == "pelvic rotation and obliquity"]
    motion, names = motion_of(problem.problem, x), problem.walker.skeleton.joint_names
    both = motion.states.q[:, [names.index("pelvis_rotation"), names.index("pelvis_list")]]
    np.testing.assert_array_equal(term.quantity(motion).value, both)


def test_forearms_are_kept_between_supination_and_pronation() -> None:
    problem, x = problem_of("human")
    (term,) = [one for one in problem.problem.objectives if one.name == "forearm pronation"]
    motion, skeleton = motion_of(problem.problem, x), problem.walker.skeleton
    forearms = [skeleton.index(f"{side}_elbow_pronation") for side in ("right", "left")]
    middle = 0.5 * (skeleton.q_lower[forearms] + skeleton.q_upper[forearms])
    found = term.quantity(motion).value
    np.testing.assert_allclose(np.sort(found), np.sort(motion.states.q[:, forearms] - middle), atol=1e-12)


def test_thorax_posture_is_the_attitude_of_the_thorax_in_space() -> None:
    """By Pinocchio, from the Denavit-Hartenberg numbers; tilt as the benchmarks have it."""
    problem, x = problem_of("human")
    terms = {one.name: one for one in problem.problem.objectives}
    skeleton, names = problem.walker.skeleton, problem.walker.skeleton.joint_names
    motion = motion_of(problem.problem, x)
    tree, thorax = PinocchioTree(skeleton), names.index("spine2_rotation")
    turn = np.array([tree.link_pose(q, thorax).rotation for q in motion.states.q])
    upright = tree.link_pose(np.zeros(len(names)), thorax).rotation
    across = (turn @ upright.T)[:, :, 2]
    found = terms["rotation and obliquity of the thorax"].quantity(motion).value
    np.testing.assert_allclose(found, across[:, :2], atol=1e-12)
    small = 1e-4 * motion.states.q
    of_sums = prediction_terms.thorax_attitude(names, small)[:, :2] * [1.0, -1.0]
    slightly = problem.problem.model(replace(motion.states, q=small))
    found = terms["rotation and obliquity of the thorax"].quantity(slightly).value
    np.testing.assert_allclose(found, of_sums, atol=1e-7, err_msg="sums of small angles")
    q = np.zeros_like(motion.states.q)
    angles = np.linspace(-0.3, 0.3, len(q))
    q[:, names.index("pelvis_tilt")] = angles
    tilted = problem.problem.model(replace(motion.states, q=q))
    found = terms["tilt of the thorax"].quantity(tilted).value[:, 0]
    np.testing.assert_allclose(found, -np.sin(prediction_terms.thorax_attitude(names, q)[:, 2]), atol=1e-12)


def test_on_a_slope_the_thorax_is_upright_where_its_line_is_vertical() -> None:
    """Uphill by 0.1 rad, in the axes of the ground: a pelvis, and all above it, that tilts forward by as much."""
    _, body, task, _ = norm_request("free")
    problem = GaitProblem.make(body.skeleton, replace(task, slope=0.1), "human")
    motion, names = motion_of(problem.problem, problem.neutral_guess()), problem.walker.skeleton.joint_names
    terms = {one.name: one for one in problem.problem.objectives}
    q = motion.states.q.copy()
    q[:, names.index("pelvis_tilt")] = -0.1
    tilted = problem.problem.model(replace(motion.states, q=q))
    assert np.abs(terms["tilt of the thorax"].quantity(tilted).value).max() < 1e-12
    assert np.abs(terms["rotation and obliquity of the thorax"].quantity(tilted).value).max() < 1e-12
    assert terms["tilt of the thorax"].quantity(motion).value == pytest.approx(-np.sin(0.1))


def test_the_vertical_moment_is_the_change_of_angular_momentum_about_the_zero_moment_point() -> None:
    """Pinocchio's centroidal momentum, of a body that no other force reaches."""
    problem, x = problem_of("human")
    motion, walker = motion_of(problem.problem, x), problem.walker
    (term,) = [one for one in problem.problem.objectives if one.name == "vertical moment of the ground"]
    tree, s = PinocchioTree(walker.skeleton), motion.states
    weight, expected = walker.mass * 9.81, []
    for q, qd, qdd in zip(s.q, s.qd, s.qdd, strict=True):
        args = [tree.to_pin(v) for v in (q, qd, qdd)]
        rate = pin.computeCentroidalMomentumTimeVariation(tree.model, tree.data, *args)
        centre = pin.centerOfMass(tree.model, tree.data, args[0])
        force = rate.linear + np.array([0.0, weight, 0.0])
        about_origin = rate.angular + np.cross(centre, force)
        zmp = np.array([about_origin[2], 0.0, -about_origin[0]]) / force[1]
        moment = (about_origin - np.cross(zmp, force))[1]
        expected.append(moment * force[1] / weight**2 / walker.leg_length)
    np.testing.assert_allclose(term.quantity(motion).value[:, 0], expected, rtol=1e-6, atol=1e-9)


def test_accelerations_of_the_pelvis_are_of_its_three_angles() -> None:
    problem, x = problem_of("human")
    (term,) = [one for one in problem.problem.objectives if one.name == "accelerations of the pelvis"]
    motion, names = motion_of(problem.problem, x), problem.walker.skeleton.joint_names
    own = [names.index(f"pelvis_{name}") for name in ("rotation", "list", "tilt")]
    np.testing.assert_array_equal(term.quantity(motion).value, motion.states.qdd[:, own])


def test_passive_moments_of_the_knees_count_by_their_squares() -> None:
    problem, x = problem_of("human")
    motion, walker = motion_of(problem.problem, x), problem.walker
    knees = [walker.skeleton.index(f"{side}_knee_flexion") for side in SIDES]
    relative = motion.passive_tau.value[:, knees] ** 2 / (walker.skeleton.tau_limit[knees] * 2.05 * walker.mass)
    term = Evaluation(problem.problem, x).objective_terms()["passive moments of the knees"]
    expected = find_preset("human").weights.passive_knee * motion.states.quadrature @ relative.sum(axis=1)
    assert term == pytest.approx(expected)
