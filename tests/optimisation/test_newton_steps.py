"""The steps of the quadratic program and the damping of the SQP, against the equations that they solve."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.optimisation import (
    LinearConstraint,
    LinearRelations,
    NodeConstraint,
    NodeValues,
    Problem,
    Spline,
    SquaredIntegral,
    SquaredRate,
    Transcription,
    coordinates,
    solve_elastic_qp,
)
from pipeline.optimisation.evaluation import Evaluation
from pipeline.optimisation.hessians import Damping
from pipeline.optimisation.qp import _max_step, _Newton, _OneSided
from pipeline.optimisation.sparse_rows import SparseRows
from pipeline.optimisation.sqp import _Run, _SecondOrderCorrection


@pytest.mark.parametrize(("last", "stalled"), [(0.17, True), (0.15, False)])
def test_a_search_has_stalled_if_the_violation_falls_by_less_than_a_fifth_in_the_patience(last: float, stalled: bool):
    run = SimpleNamespace(
        at_last_penalty=True,
        violations=[0.2, 0.19, 0.18],
        settings=SimpleNamespace(patience=3),
        bounds=SimpleNamespace(violation=lambda rows: rows),
        at=SimpleNamespace(rows=np.array([last])),
    )
    assert _Run._stalled(run, feasible=False) is stalled  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_a_newton_step_solves_the_linearised_optimality_conditions(seed: int) -> None:
    """H d + g + A'y = 0, A d - e + s = b, lam s = 0 and mu e = 0 with mu = penalty - lam, each to the first order."""
    rng = np.random.default_rng(seed)
    n, m, penalty = 6, 9, 3.0
    root, A = rng.normal(size=(n, n)), rng.normal(size=(m, n))
    H = root @ root.T + np.eye(n)
    lower, upper = -rng.uniform(0.1, 1.0, m), rng.uniform(0.1, 1.0, m)
    lower[:2], upper[2:4] = -np.inf, np.inf
    rows, d, g = _OneSided.of(lower, upper), rng.normal(size=n), rng.normal(size=n)
    k = len(rows.bound)
    lam, s, e = rng.uniform(0.5, 2.5, k), rng.uniform(0.1, 2.0, k), rng.uniform(0.1, 2.0, k)
    mu = penalty - lam
    # Written out: each finite bound is a row of its own.
    above, below = np.isfinite(upper), np.isfinite(lower)
    one_sided, bound = np.vstack([A[above], -A[below]]), np.concatenate([upper[above], -lower[below]])
    stationarity = H @ d + g + one_sided.T @ lam
    rc_s, rc_e = rng.normal(size=(2, k))
    newton = _Newton(H, SparseRows.dense(A), rows, d, lam, s, e, mu, stationarity)
    dd, dlam, ds, de = newton.direction(rc_s, rc_e)
    np.testing.assert_allclose(H @ dd + one_sided.T @ dlam, -stationarity, atol=1e-9)
    np.testing.assert_allclose(one_sided @ dd - de + ds, -(one_sided @ d - bound - e + s), atol=1e-9)
    np.testing.assert_allclose(s * dlam + lam * ds, -rc_s, atol=1e-9)
    np.testing.assert_allclose(-e * dlam + mu * de, -rc_e, atol=1e-9)


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
def test_a_second_order_correction_is_the_smallest_step_that_changes_the_rows_as_asked(unit: float) -> None:
    """By the conditions of a constrained minimum of p'B p, as one system. Rows in any unit change by what is asked but
    for some 1e-5 of it, here 1e-4 with rows that are far from orthogonal."""
    rng = np.random.default_rng(6)
    root, A, change = rng.normal(size=(8, 8)), rng.normal(size=(3, 8)), rng.normal(size=3)
    B = root @ root.T + np.eye(8)
    conditions = np.block([[B, A.T], [A, np.zeros((3, 3))]])
    smallest = np.linalg.solve(conditions, np.append(np.zeros(8), change))[:8]
    found = _SecondOrderCorrection(B, SparseRows.dense(unit * A)).step(unit * change)
    np.testing.assert_allclose(found, smallest, atol=1e-4 * np.abs(smallest).max())


def test_the_longest_step_brings_the_first_value_to_zero() -> None:
    """1 and 4 that fall by 2 and 16 reach zero after 1/2 and 1/4."""
    pairs = (np.array([1.0, 3.0]), np.array([-2.0, 5.0])), (np.array([4.0]), np.array([-16.0]))
    assert _max_step(*pairs) == pytest.approx(0.25)
    assert _max_step(pairs[0]) == pytest.approx(0.5)
    assert _max_step((np.array([2.0]), np.array([1.0]))) > 1.0


