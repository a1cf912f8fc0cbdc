"""Inverse kinematics against motions of known coordinates, another solver, and derivatives by differences."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.interpolate import BSpline, make_lsq_spline
from scipy.optimize import least_squares

from pipeline.dynamics import rnea
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics import (
    calibrate_static,
    fit_frames,
    fit_spline,
    frame_fit,
    marker_jacobians,
    model_marker_positions,
    observability,
    spline_fit,
)
from pipeline.inverse_kinematics.frame_fit import HUBER, REGULARISATION_WEIGHT, _Solver, marker_costs
from pipeline.inverse_kinematics.kernels import normal_equations_kernel, solve_along_tree
from pipeline.inverse_kinematics.observability import _groups
from pipeline.inverse_kinematics.spline_fit import _Problem
from pipeline.inverse_kinematics.static_calibration import _assumed_markers, _average_sides, _scaled
from pipeline.math3d import Wrench, rotation_about
from pipeline.signals import derivatives, low_pass

RATE, FRAMES, STATURE = 100.0, 120, 1.7
"""Those of the walk and the human of `conftest.py`."""

LEGS = [f"{side}_{joint}" for side in ("left", "right") for joint in ("hip_flexion", "knee_flexion", "ankle_flexion")]


def legs(skeleton):
    return [skeleton.index(name) for name in LEGS]


def with_curved_spine(q, skeleton):
    """The coordinates with flexed spine and neck: in a straight spine axes coincide, and two more combinations are
    unobservable."""
    trunk = [j for j, name in enumerate(skeleton.joint_names) if "spine" in name or "neck" in name]
    out = q.copy()
    out[:, trunk] = np.random.default_rng(1).uniform(-0.1, 0.1, len(trunk))
    return out


def standing(skeleton, marks, q=0.0):
    """Markers (3,) by name in one pose."""
    positions = model_marker_positions(skeleton, marks, np.zeros((1, len(skeleton))) + q)[0]
    return dict(zip(marks.names, positions, strict=True))


def angle_error(a, b):
    """Largest difference in degrees by coordinate; modulo a full turn."""
    return np.degrees(np.abs((a - b + np.pi) % (2 * np.pi) - np.pi)).max(axis=0)


def test_noise_free_markers_give_the_true_coordinates_from_a_cold_start(human, regularisation, marks, walk):
    """Within 0.1 degrees wherever 5 mm of a marker are less than 8 degrees of the coordinate (all but the ankles'
    inversion, whose axis passes near both markers of the foot): the regularisation's bias is below that."""
    fit = fit_frames(human, marks, model_marker_positions(human, marks, walk), regularisation=regularisation)
    shown = observability(human, marks, np.ones((1, len(marks.names)), dtype=bool), walk[:1])
    clear = (regularisation == 1.0) & (shown.uncertainty < np.radians(8))
    assert clear.sum() > 30
    assert angle_error(fit.q[:, clear], walk[:, clear]).max() < 0.1
    assert fit.rms < 1e-4


@pytest.mark.parametrize("degrees", [0, 45, 90, 135, 180, 225, 270, 315])
def test_a_cold_start_finds_the_body_whichever_way_it_faces(human, regularisation, marks, walk, degrees):
    """Also far from the laboratory's origin, and leaning by 60 degrees: the start is upright and faces X."""
    turn = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(degrees))
    lean = rotation_about(np.array([0.6, 0.0, 0.8]), np.radians(60.0))
    markers = model_marker_positions(human, marks, walk[::20])
    straight = fit_frames(human, marks, markers, regularisation=regularisation)
    for R in (turn, turn @ lean):
        fit = fit_frames(human, marks, markers @ R.T + [20.0, 1.0, -9.0], regularisation=regularisation)
        assert fit.rms < 1e-4
        assert angle_error(fit.q[:, 6:], straight.q[:, 6:]).max() < 0.05  # both end within the search's last step


def test_no_body_faces_more_than_an_eighth_of_a_turn_from_a_cold_start(human, marks, walk, monkeypatch):
    markers, started = model_marker_positions(human, marks, walk[:1]), []
    solver = _Solver(human, marks, markers, np.ones(markers.shape[:2]), np.zeros(len(human)), np.ones(len(human)))
    heading = next(j for j in human.global_joints if human.kind[j] == "R")
    monkeypatch.setattr(_Solver, "solve", lambda *_, **__: started.append(solver.q[0, heading]))
    solver.cold_start(0)
    facing = np.radians(np.arange(360))[:, None]
    nearest = np.abs((facing - started + np.pi) % (2.0 * np.pi) - np.pi).min(axis=1)
    assert np.degrees(nearest.max()) == pytest.approx(45.0)


