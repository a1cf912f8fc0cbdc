"""The worked systems: printed equations against the tree, energy, control, both formulations of inverse dynamics."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.dynamics import equations_of_motion, forward_dynamics, rnea
from pipeline.examples import (
    ankle_knee,
    cylinders,
    double_pendulum,
    manipulators,
    pid,
    reaching,
    spring,
    trade_offs,
    walking,
)
from pipeline.examples.__main__ import main
from pipeline.examples.double_pendulum import CODED, Bars, absolute, relative
from pipeline.examples.segments import segment_state
from pipeline.prediction import GaitTask, find_preset, predict_gait, prismatic_revolute_skeleton
from pipeline.skeleton import load_skeleton

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"


@pytest.mark.parametrize("bars", [Bars(), CODED, Bars(1.3, 0.7, 0.9, 1.4)])
def test_the_printed_pendulum_equations_are_those_of_the_tree(bars):
    """In angles from the vertical M' = B^T M B and so on, with relative q = B theta; and Q = B^T (M_1, M_12)."""
    rng = np.random.default_rng(0)
    B = np.array([[1.0, 0.0], [-1.0, 1.0]])
    tau = np.array([2.0, -3.0])
    for _ in range(20):
        theta, omega = rng.normal(size=2), 5 * rng.normal(size=2)
        M, C, G = (np.array(term) for term in double_pendulum.matrices(bars, theta, omega))
        terms = equations_of_motion(double_pendulum.tree(bars), [relative(theta)], [relative(omega)], [tau])
        np.testing.assert_allclose(B.T @ terms.M[0] @ B, M, atol=1e-13)
        np.testing.assert_allclose(B.T @ terms.C[0], C, atol=1e-12)
        np.testing.assert_allclose(B.T @ terms.G[0], G, atol=1e-12)
        np.testing.assert_allclose(B.T @ terms.Q[0], [tau[0] - tau[1], tau[1]])


@pytest.mark.long
@pytest.mark.parametrize(
    "bars", [pytest.param(Bars(), id="text"), pytest.param(CODED, id="program", marks=pytest.mark.exhaustive)]
)
def test_the_free_pendulum_keeps_its_energy_to_1e_8_over_20_seconds(bars):
    motion = double_pendulum.swing(bars)
    scale = (np.abs(motion.energy.kinetic) + np.abs(motion.energy.potential)).max()
    assert motion.time[-1] == 20.0
    assert np.abs(motion.energy.total - motion.energy.total[0]).max() < 1e-8 * scale
    printed = double_pendulum.total_energy(bars, absolute(motion.q), absolute(motion.qd))
    np.testing.assert_allclose(motion.energy.total, printed, rtol=0, atol=1e-12 * scale)


def test_the_texts_program_does_not_conserve_energy():
    time, theta, omega = double_pendulum.euler(weight_length=CODED.l2)
    energy = double_pendulum.total_energy(CODED, theta, omega)
    assert np.ptp(energy) > 1.0
    time, theta, omega = double_pendulum.euler()
    energy = double_pendulum.total_energy(CODED, theta, omega)
    assert energy[-1] - energy[0] > 0.01  # explicit Euler pumps
    motion = double_pendulum.swing(CODED, duration=0.5)
    early = time <= 0.5
    # 5000 steps of 1e-4 s: error of the order of step times acceleration times duration
    np.testing.assert_allclose(theta[early], absolute(motion.at(time[early])[0]), atol=0.1)