@pytest.mark.parametrize("free", [False, True])
def test_gradient_of_weighted_integrals_with_free_time_agrees_with_differences(free: bool) -> None:
    """Where total time and breaks are free, the weights of the quadrature and the times of the nodes move too."""
    spline = Spline(3, np.array([0.0, 0.3, 0.55, 1.0]))
    relations = LinearRelations(spline, 2).rest(0, -1.0, 0.5).build()
    form = Transcription(spline, relations, np.linspace(0, 1, 22), 0.7, free, free)
    parts = [
        SquaredIntegral(name, coordinates([0, 1], name), w) for name, w in (("q", 2.5), ("qd", 0.3), ("qdd", 0.02))
    ]

    def product(at: SimpleNamespace) -> NodeValues:
        return coordinates([0, 1])(at).times(coordinates([0, 1], "qdd")(at))

    parts.append(SquaredRate("rates", product, 0.05))
    plus = coordinates([0, 1], "qd")
    parts.append(SquaredRate("sines", coordinates([0, 1]), 2.0, plus, lambda rates: (np.sin(rates), np.cos(rates))))
    problem = Problem(form, parts, [], lambda states: SimpleNamespace(states=states))
    x = form.pack(np.random.default_rng(5).normal(size=(spline.n_points, 2)))
    step = 1e-6
    numeric = [
        (Evaluation(problem, x + e).objective - Evaluation(problem, x - e).objective) / (2.0 * step)
        for e in step * np.eye(len(x))
    ]
    gradient = Evaluation(problem, x).gradient
    # Central differences of a sum of about 100: 1e-16 * 100 / 1e-6.
    np.testing.assert_allclose(gradient, numeric, rtol=1e-6, atol=1e-6 * np.abs(gradient).max())


def test_squared_rate_is_the_integral_of_the_squared_derivative() -> None:
    """Of coordinates, whose velocities are known; differences from node to node see it to the second order."""
    spline, rng = Spline.uniform(3, 3), np.random.default_rng(2)
    points, errors, velocities = rng.normal(size=(spline.n_points, 2)), [], coordinates([0, 1], "qd")
    for n in (41, 81):
        form = Transcription(spline, LinearRelations(spline, 2).build(), np.linspace(0, 1, n) ** 1.3, 0.7)
        parts = [
            SquaredRate("rate", coordinates([0, 1]), 3.0),
            SquaredIntegral("velocity", velocities, 3.0),
            SquaredRate("doubled", coordinates([0, 1]), 3.0, velocities, lambda rates: (rates**2, 2.0 * rates)),
            SquaredIntegral("square", lambda at: velocities(at).times(velocities(at)), 48.0),
        ]
        problem = Problem(form, parts, [], lambda states: SimpleNamespace(states=states))
        terms = Evaluation(problem, form.pack(points)).objective_terms()
        errors.append([terms["rate"] / terms["velocity"] - 1.0, terms["doubled"] / terms["square"] - 1.0])
    assert np.all(np.abs(errors[1]) < [5e-3, 1e-2])
    np.testing.assert_allclose(np.divide(*errors), 4.0, rtol=0.1)


def test_hessian_of_integrals_and_rates_is_that_of_a_quadratic_objective() -> None:
    """Of quantities that are linear in x the Gauss-Newton Hessian is exact, also where a periodic spline wraps."""
    spline, rng = Spline.uniform(3, 6, ends="wrapped"), np.random.default_rng(3)
    form = Transcription(spline, LinearRelations(spline, 2).build(), np.linspace(0, 1, 19), 0.7)
    parts = [
        SquaredRate("rates", coordinates([0, 1], "qd"), 0.3, coordinates([0, 1])),
        SquaredIntegral("q", coordinates([0]), 2.0),
    ]
    problem = Problem(form, parts, [], lambda states: SimpleNamespace(states=states))
    x, y = rng.normal(size=(2, form.n_variables))
    one, other = Evaluation(problem, x), Evaluation(problem, y)
    np.testing.assert_allclose(one.hessian @ (y - x), other.gradient - one.gradient, rtol=1e-9, atol=1e-9)


def test_the_transposed_jacobian_times_multipliers_is_the_gradient_of_their_sum_of_rows() -> None:
    """Rows of the nodes and of linear combinations of the variables, each with its own scale, by differences."""
    spline, rng = Spline.uniform(3, 3), np.random.default_rng(8)
    form = Transcription(spline, LinearRelations(spline, 2).build(), np.linspace(0, 1, 5), 0.7)
    matrix, none = rng.normal(size=(3, form.n_variables)), np.full(3, np.inf)
    parts = [
        NodeConstraint("rates", coordinates([0, 1], "qd"), -1.0, 1.0, scale=0.2),
        LinearConstraint("sums", matrix, -none, none, scale=3.0),
    ]
    problem = Problem(form, [], parts, lambda states: SimpleNamespace(states=states))
    x, y = rng.normal(size=form.n_variables), rng.normal(size=10 + 3)
    # Linear in x, so that differences of any step are exact but for rounding.
    numeric = [y @ (Evaluation(problem, x + e).rows - Evaluation(problem, x - e).rows) / 2.0 for e in np.eye(len(x))]
    at = Evaluation(problem, x)
    np.testing.assert_allclose(at.jacobian_transposed_times(y), numeric, atol=1e-10)
    np.testing.assert_allclose(at.jacobian.T @ y, numeric, atol=1e-10)