def test_frames_after_swapped_legs_start_again_and_reach_the_right_solution(human, regularisation, marks, walk):
    """The labels of both legs are swapped in the first 30 frames: the solution of all others does not change."""
    markers = model_marker_positions(human, marks, walk)
    good = fit_frames(human, marks, markers, regularisation=regularisation)
    wrong = markers.copy()
    for name in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE"):
        columns = [marks.names.index(side + name) for side in "LR"]
        wrong[:30, columns] = markers[:30, columns[::-1]]
    fit = fit_frames(human, marks, wrong, regularisation=regularisation)
    j = legs(human)
    assert angle_error(fit.q[30:, j], good.q[30:, j]).max() < 0.1


@pytest.mark.parametrize("fitted", [0, 2])
def test_a_frame_is_fitted_again_from_the_neighbour_that_is_fitted(human, regularisation, marks, walk, fitted):
    """The one on the other side faces backwards, from where the frame does not find back."""
    frames, again, other = walk[50:53], np.array([1]), np.array([2 - fitted])
    markers = model_marker_positions(human, marks, frames)
    held = REGULARISATION_WEIGHT * regularisation
    held[human.global_joints] = 0.0
    solver = _Solver(human, marks, markers, np.ones(markers.shape[:2]), np.zeros(len(human)), held)
    heading = next(j for j in human.global_joints if human.kind[j] == "R")
    solver.q[:] = frames
    solver.q[[1, *other], heading] += np.pi
    solver.solve(again, other)
    assert solver.distance(1).max() > 0.03
    solver.try_neighbours(again, np.array([fitted]))
    assert solver.distance(1).max() < 1e-3


def test_a_frame_starts_from_where_constant_rates_lead_but_not_across_a_gap(human, marks, walk, monkeypatch):
    """After one step, the error of a frame grows with the square of the error that it started with: one frame's motion
    in frame 1 and, just after the gap, in frame 7; nothing in frames 3 and 8, each after two even intervals."""
    monkeypatch.setattr(frame_fit, "_MAX_ITERATIONS", 1)
    order, joints = np.array([0, 1, 2, 3, 6, 7, 8]), legs(human)
    frames = np.repeat(walk[:1], 9, axis=0)
    frames[:, joints] = -0.1 + 0.04 * np.arange(9)[:, None]
    markers = model_marker_positions(human, marks, frames)
    prior = np.where(np.isin(np.arange(len(human)), joints), 0.0, 1e3)
    solver = _Solver(human, marks, markers, np.ones(markers.shape[:2]), walk[0], prior)
    solver.q[0] = frames[0]
    solver.solve(order[1:], order[:-1], huber=np.inf)
    left = dict(zip(order.tolist(), np.abs(solver.q - frames)[order].max(axis=1), strict=True))
    assert left[1] > 1e-5
    assert max(left[3], left[8]) < 0.1 * left[1]
    assert 0.5 * left[1] < left[7] < 2.0 * left[1]


def test_the_true_coordinates_are_found_from_a_start_whose_full_steps_are_refused(human, regularisation, marks, walk):
    """Each frame starts up to 0.6 rad off in every joint: steps that raise the cost are damped again and again.

    Exact markers leave no distance but the regularisation's, some micrometres.
    """
    frames = walk[::6]
    fit = fit_frames(
        human,
        marks,
        model_marker_positions(human, marks, frames),
        start=frames + np.random.default_rng(5).uniform(-0.6, 0.6, frames.shape),
        regularisation=regularisation,
    )
    assert fit.distance.max() < 1e-4


