"""The quadratic program against its optimality conditions and another library; the SQP on known solutions."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import LinAlgError
from scipy.optimize import brentq, lsq_linear, nnls

from pipeline.optimisation import (
    SQP,
    Evaluation,
    LinearRelations,
    NodeConstraint,
    NodeValues,
    OptimisationError,
    Problem,
    SolverError,
    Spline,
    SquaredIntegral,
    Transcription,
    coordinates,
    difference,
    require_success,
    solve_elastic_qp,
)
from pipeline.optimisation.hessians import damped_bfgs, raised_curvature
from pipeline.optimisation.multipliers import least_squares_multipliers
from pipeline.optimisation.qp import _factor
from pipeline.optimisation.solution import optimality
from pipeline.optimisation.sparse_rows import SparseRows
from pipeline.optimisation.sqp import _Run


def random_program(seed: int, n: int = 30, m: int = 80):
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(2 * n, n))
    lower, upper = -rng.uniform(0.02, 1.0, m), rng.uniform(0.02, 1.0, m)
    lower[:5] = upper[:5] = 0.1 * rng.normal(size=5)
    lower[5:10], upper[10:15] = -np.inf, np.inf
    return B.T @ B / n, rng.normal(size=n), rng.normal(size=(m, n)) / np.sqrt(n), lower, upper


@pytest.mark.parametrize("penalty", [0.5, 5.0, 500.0])
def test_quadratic_program_meets_its_optimality_conditions(penalty: float) -> None:
    for seed in range(5):
        H, g, A, lower, upper = random_program(seed)
        solution = solve_elastic_qp(H, g, A, lower, upper, penalty, tolerance=1e-9)
        y, rows = solution.multipliers, A @ solution.step
        assert solution.converged
        np.testing.assert_allclose(H @ solution.step + g + A.T @ y, 0.0, atol=1e-7)
        assert np.abs(y).max() <= penalty * (1 + 1e-9)
        # Within its bounds a row has no multiplier; beyond them its multiplier is the penalty.
        inside = (rows > lower + 1e-4) & (rows < upper - 1e-4)
        np.testing.assert_allclose(y[inside], 0.0, atol=1e-4)
        np.testing.assert_allclose(y[rows > upper + 1e-4], penalty, rtol=1e-3)
        np.testing.assert_allclose(y[rows < lower - 1e-4], -penalty, rtol=1e-3)


def test_quadratic_program_agrees_with_piqp_where_the_constraints_can_be_met() -> None:
    piqp = pytest.importorskip("piqp", reason="the independent solution needs PIQP (test extra)")
    for seed in range(5):
        H, g, A, lower, upper = random_program(seed)
        ours = solve_elastic_qp(H, g, A, lower, upper, 1e3, tolerance=1e-9)
        other = piqp.DenseSolver()
        other.setup(H, g, None, None, A, lower, upper, None, None)
        other.solve()
        np.testing.assert_allclose(ours.step, other.result.x, atol=1e-5)


def test_multipliers_of_a_similar_program_save_iterations_and_leave_the_solution() -> None:
    saved = []
    for seed in range(5):
        H, g, A, lower, upper = random_program(seed)
        known = solve_elastic_qp(H, g + 0.02 * np.sin(np.arange(len(g))), A, lower, upper, 5.0).multipliers
        cold, warm = (
            solve_elastic_qp(H, g, A, lower, upper, 5.0, multipliers=start, tolerance=1e-9) for start in (None, known)
        )
        np.testing.assert_allclose(warm.step, cold.step, atol=1e-6)
        saved.append(cold.iterations - warm.iterations)
    assert sum(saved) > 0


@pytest.mark.parametrize("product", [1e-2, 1e-6])
def test_products_at_the_start_leave_the_solution(product: float) -> None:
    for seed in range(5):
        H, g, A, lower, upper = random_program(seed)
        cold = solve_elastic_qp(H, g, A, lower, upper, 500.0)
        warm = solve_elastic_qp(H, g, A, lower, upper, 500.0, multipliers=cold.multipliers, product=product)
        np.testing.assert_allclose(warm.step, cold.step, atol=1e-5)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_more_accuracy_than_rounding_allows_leaves_the_solution() -> None:
    """Multipliers come within rounding of the penalty, where rows cannot be met."""
    for seed in range(5):
        H, g, A, lower, upper = random_program(seed)
        near, nearer = (solve_elastic_qp(H, g, A, lower, upper, 0.05, tolerance) for tolerance in (1e-9, 1e-18))
        assert near.converged
        assert not nearer.converged
        np.testing.assert_allclose(nearer.step, near.step, atol=1e-5)


def test_quadratic_program_without_bounds_is_a_newton_step() -> None:
    H, g, A, _, _ = random_program(1)
    free = np.full(len(A), np.inf)
    np.testing.assert_allclose(H @ solve_elastic_qp(H, g, A, -free, free, 1.0).step, -g, atol=1e-10)


class Motion:
    """A motion without loads."""

    def __init__(self, states) -> None:
        self.states = states


def spring_problem(constraints, weight: float = 1.0) -> Problem:
    """Two coordinates from 0 to 1 with minimum squared acceleration: cubics, which cubic splines contain."""
    spline = Spline.uniform(3, 4)
    relations = LinearRelations(spline, 2).rest(0, 0.0, 1.0).rest(1, 0.0, 1.0).build()
    form = Transcription(spline, relations, np.linspace(0, 1, 81), 1.0)
    return Problem(form, [SquaredIntegral("acceleration", coordinates([0, 1], "qdd"), weight)], constraints, Motion)


def circle(at) -> NodeValues:
    """Squared distance from (0.5, 0.5) at each node."""
    gap = at.states.q - 0.5
    return NodeValues(np.sum(gap**2, axis=1, keepdims=True), 2.0 * gap[:, None, :])


AROUND = NodeConstraint("obstacle", circle, 0.1, np.inf, applies=np.arange(81) % 10 == 0)
"""At every tenth node."""


@pytest.mark.parametrize("hessian", ["gauss-newton", "bfgs"])
def test_minimum_acceleration_from_rest_to_rest_is_the_cubic(hessian: str) -> None:
    problem = spring_problem([])
    rng = np.random.default_rng(0)
    result = SQP(hessian=hessian, tolerance=1e-10).solve(problem, rng.normal(size=problem.n_variables))
    at = problem.transcription.states(result.x)
    assert result.success
    cubic = 3 * at.time**2 - 2 * at.time**3
    # The quadrature of 81 nodes moves the discrete optimum by its relative error, about (1/80)^2.
    np.testing.assert_allclose(at.q, np.stack([cubic, cubic], axis=1), atol=2e-3)


def test_solution_around_an_obstacle_is_optimal_and_counts_active_rows() -> None:
    problem = spring_problem([AROUND])
    start = np.linspace(0, 1, problem.n_variables)
    result = SQP(tolerance=1e-8).solve(problem, start)
    assert result.success
    assert result.max_relative_violation <= 1.0
    assert result.optimality < 1e-3
    assert 1 <= result.n_active <= 4
    assert np.all(result.multipliers <= 1e-8)  # negative at a lower bound


def test_a_penalty_above_all_multipliers_stays_where_steps_remove_the_violation() -> None:
    """Near the solution, with a violation whose removal hardly reduces the merit."""
    problem = spring_problem([AROUND])
    solved = SQP(tolerance=1e-8).solve(problem, np.linspace(0, 1, problem.n_variables))
    enough = 3.0 * float(np.abs(solved.multipliers).max())
    chord = np.linspace(0, 1, problem.n_variables)  # through the obstacle
    run = _Run(SQP(penalties=(enough, 100.0 * enough)), problem, solved.x + 2e-2 * (chord - solved.x))
    before = run.bounds.relative_violation(run.at.rows).max()
    assert before > 10.0
    while run.iterate(None) is None:
        assert run.penalty == enough
    assert run.bounds.relative_violation(run.at.rows).max() <= 1.0


@pytest.mark.parametrize(("tolerances", "rises"), [(1e-4, False), (1e-1, True)])
def test_the_penalty_rises_where_slow_steps_leave_more_than_a_negligible_violation(
    tolerances: float, rises: bool, monkeypatch
) -> None:
    problem = spring_problem([AROUND])
    solved = SQP(tolerance=1e-8).solve(problem, np.linspace(0, 1, problem.n_variables))
    enough = 3.0 * float(np.abs(solved.multipliers).max())
    chord = np.linspace(0, 1, problem.n_variables)  # through the obstacle

    def start(share: float) -> _Run:
        return _Run(
            SQP(penalties=(enough, 100.0 * enough), optimality=1e-14), problem, solved.x + share * (chord - solved.x)
        )

    def beyond(share: float) -> float:
        run = start(share)
        return float(((run.bounds.lower - run.at.rows) / (run.bounds.scale * run.bounds.tolerance)).max()) - tolerances

    run = start(brentq(beyond, 0.0, 1e-3, xtol=1e-14))
    real = run._subproblem
    monkeypatch.setattr(run, "_subproblem", lambda B: replace(real(B), linear_violation=0.5 * real(B).violation))
    run.iterate(None)
    assert (run.penalty > enough) == rises


def test_a_step_that_reaches_the_solution_ends_the_search() -> None:
    """From a point whose objective is within the tolerance, but not its slope; a quadratic objective takes one step."""
    problem = spring_problem([])
    settings = SQP(damping=1e-12)
    solved = settings.solve(problem, np.zeros(problem.n_variables))
    near = solved.x + 1e-3 * np.random.default_rng(4).normal(size=problem.n_variables)
    assert optimality(Evaluation(problem, near), np.zeros(0)) > 1e-3
    found = settings.solve(problem, near)
    assert found.status == "converged"
    assert found.iterations == 1
    assert found.optimality <= 1e-3


def test_a_stationary_point_that_violates_a_constraint_is_no_solution() -> None:
    """The shortest way, through the obstacle, with and without that constraint."""
    through = SQP(damping=1e-12).solve(spring_problem([]), np.zeros(spring_problem([]).n_variables)).x
    for constraints, found in (([], True), ([AROUND], False)):
        run = _Run(SQP(), spring_problem(constraints), through)
        assert run._is_stationary()
        assert run._is_feasible() == found


WALLS = [
    NodeConstraint("late", coordinates([0]), -np.inf, 0.3, applies=np.arange(81) == 40),
    NodeConstraint("early", coordinates([1]), 0.8, np.inf, applies=np.arange(81) == 40),
    NodeConstraint("far", coordinates([1]), -np.inf, 3.0, applies=np.arange(81) == 40),
]
"""On the two coordinates at half time: two active bounds and one that is not reached."""


def test_least_squares_multipliers_are_those_of_the_solution_from_any_estimates_of_the_right_sign() -> None:
    problem = spring_problem(WALLS)
    solved = SQP(damping=1e-12, tolerance=1e-8, optimality=1e-8, penalties=(1e4,)).solve(problem, np.zeros(6))
    at, known = Evaluation(problem, solved.x), solved.multipliers
    assert known[0] > 1.0, "pushed down"
    assert known[1] < -1.0, "pushed up"
    for estimates in ([5.0, -0.1, 0.0], [0.3, -40.0, 0.0], [1.0, -1.0, 7.0]):
        found = least_squares_multipliers(at, np.array(estimates))
        np.testing.assert_allclose(found, [known[0], known[1], 0.0], rtol=1e-5)
        # The same by another library's non-negative least squares.
        A = at.jacobian[:2] * [[1.0], [-1.0]]
        np.testing.assert_allclose(np.abs(found[:2]), nnls(A.T, -at.gradient)[0], rtol=1e-5)


def test_rows_of_the_wrong_sign_or_off_their_bound_have_no_least_squares_multiplier() -> None:
    """At a solution that is pushed down by one wall, as if it were pushed up by it, or not at it."""
    solved = SQP(damping=1e-12, penalties=(1e4,)).solve(spring_problem(WALLS), np.zeros(6))
    for lower, upper in ((0.3, np.inf), (-np.inf, 0.31)):
        at = Evaluation(spring_problem([replace(WALLS[0], lower=lower, upper=upper), *WALLS[1:]]), solved.x)
        found = least_squares_multipliers(at, solved.multipliers * [-1.0 if lower == 0.3 else 1.0, 1.0, 1.0])
        assert found[0] == 0.0
        assert found[1] < -1.0
        assert optimality(at, found) > 0.1


def test_constant_derivatives_of_coordinates_are_those_of_any_quantity() -> None:
    """With a reference and factors of the nodes; the same quantities behind a function are not recognised."""
    problem = spring_problem([])
    window = np.linspace(0.2, 1.5, 81)
    quantities = [
        coordinates([0, 1], "qdd"),
        difference(lambda time: np.stack([time, time**2], axis=1), [1, 0]),
        coordinates([1], "qd").scaled(window[:, None]),
        difference(lambda time: 0.3 + time[:, None], [0]).scaled(window[:, None]),
    ]
    known, plain = (
        replace(problem, objectives=[SquaredIntegral(str(k), one, 0.5 + k) for k, one in enumerate(each)])
        for each in (quantities, [lambda at, one=one: one(at) for one in quantities])
    )
    assert (len(known.quadratic.terms), len(plain.quadratic.terms)) == (4, 0)
    x = np.random.default_rng(6).normal(size=problem.n_variables)
    own, other = Evaluation(known, x), Evaluation(plain, x)
    assert own.objective == pytest.approx(other.objective, rel=1e-12)
    for ours, others in ((own.gradient, other.gradient), (own.hessian, other.hessian)):
        np.testing.assert_allclose(ours, others, atol=1e-12 * np.abs(others).max())
    states = problem.transcription.states(x)
    twice = coordinates([1], "qd").scaled(window[:, None]).scaled(2.0 * window[:, None]).value(states)
    np.testing.assert_allclose(twice, 2.0 * window[:, None] ** 2 * states.qd[:, [1]], rtol=1e-14)
    for free in ("free_duration", "free_breaks"):
        other = replace(known, transcription=replace(problem.transcription, **{free: True}))
        assert not other.quadratic.terms, "the integral depends on them in another way"


def test_of_a_quadratic_objective_the_predicted_reduction_is_the_actual_one() -> None:
    problem = spring_problem([])
    run = _Run(SQP(), problem, np.random.default_rng(4).normal(size=problem.n_variables))
    step = run._subproblem(run.at.hessian)
    actual = run.at.objective - Evaluation(problem, run.at.x + 0.5 * step.direction).objective
    half = replace(step, direction=0.5 * step.direction)
    assert run._predicted_reduction(half) == pytest.approx(actual, rel=1e-9)


@pytest.mark.parametrize("hessian", ["gauss-newton", "bfgs"])
def test_the_lagrangians_curvature_along_a_step_is_that_of_its_values(hessian: str) -> None:
    """Objective and rows are quadratic in the variables: the curvature along a step s is the same everywhere, and the
    central differences of (f + lam'c) are exact. Of six steps the last four are kept."""
    problem, rng = spring_problem([AROUND]), np.random.default_rng(5)
    n = problem.n_variables
    run = _Run(SQP(hessian=hessian), problem, rng.normal(size=n))  # type: ignore[arg-type]
    run.acceptable, run.last_multipliers = True, rng.normal(size=len(run.at.rows))

    def lagrangian(x: np.ndarray) -> float:
        at = Evaluation(problem, x)
        return at.objective + float(run.multipliers @ at.rows)

    expected = []
    for s in rng.normal(size=(6, n)):
        run._accept(Evaluation(problem, run.at.x + s))
        corners = [lagrangian(a * s + b * e) for e in np.eye(n) for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
        expected.append((s, np.reshape(corners, (n, 4)) @ [0.25, -0.25, -0.25, 0.25]))
        if hessian == "bfgs" and s @ expected[-1][1] > 0.2 * s @ run.B @ s:
            np.testing.assert_allclose(run.B @ s, expected[-1][1], rtol=1e-8, atol=1e-8)
    if hessian == "gauss-newton":
        assert len(run.curvatures) == 4
        for (s, y), (step, curved) in zip(run.curvatures, expected[-4:], strict=True):
            np.testing.assert_allclose(s, step, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(y, curved, rtol=1e-8, atol=1e-8)


def test_how_far_a_step_goes_beyond_bounds_of_design_variables_is_reported() -> None:
    """At a penalty too low to hold it within them, to either side, from a point that is not zero."""
    for low, high, start in ((-0.6, -0.2, -0.3), (1.2, 1.6, 1.5)):
        free = spring_problem([])
        n = free.n_variables
        bounded = replace(free, lower=np.full(n, low), upper=np.full(n, high))
        run = _Run(SQP(penalties=(1e-3,)), bounded, np.full(n, start))
        step = run._subproblem(run.at.hessian)
        reached = start + step.direction
        expected = max((low - reached).max(), (reached - high).max())
        assert expected > 0.1
        assert step.beyond == pytest.approx(expected)


@pytest.mark.parametrize("violation", [0.01, 100.0])
def test_the_penalty_rises_where_it_limits_multipliers_and_nearly_all_of_the_violation_remains(
    violation: float,
) -> None:
    run = _Run(SQP(penalties=(5.0, 50.0)), spring_problem([]), np.zeros(spring_problem([]).n_variables))
    for largest, left, too_low in ((5.0, 0.95, True), (5.0, 0.85, False), (4.8, 0.95, False), (5.0, 1.0, True)):
        run.last_multipliers = np.array([0.5, -largest])
        step = SimpleNamespace(violation=violation, linear_violation=left * violation, beyond=0.0)
        assert run._penalty_too_low(step) == too_low  # type: ignore[arg-type]


def test_the_tolerance_is_relative_to_the_objective() -> None:
    """A weight of 1e-5 with penalties to match: the solution is as near to the optimum as without."""
    found = []
    for weight in (1.0, 1e-5):
        problem, penalties = spring_problem([AROUND], weight), tuple(weight * p for p in (3e2, 3e4))
        settings = SQP(penalties=penalties, optimality=np.inf)
        found.append(settings.solve(problem, np.linspace(0, 1, problem.n_variables)).objective / weight)
    assert found[1] == pytest.approx(found[0], rel=1e-3)


def test_slopes_at_bounds_of_design_variables_count_where_they_lead_inwards() -> None:
    """At the lower bound, at the upper, at both with the other sign, and between them; over the largest gradient."""
    gradient, x = np.array([3.0, -4.0, -1.0, 0.5, 0.25]), np.array([0.0, 1.0, 0.0, 1.0, 0.5])
    for free, expected in ((slice(None), 1.0), (slice(0, 2), 0.0), ([0, 1, 3, 4], 0.5), ([0, 1, 4], 0.25)):
        own = gradient[free]
        at = SimpleNamespace(
            gradient=own,
            x=x[free],
            problem=SimpleNamespace(variable_bounds=(np.zeros(len(own)), np.ones(len(own)))),
            lagrangian_gradient=lambda _, own=own: own,
        )
        assert optimality(at, np.zeros(1)) == expected / 4.0


def test_the_lagrangian_s_gradient_is_that_of_the_multipliers_asked_for() -> None:
    at = Evaluation(spring_problem(WALLS), np.linspace(0.1, 0.9, 6))
    for multipliers in ([1.0, -2.0, 0.5], [0.0, 0.0, 0.0], [1.0, -2.0, 0.5]):
        expected = at.gradient + multipliers @ at.jacobian
        np.testing.assert_allclose(at.lagrangian_gradient(np.array(multipliers)), expected, atol=1e-12)


@pytest.mark.parametrize("package", ["ipyopt", "unopy"])
def test_established_solvers_find_the_same_solution_around_the_obstacle(package: str) -> None:
    """Identical problem and derivatives; all stop within 1e-6 of the same objective."""
    pytest.importorskip(package, reason="the cross-check needs the test extra")
    from tests.oracles.solvers.ipopt import Ipopt
    from tests.oracles.solvers.uno import Uno

    problem = spring_problem([AROUND])
    start = np.linspace(0, 1, problem.n_variables)
    ours = SQP(tolerance=1e-8).solve(problem, start)
    theirs = (Ipopt(tolerance=1e-8) if package == "ipyopt" else Uno(tolerance=1e-8)).solve(problem, start)
    assert theirs.success
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-6)


def test_contradicting_constraints_end_with_their_names_and_the_best_iterate() -> None:
    high = NodeConstraint("must be high", coordinates([0]), 0.9, np.inf, unit="rad")
    problem = spring_problem([high])
    result = SQP().solve(problem, np.zeros(problem.n_variables))
    with pytest.raises(SolverError, match=r"must be high by 0\.9 rad") as caught:
        require_success(result, problem, where="test", remedy="Lower it")
    assert caught.value.best is result


def test_damped_bfgs_meets_the_secant_equation_and_stays_positive_definite() -> None:
    rng = np.random.default_rng(11)
    root = rng.normal(size=(6, 6))
    B, s = root @ root.T + np.eye(6), rng.normal(size=6)
    y = 1.5 * (B @ s) + 0.1 * rng.normal(size=6)
    np.testing.assert_allclose(damped_bfgs(B, s, y) @ s, y, rtol=1e-12)
    across = np.linalg.svd(s[None])[2][1]  # normal to the step
    for share in (0.21, 0.39):  # little curvature, but more than a fifth
        low = share * (B @ s) + 0.05 * across
        np.testing.assert_allclose(damped_bfgs(B, s, low) @ s, low, rtol=1e-9)
    # Negative curvature along the step: Powell's damping keeps a fifth of the old curvature.
    damped = damped_bfgs(B, s, -(B @ s))
    assert np.linalg.eigvalsh(damped).min() > 0.0
    assert s @ damped @ s == pytest.approx(0.2 * (s @ B @ s))


def test_measured_curvature_replaces_that_of_the_hessian_unless_it_is_far_smaller() -> None:
    rng = np.random.default_rng(12)
    root = rng.normal(size=(6, 6))
    B, s = root @ root.T + np.eye(6), rng.normal(size=6)
    for share in (0.71, 1.0, 3.0):
        y = share * (B @ s) + 0.05 * np.linalg.svd(s[None])[2][1]
        raised = raised_curvature(B, s, y)
        np.testing.assert_allclose(raised @ s, y, rtol=1e-9)
        np.testing.assert_allclose(raised, raised.T, atol=1e-12)
        assert np.linalg.eigvalsh(raised).min() > 0.0
    assert raised_curvature(B, s, 0.69 * (B @ s)) is B


def test_a_motion_that_is_not_defined_reduces_nothing() -> None:
    def undefined(trial: object) -> float:
        raise OptimisationError("knots are not in order", where="spline")

    for merit in (undefined, lambda trial: np.nan, lambda trial: np.inf):
        assert _Run._actual_reduction(SimpleNamespace(merit=merit), 1.0, None) == -np.inf  # type: ignore[arg-type]


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_program_that_is_not_convex_is_refused_with_its_leading_minor(at: int) -> None:
    H = np.eye(3)
    H[at, at] = -1.0
    with pytest.raises(LinAlgError, match=f"leading minor {at + 1} "):
        _factor(H, SparseRows.dense(np.zeros((1, 3))), np.zeros(1))


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e10])
def test_a_singular_program_of_any_size_is_factored_within_rounding(size: float) -> None:
    """Of rank one, whose second leading minor is zero."""
    H = np.asarray(size * np.ones((3, 3)))
    lower = np.tril(_factor(H, SparseRows.dense(np.zeros((1, 3))), np.zeros(1)))
    np.testing.assert_allclose(lower @ lower.T, H, rtol=1e-12)