@pytest.mark.parametrize("start", ["cold", "warm"])
def test_a_predictor_and_corrector_end_in_few_iterations(start: str) -> None:
    """Some ten on programs of every size are what makes the method (Nocedal and Wright, ch. 14 and 16.6); the limits
    are a tenth above what these programs took when they were set, 9.7 and 7.2, and see a step that is cut short."""
    iterations = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        B, A = rng.normal(size=(60, 30)), rng.normal(size=(80, 30)) / np.sqrt(30)
        lower, upper = -rng.uniform(0.02, 1.0, 80), rng.uniform(0.02, 1.0, 80)
        H, g = B.T @ B / 30, rng.normal(size=30)
        known = None if start == "cold" else solve_elastic_qp(H, 1.05 * g, A, lower, upper, 5.0).multipliers
        found = solve_elastic_qp(H, g, A, lower, upper, 5.0, tolerance=1e-9, multipliers=known)
        assert found.converged
        iterations.append(found.iterations)
    assert np.mean(iterations) <= (10.5 if start == "cold" else 8.0)


def test_damping_raises_every_eigenvalue_by_its_part_of_their_mean() -> None:
    rng = np.random.default_rng(4)
    root = rng.normal(size=(5, 5))
    H = 40.0 * root @ root.T
    before = np.linalg.eigvalsh(H)
    np.testing.assert_allclose(np.linalg.eigvalsh(Damping(0.3).applied_to(H)), before + 0.3 * before.mean())
    # Of a Hessian that is almost zero it is relative to one.
    np.testing.assert_allclose(Damping(0.3).applied_to(1e-9 * H), 0.3 * np.eye(5) + 1e-9 * H)


def test_damping_falls_where_the_model_is_right_and_rises_where_it_is_not() -> None:
    """A tenth, not below 1e-8 of the first value, from three quarters of the predicted reduction; twice from a quarter
    down; a step that had to be halved doubles it, a shorter one multiplies it by ten at most."""
    damping = Damping(2.0)
    seen = []
    for _ in range(11):
        damping.update(0.8, 1.0, 1.0)
        seen.append(damping.value)
    np.testing.assert_allclose(seen, [*(2.0 * 0.1 ** np.arange(1, 8)), *[2e-8] * 4])
    for actual, predicted, length, factor in (
        (0.5, 1.0, 1.0, 1.0),
        (0.2, 1.0, 1.0, 2.0),
        (2.0, 10.0, 1.0, 2.0),
        (5.0, 10.0, 1.0, 1.0),
        (9.0, 10.0, 1.0, 0.1),
        (1.0, 1.0, 0.5, 2.0),
        (1.0, 1.0, 1e-3, 10.0),
    ):
        damping = Damping(2.0)
        damping.update(actual, predicted, length)
        assert damping.value == pytest.approx(2.0 * factor)
    damping.decrease()
    assert damping.value == pytest.approx(2.0)


@pytest.mark.parametrize("factor", [1e5, 1e-3])
def test_the_unit_of_the_objective_changes_neither_the_solution_nor_its_cost(factor: float) -> None:
    """H, g and the penalty times a factor are the same program."""
    rng = np.random.default_rng(7)
    B, A = rng.normal(size=(60, 30)), rng.normal(size=(80, 30)) / np.sqrt(30)
    lower, upper = -rng.uniform(0.02, 1.0, 80), rng.uniform(0.02, 1.0, 80)
    H, g = B.T @ B / 30, 20.0 * rng.normal(size=30)
    one = solve_elastic_qp(H, g, A, lower, upper, 50.0, tolerance=1e-8)
    other = solve_elastic_qp(factor * H, factor * g, A, lower, upper, factor * 50.0, tolerance=1e-8)
    assert other.converged
    # Tolerances are relative to one and the objective, so that a small one ends somewhat earlier.
    np.testing.assert_allclose(other.step, one.step, atol=1e-4)
    np.testing.assert_allclose(other.multipliers / factor, one.multipliers, atol=1e-3 * 50.0)
    assert abs(other.iterations - one.iterations) <= 2