def test_the_solution_within_joint_limits_is_that_of_scipys_least_squares(human, marks, walk, rng):
    """Trust-region-reflective least squares on one frame whose markers lie beyond the joint's limit."""
    markers = model_marker_positions(human, marks, walk[:1]) + rng.normal(scale=0.02, size=(1, len(marks.names), 3))
    knee = human.index("right_knee_flexion")
    upper = human.q_upper.copy()
    upper[knee] = walk[0, knee] - 0.3
    limited = replace(human, q_upper=upper)
    prior = 1e-3 * np.ones(len(human))
    prior[:6] = 0.0

    def residual(q):
        apart = model_marker_positions(limited, marks, q[None])[0] - markers[0]
        return np.concatenate([apart.ravel(), np.sqrt(prior) * q])

    def jacobian(q):
        return np.vstack([marker_jacobians(limited, marks, q[None])[0].reshape(-1, len(q)), np.diag(np.sqrt(prior))])

    ours = fit_frames(limited, marks, markers, regularisation=prior / REGULARISATION_WEIGHT, outlier=np.inf).q[0]
    start = np.clip(walk[0], limited.q_lower + 1e-6, limited.q_upper - 1e-6)
    other = least_squares(
        residual, start, jacobian, bounds=(limited.q_lower - 1e-9, limited.q_upper + 1e-9), xtol=1e-12, ftol=1e-12
    )
    beyond = np.linalg.norm(residual(ours)[: 3 * len(marks.names)].reshape(-1, 3), axis=1).max()
    assert beyond < 0.5, "the posture must be the same one"
    cost = 0.5 * np.sum(residual(ours) ** 2)
    assert ours[knee] == pytest.approx(upper[knee])
    assert cost < other.cost * 1.05  # Huber's limit of 30 mm makes the problems differ slightly


def test_marker_jacobians_are_the_derivatives_of_marker_positions(human, marks, walk, rng):
    """Central differences of step 1e-6: error about 1e-9 of a metre, divided by the step's rounding."""
    q, direction = walk[:2], rng.normal(size=len(human))
    step = 1e-6
    numeric = (
        model_marker_positions(human, marks, q + step * direction)
        - model_marker_positions(human, marks, q - step * direction)
    ) / (2 * step)
    np.testing.assert_allclose(marker_jacobians(human, marks, q) @ direction, numeric, atol=1e-8)


def test_normal_equations_are_those_of_weighted_jacobians_with_hubers_limit(human, marks, walk, rng):
    """Of markers that are missing and have no weight, and beyond the limit, of a reference and beyond bounds."""
    q, n, wall = walk[:3], len(human), 50.0
    markers = model_marker_positions(human, marks, q) + rng.normal(0.0, 0.02, (3, len(marks.names), 3))
    weight = rng.uniform(0.5, 2.0, (3, len(marks.names)))
    markers[0, 3], weight[0, 3], weight[1, 5] = np.nan, 0.0, 0.0
    reference, prior = rng.normal(0.0, 0.1, n), rng.uniform(0.0, 1.0, n)
    lower, upper = np.full(n, -0.2), np.full(n, 0.2)
    H, g = np.empty((3, n, n)), np.empty((3, n))
    places = human.arrays, marks.joint, marks.point
    cost = normal_equations_kernel(*places, markers, weight, HUBER, reference, prior, lower, upper, wall, q, H, g)

    apart = np.nan_to_num(model_marker_positions(human, marks, q) - markers)
    distance = np.linalg.norm(apart, axis=2)
    assert 0.1 < np.mean(distance > HUBER) < 0.9
    scaled, J = weight * np.minimum(1.0, HUBER / np.maximum(distance, 1e-12)), marker_jacobians(human, marks, q)
    excess = np.maximum(q - upper, 0.0) + np.minimum(q - lower, 0.0)
    costs = np.sum(weight * marker_costs(distance)) + 0.5 * np.sum(prior * (q - reference) ** 2 + wall * excess**2)
    assert cost == pytest.approx(costs, rel=1e-12)
    expected = np.einsum("tk,tkai,tka->ti", scaled, J, apart) + prior * (q - reference) + wall * excess
    np.testing.assert_allclose(g, expected, atol=1e-9)
    expected = np.einsum("tk,tkai,tkaj->tij", scaled, J, J)
    expected += np.stack([np.diag(prior + wall * beyond) for beyond in excess != 0.0])
    np.testing.assert_allclose(H, expected, atol=1e-9)


