"""Activations against other solvers, a case worked by hand, and the conditions of optimality."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from pipeline.errors import DynamicsError
from pipeline.muscles.static_optimisation import Criterion, static_optimisation
from pipeline.muscles.static_optimisation_kernels import reachable

RISING, FALLING = 0.010, 0.040
"""s; of activation and deactivation."""


def thelens_rate(excitation: float, a: np.ndarray) -> np.ndarray:
    """Rate of activation, 1/s (Thelen 2003, equations 1 and 2)."""
    pace = 0.5 + 1.5 * a
    return (excitation - a) / np.where(excitation > a, RISING * pace, FALLING / pace)


def random_problems(frames: int, coordinates: int, muscles: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Capacities of muscles that cross one to three coordinates, and moments that move smoothly and at times exceed
    what the muscles can give."""
    rng = np.random.default_rng(seed)
    crosses = np.zeros((coordinates, muscles))
    for i in range(muscles):
        crosses[rng.choice(coordinates, rng.integers(1, min(4, coordinates + 1)), replace=False), i] = 1.0
    base = rng.normal(0, 40, (coordinates, muscles)) * crosses
    phase = np.linspace(0, 2 * np.pi, frames)[:, None, None]
    capacity = base * (1 + 0.3 * np.sin(phase + rng.uniform(0, 6, muscles)))
    moment = rng.uniform(50, 250, coordinates) * np.sin(phase[:, :, 0] + rng.uniform(0, 6, coordinates))
    return capacity, moment


def test_two_muscles_about_one_joint_by_hand() -> None:
    """Squares: shares as the moments at full activation, 40 and 20: 30 = 40 a + 20 b with a / b = 2, so 0.6 and 0.3.
    The antagonist stays silent. With the bound 0.5 on the first the second gives the rest, 0.5."""
    capacity = np.array([[[40.0, 20.0, -30.0]]])
    free = static_optimisation(capacity, np.array([[30.0]]), Criterion(reserve=1e-3))
    np.testing.assert_allclose(free.activation[0], [0.6, 0.3, 0.0], atol=1e-5)
    bound = static_optimisation(capacity, np.array([[30.0]]), Criterion(reserve=1e-3, high=np.array([0.5, 1.0, 1.0])))
    np.testing.assert_allclose(bound.activation[0], [0.5, 0.5, 0.0], atol=1e-5)


@pytest.mark.parametrize("interval", [0.001, 0.02, 0.2])
@pytest.mark.parametrize("activation", [0.0, 0.05, 0.3, 0.7, 0.95])
def test_activations_within_reach_are_those_of_thelens_rates(activation: float, interval: float) -> None:
    """Thelen (2003), equations 1 and 2, without and with full excitation over 1 to 200 ms, by another integrator."""
    ends = []
    for excitation in (0.0, 1.0):

        def rate(_, a, u=excitation):
            return thelens_rate(u, a)

        ends.append(solve_ivp(rate, (0.0, interval), [activation], rtol=1e-10, atol=1e-12).y[0, -1])
    np.testing.assert_allclose(reachable(activation, interval, RISING, FALLING), ends, atol=1e-7)


def test_weights_are_those_of_the_cost() -> None:
    """Muscles whose capacity and activation are measured in units sqrt(w) smaller have the cost w a^2."""
    capacity, moment = random_problems(10, 5, 20, seed=4)
    weight = np.random.default_rng(4).uniform(0.5, 8.0, 20)
    ours = static_optimisation(capacity, moment, Criterion(weight=weight))
    unit = np.sqrt(weight)
    other = static_optimisation(capacity / unit, moment, Criterion(high=unit))
    np.testing.assert_allclose(ours.activation, other.activation / unit, atol=1e-7)
    assert np.abs(ours.activation - static_optimisation(capacity, moment).activation).max() > 0.1


def test_what_no_muscle_gives_is_a_reserve() -> None:
    """Three fully active muscles of 40 Nm fall 30 short of 150."""
    out = static_optimisation(np.full((1, 1, 3), 40.0), np.array([[150.0]]))
    np.testing.assert_allclose(out.activation, 1.0)
    np.testing.assert_allclose(out.reserve, [[30.0]], rtol=1e-8)