@pytest.mark.long
def test_the_pid_controller_holds_the_second_bar_near_its_target_and_its_work_balances_the_energy():
    motion = pid.controlled()
    angle = absolute(motion.q)[:, 1]
    late = motion.time > 10.0
    assert np.abs(angle[late] - np.pi / 3).max() < np.radians(10.0)
    assert np.abs(angle[0] - np.pi / 3) < 1e-12
    assert np.abs(angle[:100] - np.pi / 3).max() > np.radians(15.0)  # the first bar's swing throws it off first
    scale = (np.abs(motion.energy.kinetic) + np.abs(motion.energy.potential)).max()
    np.testing.assert_allclose(motion.energy.total - motion.work, motion.energy.total[0], atol=1e-8 * scale)
    expected = 30 * (np.pi / 3 - angle) - 2 * absolute(motion.qd)[:, 1] + 3 * motion.states[:, 0]
    np.testing.assert_allclose(motion.tau[:, 1], expected, atol=1e-12)
    integral = np.concatenate([[0.0], np.cumsum((np.pi / 3 - (angle[1:] + angle[:-1]) / 2) * np.diff(motion.time))])
    np.testing.assert_allclose(motion.states[:, 0], integral, atol=1e-3)  # trapezoids of 10 ms


def test_the_springs_term_is_minus_the_gradient_of_its_energy():
    """By central differences, at general angles."""
    tie, q, step = spring.Spring(), np.random.default_rng(1).normal(size=(6, 2)), 1e-6
    for row in q:
        E = equations_of_motion(
            double_pendulum.tree(Bars()), row[None], np.zeros((1, 2)), wrenches=tie.wrenches(0.0, row, row)
        ).E[0]
        change = step * np.eye(2)
        slope = (tie.energy(row + change) - tie.energy(row - change)) / (2.0 * step)
        np.testing.assert_allclose(E, -slope, rtol=1e-6, atol=1e-6)


def test_bars_and_spring_keep_their_energy_together():
    motion, tie = spring.tied(duration=2.0), spring.Spring()
    stored = tie.energy(motion.q)
    assert np.ptp(stored) > 1.0
    np.testing.assert_allclose(motion.energy.total + stored, motion.energy.total[0] + stored[0], atol=1e-7)


def test_the_reaching_arms_torques_are_those_of_the_textbook_two_link_arm():
    """Hollerbach and Flash 1982, equations 1 and 2, with the interaction terms apart; the hand's path by geometry."""
    found, arm = reaching.reach(), reaching.ARM
    q, qd, qdd = found.q, found.qd, found.qdd
    second = arm.m2 * arm.l2**2 / 3
    h = arm.m2 * arm.l1 * arm.l2 / 2
    c, s = h * np.cos(q[:, 1]), h * np.sin(q[:, 1])
    own = np.stack([(arm.m1 * arm.l1**2 / 3 + arm.m2 * arm.l1**2 + second + 2 * c) * qdd[:, 0], second * qdd[:, 1]], 1)
    other = np.stack([(second + c) * qdd[:, 1], (second + c) * qdd[:, 0]], axis=1)
    velocity = np.stack([-s * (qd[:, 1] ** 2 + 2 * qd[:, 0] * qd[:, 1]), s * qd[:, 0] ** 2], axis=1)
    for ours, textbook in ((found.own, own), (found.other, other), (found.velocity, velocity)):
        assert np.abs(textbook).max() > 0.1
        np.testing.assert_allclose(ours, textbook, atol=1e-12)
    np.testing.assert_allclose(found.tau, own + other + velocity, atol=1e-12)
    total = q.sum(axis=1)
    right = arm.l1 * np.sin(q[:, 0]) + arm.l2 * np.sin(total)
    ahead = arm.l1 * np.cos(q[:, 0]) + arm.l2 * np.cos(total)
    np.testing.assert_allclose(
        [right[[0, -1]], ahead[[0, -1]]], np.transpose([reaching.START, reaching.END]), atol=1e-12
    )
    np.testing.assert_allclose(np.gradient(q, found.time, axis=0)[1:-1], qd[1:-1], atol=2e-3)
    np.testing.assert_allclose(np.gradient(qd, found.time, axis=0)[1:-1], qdd[1:-1], atol=5e-2)