def test_a_step_is_that_of_the_whole_damped_matrix_without_coordinates_that_are_held(human, marks, walk, rng):
    """Held are those at a bound towards which the cost falls."""
    q, n = walk[:1], len(human)
    markers = model_marker_positions(human, marks, q) + rng.normal(0.0, 0.02, (1, len(marks.names), 3))
    H, g, none = np.empty((1, n, n)), np.empty((1, n)), np.zeros(n)
    normal_equations_kernel(
        human.arrays, marks.joint, marks.point, markers, np.ones(markers.shape[:2]), HUBER, none, none + 0.01,
        none - np.inf, none + np.inf, 0.0, q, H, g,
    )  # fmt: skip
    lower, upper = q[0] - 0.3 * (np.arange(n) % 3), q[0] + 0.3 * (np.arange(n) % 2)
    held, factors, step = np.zeros(n, dtype=bool), np.zeros((n, n)), np.empty(n)
    solve = getattr(solve_along_tree, "py_func", solve_along_tree)
    solve(human.arrays, np.tril(H[0]), g[0], 0.2, q[0], lower, upper, held, factors, step)
    blocked = ((q[0] == lower) & (g[0] > 0.0)) | ((q[0] == upper) & (g[0] < 0.0))
    np.testing.assert_array_equal(held, blocked)
    assert 5 < blocked.sum() < n - 5
    expected, moving = np.zeros(n), ~blocked
    A = H[0] + 0.2 * np.diag(np.diag(H[0]))
    expected[moving] = np.linalg.solve(A[np.ix_(moving, moving)], -g[0][moving])
    np.testing.assert_allclose(step, expected, atol=1e-9)


def test_the_equations_of_a_smooth_motion_are_the_sum_of_those_of_its_frames(human, marks, walk, rng):
    """Assembled densely from basis functions of all coefficients, with accelerations and a residual of the motion.

    The decrease by a whole step, b A^-1 b, depends on every entry of both.
    """
    frames, spans, n = 14, 3, len(human)
    time, inner = np.arange(frames) / RATE, np.linspace(0.0, (frames - 1) / RATE, spans + 1)
    knots = np.concatenate([np.full(5, inner[0]), inner, np.full(5, inner[-1])])
    markers = model_marker_positions(human, marks, walk[:frames]) + rng.normal(0.0, 0.01, (frames, len(marks.names), 3))
    weight, prior, reference = rng.uniform(0.5, 2.0, markers.shape[:2]), rng.uniform(0.01, 0.02, n), 0.1 * walk[0]
    offset, by = rng.normal(0.0, 0.1, (frames, 2)), rng.normal(0.0, [[[1e-1]], [[1e-2]], [[1e-3]]], (3, 2, n))

    def residual(some, *motion):
        r = offset[some] + sum(part @ derivative.T for part, derivative in zip(motion, by, strict=True))
        return r, [np.broadcast_to(derivative, (len(r), 2, n)) for derivative in by]

    problem = _Problem(human, marks, markers, weight, reference, prior, time, knots, residual)
    problem.measure_smoothness(walk[:frames], 80.0)
    start = make_lsq_spline(time, walk[:frames], knots, k=5).c
    cost, equations = problem._equations(start, 0.0)

    B = [BSpline(knots, np.eye(len(start)), 5)(time, nu=order) for order in range(3)]
    q, qd, qdd = (basis @ start for basis in B)
    H, g = np.empty((frames, n, n)), np.empty((frames, n))
    total = normal_equations_kernel(
        human.arrays, marks.joint, marks.point, markers, weight, HUBER, reference, prior, human.q_lower, human.q_upper,
        1.0, q, H, g,
    )  # fmt: skip
    smooth = problem.smooth
    places, _, _ = problem._marker_equations(slice(None), walk[:frames])
    np.testing.assert_allclose(smooth, places.mean(axis=0) / 80.0**4, rtol=1e-12)
    A, b = np.einsum("ta,tb->ab", B[2], B[2])[:, None, :, None] * smooth[None, :, None, :], B[2].T @ qdd @ smooth
    r, _ = residual(slice(None), q, qd, qdd)
    for t in range(frames):
        K = sum(basis[t][None, :, None] * derivative[:, None, :] for basis, derivative in zip(B, by, strict=True))
        A = A + np.outer(B[0][t], B[0][t])[:, None, :, None] * H[t][None, :, None, :] + np.einsum("rai,rbj->aibj", K, K)
        b = b + np.outer(B[0][t], g[t]) + np.einsum("rai,r->ai", K, r[t])
    total += 0.5 * np.sum(qdd @ smooth * qdd) + 0.5 * np.sum(r**2)
    assert cost == pytest.approx(total, rel=1e-10)
    A, b = A.reshape(b.size, b.size), b.ravel()
    equations.solve()
    assert equations.decrease == pytest.approx(b @ np.linalg.solve(A, b), rel=1e-8)