def test_an_interior_point_solver_finds_the_same_squares() -> None:
    """Activations within 1e-6, the root of the 1e-12 of the objective to which the other solver stops.

    Reserves cost differently in each frame and about each coordinate.
    """
    piqp = pytest.importorskip("piqp")
    capacity, moment = random_problems(20, 7, 43, seed=1)
    rho = np.random.default_rng(2).uniform(0.5, 15.0, moment.shape)
    ours = static_optimisation(capacity, moment, Criterion(reserve=rho))
    assert (ours.activation == 1).any(), "no upper bound is reached"
    assert (np.abs(ours.reserve) > 5).any(), "no moment exceeds the muscles"
    m, n = 43, 7
    for t in range(20):
        solver = piqp.DenseSolver()
        solver.settings.eps_abs, solver.settings.eps_rel = 1e-10, 1e-12
        weights = 2 * np.diag(np.r_[np.ones(m), rho[t] ** -2.0])
        solver.setup(
            weights, np.zeros(m + n), np.hstack([capacity[t], np.eye(n)]), moment[t],
            x_l=np.r_[np.zeros(m), np.full(n, -np.inf)], x_u=np.r_[np.ones(m), np.full(n, np.inf)],
        )  # fmt: skip
        solver.solve()
        np.testing.assert_allclose(ours.activation[t], solver.result.x[:m], atol=1e-6)
        np.testing.assert_allclose(ours.reserve[t], solver.result.x[m:], atol=1e-6)


def test_optimality_and_moments() -> None:
    """Feasible to 1e-7 Nm; the cost's slope less the multipliers' moment is zero inside the bounds, pushes outward at
    them (Karush, Kuhn, Tucker). The problem is convex, so this is the optimum."""
    capacity, moment = random_problems(50, 17, 92, seed=3)
    out = static_optimisation(capacity, moment, Criterion(high=0.9))
    given = np.einsum("tji,ti->tj", capacity, out.activation) + out.reserve
    np.testing.assert_allclose(given, moment, atol=1e-6)
    a = out.activation
    excess = 2 * a - np.einsum("tji,tj->ti", capacity, out.multiplier)
    inside = (a > 0) & (a < 0.9)
    assert inside.mean() > 0.1
    assert np.abs(excess[inside]).max() < 1e-9
    assert excess[a == 0].min() > -1e-9
    assert excess[a == 0.9].max() < 1e-9


def test_activations_change_no_faster_than_excitations_can_make_them() -> None:
    """In each frame within what the activation dynamics reach from the frame before with no and with full excitation,
    by SciPy's integrator; moments are asked for that change faster."""
    capacity, moment = random_problems(60, 7, 43, seed=4)
    seconds = np.linspace(0.0, 0.3, 60)  # 5 ms
    free = static_optimisation(capacity, moment).activation
    held = static_optimisation(capacity, moment, time=seconds)
    least, most = np.empty((59, 43)), np.empty((59, 43))
    for excitation, out in ((0.0, least), (1.0, most)):

        def flow(_: float, a: np.ndarray, u: float = excitation) -> np.ndarray:
            return thelens_rate(u, a)

        for k, a in enumerate(held.activation[:-1]):
            out[k] = solve_ivp(flow, (0.0, seconds[k + 1] - seconds[k]), a, rtol=1e-9, atol=1e-11).y[:, -1]
    assert np.any(free[1:] < least - 0.01)
    assert np.any(np.isclose(held.activation[1:], least, atol=1e-6) & (held.activation[1:] > 0.01))
    assert np.all(held.activation[1:] >= least - 1e-6)
    assert np.all(held.activation[1:] <= most + 1e-6)
    given = np.einsum("tji,ti->tj", capacity, held.activation) + held.reserve
    np.testing.assert_allclose(given, moment, atol=1e-6)
    with pytest.raises(DynamicsError, match="increase"):
        static_optimisation(capacity, moment, time=seconds[::-1])


def test_a_frame_takes_few_newton_steps() -> None:
    """5 of 17 coordinates and 92 muscles in the mean, 37 where many activations come to a bound; their time is measured
    by `tests.benchmarks.muscles`."""
    capacity, moment = random_problems(100, 17, 92, seed=5)
    rounds = static_optimisation(capacity, moment).rounds
    assert rounds.mean() < 8.0
    assert rounds.max() < 60


def test_no_frames_give_no_activations() -> None:
    assert static_optimisation(np.zeros((0, 2, 3)), np.zeros((0, 2))).activation.shape == (0, 3)


@pytest.mark.parametrize(
    ("moment", "criterion", "message"),
    [
        ([[1.0], [np.nan]], {}, "frame 1 is not finite"),
        ([[1.0]], {}, r"moment has shape \(1, 1\), expected \(2, 1\)"),
        ([[1j], [1j]], {}, "moment is not an array of numbers"),
        ([[1.0], [1.0]], {"reserve": 0.0}, "reserve is not positive and finite"),
        ([[1.0], [1.0]], {"reserve": np.inf}, "reserve is not positive and finite"),
        ([[1.0], [1.0]], {"weight": [1.0, 1.0]}, r"weight is no array of \(3,\)"),
        ([[1.0], [1.0]], {"weight": [1.0, 0.0, 1.0]}, "weight is not positive"),
    ],
)
def test_what_is_no_problem_is_refused(moment, criterion, message) -> None:
    with pytest.raises(DynamicsError, match=message):
        static_optimisation(np.ones((2, 1, 3)), np.array(moment), Criterion(**criterion))