def test_rows_at_upper_bounds_count_as_active_like_those_at_lower_ones() -> None:
    """The obstacle as a lower bound of a distance, and as an upper bound of its negative."""
    above = replace(AROUND, quantity=lambda at: circle(at).scaled(-1.0), lower=-np.inf, upper=-0.1)
    results = []
    for part in (AROUND, above):
        problem = spring_problem([part])
        results.append(SQP(tolerance=1e-8).solve(problem, np.linspace(0, 1, problem.n_variables)))
    np.testing.assert_allclose(results[1].x, results[0].x, atol=1e-9)
    assert results[1].n_active == results[0].n_active > 0
    np.testing.assert_allclose(results[1].multipliers, -results[0].multipliers, atol=1e-9)


def test_bounds_and_guesses_that_are_no_numbers_are_refused() -> None:
    """With a NaN bound the working set would never be complete; a NaN guess would count as feasible."""
    guess = np.zeros(spring_problem([]).n_variables)
    with pytest.raises(OptimisationError, match="constraint middle: a bound is NaN"):
        SQP().solve(spring_problem([NodeConstraint("middle", coordinates([0, 1]), np.nan, 1.0)]), guess)
    with pytest.raises(OptimisationError, match="initial guess is not finite"):
        SQP().solve(spring_problem([]), guess + np.nan)
    crossed = replace(spring_problem([]), lower=guess + 0.7, upper=guess + 0.6)
    with pytest.raises(OptimisationError, match=r"design variable 0 are 0\.7 to 0\.6"):
        SQP().solve(crossed, guess)


@pytest.mark.parametrize("hessian", ["gauss-newton", "bfgs"])
def test_bounds_of_design_variables_with_multipliers_above_the_first_penalties_are_met(hessian: str) -> None:
    """A bounded linear least-squares problem, against SciPy's solver of such problems."""
    free = spring_problem([])
    n = free.n_variables
    at = Evaluation(free, np.zeros(n))
    root = np.linalg.cholesky(at.hessian).T
    known = lsq_linear(root, -np.linalg.solve(root.T, at.gradient), (0.2, 0.6), method="bvls")
    bounded = replace(free, lower=np.full(n, 0.2), upper=np.full(n, 0.6))
    result = SQP(hessian=hessian, tolerance=1e-9).solve(bounded, np.full(n, 0.5))
    assert result.status == "converged"
    np.testing.assert_allclose(result.x, known.x, atol=1e-4)