@pytest.mark.parametrize(("share", "steps"), [(0.7, 2), (1.4, 1)])
def test_a_smooth_motion_is_solved_once_a_step_lowers_the_cost_by_no_more_than_the_tolerance(
    human, marks, walk, monkeypatch, share, steps
):
    """The tolerance is a share of what the first step lowers the cost by, measured before and after it."""
    frames, n = 14, len(human)
    time, inner = np.arange(frames) / RATE, np.linspace(0.0, (frames - 1) / RATE, 4)
    knots = np.concatenate([np.full(5, inner[0]), inner, np.full(5, inner[-1])])
    markers = model_marker_positions(human, marks, walk[:frames])
    weight, prior = np.ones(markers.shape[:2]), np.full(n, 1e-3)
    problem = _Problem(human, marks, markers, weight, walk[0], prior, time, knots, None)
    problem.measure_smoothness(walk[:frames], 80.0)
    start = make_lsq_spline(time, walk[:frames] + 0.02, knots, k=5).c
    before, equations = problem._equations(start, 1e-10)
    after, _ = problem._equations(start + equations.solve(), 1e-10)
    monkeypatch.setattr(spline_fit, "_TOLERANCE", share * (before - after) / before)
    _, count, converged = problem.minimise(start)
    assert converged
    assert count == steps


def test_the_cost_of_a_marker_is_square_up_to_hubers_limit_and_linear_beyond():
    """In limits: 1/8 at half of it, 1/2 at it, 5/2 at three of it; a missing one has none."""
    cost = marker_costs(HUBER * np.array([0.0, 0.5, 1.0, 3.0, np.nan])) / HUBER**2
    np.testing.assert_allclose(cost, [0.0, 0.125, 0.5, 2.5, 0.0], rtol=1e-12)


def test_both_sides_have_their_mean():
    factors = {"left_thigh": 0.2, "right_thigh": 0.4, "trunk": 0.1, "right_hand": 0.3}
    _average_sides(factors)
    assert factors == pytest.approx({"left_thigh": 0.3, "right_thigh": 0.3, "trunk": 0.1, "right_hand": 0.3})


def test_a_marker_that_jumps_is_left_out_and_named(human, regularisation, marks, walk):
    """0.2 m off in ten frames: the coordinates change by less than a tenth of a degree."""
    markers = model_marker_positions(human, marks, walk)
    wrong = markers.copy()
    k = marks.names.index("RKNE")
    wrong[40:50, k] += 0.2
    fit = fit_frames(human, marks, wrong, regularisation=regularisation)
    expected = np.zeros_like(fit.left_out)
    expected[40:50, k] = True
    np.testing.assert_array_equal(fit.left_out, expected)
    good = fit_frames(human, marks, markers, regularisation=regularisation)
    j = legs(human)
    assert angle_error(fit.q[:, j], good.q[:, j]).max() < 0.1


def test_frames_without_markers_stay_missing_frame_by_frame_and_are_bridged_by_the_spline(
    human, regularisation, marks, walk
):
    """A gap of 50 ms, at 1 Hz: bridged within half a degree."""
    markers = model_marker_positions(human, marks, walk)
    markers[60:65] = np.nan
    fit = fit_frames(human, marks, markers, regularisation=regularisation)
    assert np.isnan(fit.q[60:65]).all()
    assert np.isfinite(np.delete(fit.q, np.arange(60, 65), axis=0)).all()
    smooth = fit_spline(human, marks, markers, RATE, 10.0, fit.q, regularisation=regularisation)
    j = legs(human)
    assert angle_error(smooth.q[55:70][:, j], walk[55:70][:, j]).max() < 0.5


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["its derivative", "its negative derivative"])
def test_a_fit_whose_steps_only_increase_the_cost_has_not_converged(human, regularisation, marks, walk, sign):
    """A residual of 5 cm of the pelvis: with the wrong sign of its derivative every step leads away."""
    height = np.eye(len(human))[None, [human.index("pelvis_ty")]]

    def residual(frames, q, qd, qdd):
        none = np.zeros((len(q), 1, len(human)))
        return q @ height[0].T - walk[frames] @ height[0].T - 0.05, (sign * (height + none), none, none)

    markers = model_marker_positions(human, marks, walk[:40])
    smooth = fit_spline(human, marks, markers, RATE, 10.0, walk[:40], regularisation=regularisation, residual=residual)
    assert smooth.converged == (sign > 0.0)


def test_a_fit_to_exact_markers_at_rest_converges(human, marks):
    rest = np.zeros((40, len(human)))
    smooth = fit_spline(human, marks, model_marker_positions(human, marks, rest), RATE, 10.0, rest)
    assert smooth.converged