def test_the_block_matrices_of_ankle_and_knee_agree_with_the_recursion():
    leg = ankle_knee.solve(SKELETON)
    for both, recursive_of_both in ((leg.moment_G, leg.recursive_moment_G), (leg.force_G, leg.recursive_force_G)):
        assert both.shape == (101, 2, 3)
        for block, recursive in zip(both.swapaxes(0, 1), recursive_of_both.swapaxes(0, 1), strict=True):
            assert np.abs(recursive).max() > 10.0
            np.testing.assert_allclose(block, recursive, rtol=0, atol=1e-9 * np.abs(recursive).max())


def test_the_leg_stands_upright_on_a_plausible_ground_reaction():
    skeleton = ankle_knee.body(SKELETON)
    time, q, _, _ = ankle_knee.stance(skeleton)
    ground = ankle_knee.ground_reaction(skeleton, time, q)
    weight = 9.81 * skeleton.mass.sum()
    assert (ground.force_G[:, 1] > -1e-9).all()  # contacts can only push
    assert 1.0 < ground.force_G[:, 1].max() / weight < 1.4
    assert "right_toe_extension" not in skeleton.joint_names


def test_the_stance_has_consistent_derivatives():
    skeleton = ankle_knee.body(SKELETON)
    time, q, qd, qdd = ankle_knee.stance(skeleton, 2001)
    step = time[1] - time[0]
    np.testing.assert_allclose(np.gradient(q, step, axis=0)[1:-1], qd[1:-1], atol=1e-4)
    np.testing.assert_allclose(np.gradient(qd, step, axis=0)[1:-1], qdd[1:-1], atol=1e-2)


def test_ball_joints_of_the_swinging_cylinders_exert_no_moment_and_the_recursions_force():
    solution = cylinders.solve()
    force = np.stack([solution.x[:, 6:9], solution.x[:, 0:3]], axis=1)
    np.testing.assert_allclose(force, solution.recursive_force_G, rtol=0, atol=1e-9 * np.abs(force).max())
    np.testing.assert_allclose(solution.x[:, [3, 4, 5, 9, 10, 11]], 0.0, atol=1e-10)
    energy = solution.motion.energy
    scale = (np.abs(energy.kinetic) + np.abs(energy.potential)).max()
    np.testing.assert_allclose(energy.total, energy.total[0], atol=1e-8 * scale)


def test_the_matrices_written_out_for_the_cylinders_are_those_of_the_system():
    """Each block as printed, worked out from poses of the tree; r and d along the bars' axes."""
    solution, skeleton, t = cylinders.solve(duration=0.3), cylinders.tree(), 17
    system, motion = solution.system, solution.motion
    qdd = forward_dynamics(skeleton, motion.q, motion.qd, motion.tau)
    bars = {"1": "lower_bar", "2": "upper_bar"}
    state = {number: segment_state(skeleton, bar, motion.q, motion.qd, qdd) for number, bar in bars.items()}
    names = {"0": np.zeros((3, 3)), "1": np.eye(3), "-1": -np.eye(3)}
    terms = {"0": np.zeros(3)}
    for bar, (number, subscript) in enumerate(zip("12", "₁₂", strict=True)):
        R = state[number].R_GS[t].T
        m, radius, length = cylinders.MASS[1 - bar], cylinders.RADIUS[1 - bar], cylinders.LENGTH[1 - bar]
        inertia = m * np.diag([3 * radius**2 + length**2, 6 * radius**2, 3 * radius**2 + length**2]) / 12
        omega, alpha = R @ state[number].omega_G[t], R @ state[number].alpha_G[t]
        up = R.T[:, 1] * length / 2
        crossed = np.cross(up, np.eye(3)).T  # times v: up x v
        names |= {f"R{subscript} S(r{subscript})": R @ crossed, f"-R{subscript} S(d{subscript})": R @ crossed}
        terms |= {
            f"m{subscript} a{subscript}": m * state[number].com_acceleration_G[t],
            f"m{subscript} g": m * np.array([0.0, -9.81, 0.0]),
            f"I{subscript} ω̇{subscript}": inertia @ alpha,
            f"-S(ω{subscript}) I{subscript} ω{subscript}": -np.cross(omega, inertia @ omega),
        }
    names["-R₂ R₁ᵀ"] = -state["2"].R_GS[t].T @ state["1"].R_GS[t]
    (table,) = cylinders.tables()
    written = [np.concatenate([terms[row[k]] for row in table.rows]) for k in (1, 2, 3)]
    A = np.block([[names[cell] for cell in row[4:]] for row in table.rows])
    for ours, printed in zip((system.M[t] @ system.a[t], system.C[t], system.G[t]), written, strict=True):
        np.testing.assert_allclose(ours, printed, atol=1e-12)
    np.testing.assert_allclose(system.A[t], A, atol=1e-12)
    np.testing.assert_array_equal(system.E[t], 0.0)