def test_a_noise_free_walk_gives_its_true_torques(human, regularisation, marks, walk):
    """Within 1 % of their peak at hips, knees and ankles, away from the ends; loads of the ground are the same."""
    markers = model_marker_positions(human, marks, walk)
    start = fit_frames(human, marks, markers, regularisation=regularisation)
    smooth = fit_spline(human, marks, markers, RATE, 20.0, start.q, regularisation=regularisation)
    foot = np.array([0.0, 300.0, 0.0]) + np.zeros((FRAMES, 3))
    wrenches = {"right_foot": Wrench(foot, np.zeros((FRAMES, 3)), walk[:, :3] - [0.0, 0.8, 0.0])}
    truth = rnea(human, walk, *derivatives(walk, RATE), wrenches=wrenches).tau
    ours = rnea(human, smooth.q, smooth.qd, smooth.qdd, wrenches=wrenches).tau
    inner = slice(15, -15)
    for name in LEGS:
        j = human.index(name)
        assert np.abs(ours[inner, j] - truth[inner, j]).max() < 0.01 * np.abs(truth[inner, j]).max(), name


def test_the_smooth_motion_has_the_pipelines_frequency_response(human, regularisation, marks):
    """A knee that swings at the cut-off keeps 1 / sqrt(2) of its amplitude, and 0.99 at a third of it."""
    t = np.arange(400) / RATE
    knee = human.index("right_knee_flexion")
    for frequency, gain in ((6.0, np.sqrt(0.5)), (2.0, 1 / (1 + (np.sqrt(2) - 1) / 3**4))):
        q = np.zeros((len(t), len(human)))
        q[:, knee] = 1.0 + 0.01 * np.sin(2 * np.pi * frequency * t)
        smooth = fit_spline(
            human, marks, model_marker_positions(human, marks, q), RATE, 6.0, q, regularisation=regularisation
        )
        inner = slice(100, 300)
        amplitude = np.sqrt(2) * np.std(smooth.q[inner, knee])
        assert amplitude / 0.01 == pytest.approx(gain, abs=0.03)


def test_accelerations_with_noise_as_a_table(human, regularisation, marks, walk, record_property):
    """1 mm of noise and 5 mm of soft-tissue waves, with a marker that comes and goes: spline against filter.

    The spline must not be worse: it is why frames are coupled.
    """
    rng = np.random.default_rng(3)
    t = np.arange(FRAMES) / RATE
    clean = model_marker_positions(human, marks, walk)
    noise = rng.normal(scale=0.001, size=clean.shape)
    phase = rng.uniform(0, 2 * np.pi, (1, *clean.shape[1:]))
    waves = 0.005 / np.sqrt(3) * np.sqrt(2) * np.sin(2 * np.pi * 1.0 * t[:, None, None] + phase)
    gap = clean + noise + waves
    gap[50:58, marks.names.index("RTIB")] = np.nan
    exact = derivatives(walk, RATE)[1]
    inner, j = slice(15, -15), legs(human)
    cases = {"1 mm noise": clean + noise, "and 5 mm waves": clean + noise + waves, "and a gap": gap}
    lines = [
        f"{'':18}{'angle, deg RMS':>16}{'acceleration, rad/s^2 RMS':>50}",
        f"{'':18}{'':16}{'spline':>36}{'filter':>14}",
    ]
    for name, markers in cases.items():
        start = fit_frames(human, marks, markers, regularisation=regularisation)
        smooth = fit_spline(human, marks, markers, RATE, 6.0, start.q, regularisation=regularisation)
        filtered = derivatives(low_pass(start.q, RATE, 6.0), RATE)[1]
        error = [np.sqrt(np.mean((a - exact)[inner][:, j] ** 2)) for a in (smooth.qdd, filtered)]
        angle = np.degrees(np.sqrt(np.mean((smooth.q - walk)[inner][:, j] ** 2)))
        lines.append(f"{name:18}{angle:16.3f}{error[0]:36.3f}{error[1]:14.3f}")
        assert error[0] < 1.02 * error[1]
    record_property("table", "\n".join(lines))