def test_the_first_manipulators_torques_are_those_of_the_textbook_two_link_arm():
    """Closed form of two links in a plane (Craig 1989), with h = m2 l1 r2 sin q2, along the optimal motion."""
    motion = manipulators.two_revolute(8)
    q, qd, qdd = motion.q, motion.qd, motion.qdd
    m, length, r, inertia = 0.5, 0.4, 0.2, 0.1
    c, h = np.cos(q[:, 1]), m * length * r * np.sin(q[:, 1])
    m22 = inertia + m * r**2
    m12 = m22 + m * length * r * c
    m11 = 2 * inertia + m * r**2 + m * (length**2 + r**2 + 2 * length * r * c)
    first = m11 * qdd[:, 0] + m12 * qdd[:, 1] - h * (2 * qd[:, 0] * qd[:, 1] + qd[:, 1] ** 2)
    second = m12 * qdd[:, 0] + m22 * qdd[:, 1] + h * qd[:, 0] ** 2
    np.testing.assert_allclose(motion.tau, np.stack([first, second], axis=1), atol=1e-11)
    assert np.abs(motion.tau).max() > 9.99


@pytest.mark.parametrize("reading", ["posture", "offset"])
def test_the_second_manipulators_forces_are_those_of_a_rod_on_a_cart(reading):
    """Table 4.3: the slide moves along its axis, the rod turns in the plane that holds it.

    With phi the angle between rod and slide, force = 2 m q1'' + m r d2(cos phi)/dt2, and the rod's torque is
    (I + m r^2) q2'' plus the moment of the cart's acceleration; the sign of phi's zero is the reading.
    """
    motion = manipulators.prismatic_revolute(0.01, reading)
    q, qd, qdd = motion.q, motion.qd, motion.qdd
    m, r, inertia = 0.5, 0.2, 0.1
    angle = q[:, 1] + (np.pi / 2 if reading == "offset" else 0.0)  # from the link's x, square to the slide
    s, c = np.sin(angle), np.cos(angle)
    # the rod's centre moves along the slide by r sin(angle)
    along = r * (c * qdd[:, 1] - s * qd[:, 1] ** 2)
    force = 2 * m * qdd[:, 0] + m * along
    torque = (inertia + m * r**2) * qdd[:, 1] + m * r * c * qdd[:, 0]
    np.testing.assert_allclose(motion.tau[:, 0], force, atol=1e-11)
    np.testing.assert_allclose(motion.tau[:, 1], torque, atol=1e-11)


@pytest.mark.long
def test_the_optimal_motions_are_those_of_the_thesis():
    """Section 4.1.3 and 4.2.2: bounds, switches, peaks of the internal forces, and the published times."""
    revolute, slide = manipulators.two_revolute(), manipulators.prismatic_revolute()
    assert revolute.total_time == pytest.approx(manipulators.THESIS_REVOLUTE, rel=3e-3)
    (first,) = manipulators.switches(revolute, 0)
    assert first == pytest.approx(0.2, abs=0.01), "the first torque leaves its upper bound at about 0.2 s"
    early, late = manipulators.switches(revolute, 1)
    assert early < 0.1
    assert late == pytest.approx(0.25, abs=0.02), "the second returns to its lower bound at about 0.25 s"
    for motion in (revolute, slide):
        peaks = np.linalg.norm(motion.force_G, axis=2).max(axis=0)
        assert peaks[0] > peaks[1]
    assert slide.tau[0, 0] > 0.0 > slide.tau[-1, 0]
    assert slide.tau[0, 1] < 0.0 < slide.tau[-1, 1]


def test_a_motion_at_another_pace_has_the_objective_that_its_torques_give():
    motion = manipulators.prismatic_revolute()
    pace = motion.total_time / 0.5
    skeleton = prismatic_revolute_skeleton()
    loads = rnea(skeleton, motion.q, pace * motion.qd, pace**2 * motion.qdd, gravity=(0.0, 0.0, 0.0))
    direct = 0.99 * 0.5 + 0.01 * np.trapezoid((loads.tau**2).sum(axis=1), motion.time / pace)
    # The solver integrates over its own 97 nodes, a twentieth of these.
    assert manipulators.in_time(motion, 0.5) == pytest.approx(direct, rel=3e-4)
    assert manipulators.in_time(motion, manipulators.THESIS_PRISMATIC) > motion.objective


@pytest.fixture
def few(monkeypatch):
    """Every second point of the curves that take a solve for each."""
    monkeypatch.setattr(trade_offs, "SHARES", (0.0, 0.01, 0.1, 0.99))
    monkeypatch.setattr(trade_offs, "INTERVALS", (4, 8, 16))


@pytest.mark.long
@pytest.mark.usefixtures("few")
def test_free_knots_are_never_worse_than_the_even_ones_that_they_start_from():
    (table,) = trade_offs.interval_tables()
    for _, fixed, free, *_ in table.rows:
        assert float(free) <= float(fixed)


@pytest.mark.long
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("reading", manipulators.READINGS)
def test_no_motion_of_the_front_is_better_than_another_in_time_and_effort(reading):
    motions = [manipulators.prismatic_revolute(u, reading) for u in trade_offs.SHARES]
    assert np.all(np.diff([motion.total_time for motion in motions]) > 0)
    efforts = [trade_offs.effort(motion, u) for motion, u in zip(motions, trade_offs.SHARES, strict=True)]
    assert np.all(np.diff(efforts) < 0)


def test_the_walk_of_chapter_5_is_that_of_the_preset_thesis(monkeypatch):
    """Whose peaks `tests/prediction/test_gait` compares with the chapter's figures."""
    asked = []
    monkeypatch.setattr(walking, "predict_gait", lambda *request: asked.append(request))
    walking.walk.__wrapped__(SKELETON)
    ((skeleton, task, preset),) = asked
    assert (skeleton.mass.sum(), task, preset) == (load_skeleton(SKELETON).mass.sum(), GaitTask(1.2, 0.6), "thesis")


@pytest.mark.long
@pytest.mark.usefixtures("few")
def test_one_command_writes_every_figure_and_an_index(tmp_path, monkeypatch, capsys):
    """With the walk on few nodes."""
    coarse = replace(find_preset("thesis"), n_nodes=13, n_intervals=5, first_stages=("nearest",))
    own = predict_gait(load_skeleton(SKELETON), GaitTask(1.2, 0.6), coarse)
    monkeypatch.setattr(walking, "walk", lambda skeleton_path: own)
    monkeypatch.setattr(sys, "argv", ["examples", "--out", str(tmp_path), "--skeleton", str(SKELETON)])
    main()
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    figures = sorted(path.name for path in tmp_path.glob("*.svg"))
    own = ["ankle_knee", "cylinders", "double_pendulum", "intervals", "pareto_front", "pid"]
    assert figures == [
        f"{name}.svg" for name in (*own, "prismatic_revolute", "reaching", "spring", "two_revolute", "walking")
    ]
    assert all(f'src="{name}"' in index for name in figures)
    assert index.count("<table>") == 6
    assert len(capsys.readouterr().out.split()) == len(figures) + 1