def test_toes_and_spine_combinations_are_named_as_unobservable(human, marks, walk):
    """Rank 50 of 55 with the whole marker set of one sacral marker; both toes are unobservable each by itself."""
    names = tuple(name for name in marks.names if name not in ("LPSI", "RPSI"))
    chosen = marks.only(names)
    shown = observability(human, chosen, np.ones((3, len(names)), dtype=bool), with_curved_spine(walk[:3], human))
    assert shown.rank == 50
    assert ("left_toe_extension",) in shown.unobservable
    assert ("right_toe_extension",) in shown.unobservable
    assert all("spine" in part for group in shown.unobservable[2:] for part in group)
    assert np.isinf(shown.uncertainty[human.index("left_toe_extension")])
    assert shown.uncertainty[human.index("left_knee_flexion")] < np.radians(5)


def test_uncertainty_is_the_standard_deviation_of_the_fit_to_noisy_markers(human, marks, walk):
    """Of the observable coordinates: 400 linear fits to white noise of 5 mm, whose SD has an error of 3.5 %."""
    q = with_curved_spine(walk[:1], human)
    shown = observability(human, marks, np.ones((1, len(marks.names)), dtype=bool), q)
    seen = np.isfinite(shown.uncertainty)
    assert seen.sum() > 40
    steps = 1e-6 * np.eye(len(human))  # central differences, for the markers' Jacobian is what is tested
    change = model_marker_positions(human, marks, q + steps) - model_marker_positions(human, marks, q - steps)
    J = change.reshape(len(human), -1).T / 2e-6
    noise = np.random.default_rng(1).normal(scale=0.005, size=(len(J), 400))
    found = np.std(np.linalg.lstsq(J, noise, rcond=1e-6)[0], axis=1)
    np.testing.assert_allclose(shown.uncertainty[seen], found[seen], rtol=0.15)


def test_the_uncertainty_is_that_of_the_pose_in_which_axes_nearly_coincide(human, marks, walk):
    """Shoulder: adduction, flexion, rotation. The last two angles follow from the upper arm's direction u and turn; at
    flexion f, u moves by cos f for a unit of adduction, so its error is that of u over cos f. An arm raised sideways or
    overhead is far from it, one held forward is not, even for part of the walk."""
    seen = np.ones((4, len(marks.names)), dtype=bool)
    q = np.repeat(with_curved_spine(walk[:1], human), 4, axis=0)
    shoulder = [human.index(f"right_shoulder_{name}") for name in ("adduction", "flexion", "rotation")]

    def uncertainty(poses):
        for pose, degrees in zip(q, poses, strict=True):
            pose[shoulder[:2]] = np.radians(degrees)
        return np.degrees(observability(human, marks, seen, q).uncertainty[shoulder])

    assert uncertainty([(0, 0), (-90, 0), (-170, 0), (0, 170)]).max() < 10.0
    forward = uncertainty([(0, 0), (0, 0), (0, 88), (0, 0)])
    assert forward[1] < 5.0
    nearer = np.cos(np.radians(84)) / np.cos(np.radians(88))
    assert forward[0] == pytest.approx(nearer * uncertainty([(0, 84)] * 4)[0], rel=0.1)
    assert (forward[[0, 2]] > 30.0).all()


def test_names_of_unobservable_combinations_do_not_depend_on_rounding(human, marks, walk):
    """Three spine joints turn about one axis: any two of their differences span the unobservable combinations."""
    q = with_curved_spine(walk[:1], human)
    seen = np.ones((1, len(marks.names)), dtype=bool)
    rng = np.random.default_rng(2)
    found = {observability(human, marks, seen, q + 1e-9 * rng.normal(size=q.shape)).unobservable for _ in range(8)}
    assert len(found) == 1


def test_each_pivot_of_a_null_space_is_in_one_combination_alone():
    """One combination is mostly of the first coordinate, the other of the rest: it is no pivot twice."""
    rest = np.append(0.0, np.cos(np.arange(9)))
    mostly = np.append(np.sqrt(0.6), np.sqrt(0.4 / 9.0) * np.ones(9))
    basis, _ = np.linalg.qr(np.stack([mostly, rest], axis=1))
    found = _groups(SimpleNamespace(joint_names=list("abcdefghij")), basis.T)
    assert len(found) == 2
    assert sum("a" in group for group in found) == 1


def test_without_arm_markers_the_arms_are_unobservable_and_the_legs_are_not(human, regularisation, marks, walk):
    names = tuple(name for name in marks.names if name[1:] not in ("SHO", "ELB", "WRA", "WRB", "FIN"))
    chosen = marks.only(names)
    fit = fit_frames(
        human,
        chosen,
        model_marker_positions(human, chosen, walk),
        regularisation=regularisation,
    )
    j = legs(human)
    assert angle_error(fit.q[:, j], walk[:, j]).max() < 0.1
    shown = observability(human, chosen, np.ones((1, len(names)), dtype=bool), with_curved_spine(walk[:1], human))
    assert shown.rank == 50 - 18


@pytest.mark.parametrize("cutoff", [0.0, 31.0, 40.0])
def test_a_cut_off_that_a_smooth_motion_cannot_have_is_refused_with_the_limit(human, marks, walk, cutoff):
    with pytest.raises(DynamicsError, match=r"is not between 0 and 30 Hz, 0\.3 of the frame rate"):
        fit_spline(human, marks, model_marker_positions(human, marks, walk), RATE, cutoff, walk)


@pytest.mark.parametrize("varus", [0.05, 0.25, -0.2])
def test_static_calibration_finds_known_segment_lengths_and_joint_offsets(human, definition, rng, varus):
    """Lengths within 1 %, joint offsets within a degree, model markers within 5 mm, from the markers of one posture.

    Hips and ankles can compensate a varus of 14 degrees: scaling and posing then need some twenty iterations.
    """
    factors = {name: float(rng.uniform(0.9, 1.1)) for name in definition.scale_factors}
    offsets = dict.fromkeys(definition.joint_offsets, 0.0) | {"left_knee": varus, "right_foot": -0.15}
    person = _scaled(human, definition, factors, offsets)
    marks = _assumed_markers(person, definition, factors, STATURE, {})
    q = np.zeros((1, len(human)))
    q[0, :6] = [0.5, 0.9, 0.2, 2.5, 0.0, 0.05]
    for side in ("left", "right"):
        q[0, human.index(f"{side}_shoulder_adduction")] = -0.6
        q[0, human.index(f"{side}_elbow_flexion")] = 0.3
        q[0, human.index(f"{side}_knee_flexion")] = 0.05
    found = calibrate_static(human, definition, standing(person, marks, q), STATURE)
    assert found.scale_factors == pytest.approx(factors, rel=0.01)
    assert found.joint_offsets == pytest.approx(offsets, abs=np.radians(1.0))
    assert max(found.joint_centre_errors.values()) < 0.002
    np.testing.assert_allclose(found.markers.point, marks.point, atol=0.005)


def test_in_the_static_pose_every_coordinate_is_held_a_hundred_times_as_much(human, definition, attach, monkeypatch):
    """Also those that markers hardly determine, which the definition holds more than others."""
    given = []

    def fitted(*args, regularisation, **named):
        given.append(regularisation)
        return fit_frames(*args, regularisation=regularisation, **named)

    monkeypatch.setattr("pipeline.inverse_kinematics.static_calibration.fit_frames", fitted)
    seen = standing(human, attach(definition.sites))
    calibrate_static(human, definition, seen, STATURE)
    held = definition.regularisation(human.joint_names, static=True)
    assert held.max() > 2.0 * held.min()
    for regularisation in given:
        np.testing.assert_allclose(regularisation / held, 100.0)


def test_an_implausible_segment_length_is_warned_of(human, definition, attach):
    """Wrist markers half way up the forearm: it is short, and the hand long."""
    seen = standing(human, attach(definition.sites))
    for name in ("LWRA", "LWRB"):
        seen[name] = 0.5 * (seen[name] + seen["LELB"])
    notes = calibrate_static(human, definition, seen, STATURE).notes
    kinds = {note.subject: note.kind for note in notes if "check its markers" in note.text}
    assert kinds == {"skeleton: left_forearm": "info", "skeleton: left_hand": "info"}, "no load of the legs changes"


def test_segments_without_markers_keep_the_length_by_stature_which_is_noted(human, definition, attach):
    """Without arm markers each segment of the arms keeps its length by stature, and has a note."""
    seen = standing(human, attach({**definition.centres, **definition.markers}))
    legs = {name: place for name, place in seen.items() if name[1:] not in ("SHO", "ELB", "WRA", "WRB", "FIN")}
    found = calibrate_static(human, definition, legs, STATURE)
    noted = {note.subject for note in found.notes}
    assert {"skeleton: left_upper_arm", "skeleton: right_hand", "skeleton: clavicles"} <= noted
    assert found.scale_factors["left_upper_arm"] == 1.0
    assert found.scale_factors["left_thigh"] == pytest.approx(1.0, abs=1e-3)
