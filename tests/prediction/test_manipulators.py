"""The manipulators against independent direct transcriptions, and against what any solution must keep."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from pipeline.dynamics import rnea
from pipeline.optimisation import SQP, SolverError
from pipeline.prediction import (
    ManipulatorMotion,
    PredictionError,
    prismatic_revolute_skeleton,
    solve_prismatic_revolute,
    solve_two_revolute,
)

BEGIN, END = (0.1, 0.6), (np.pi / 4, -np.pi / 4)


@pytest.fixture(scope="module")
def reference():
    pytest.importorskip("casadi", reason="the independent transcription needs CasADi (test extra)")
    place = Path(__file__).with_name("casadi_manipulators.py")
    spec = importlib.util.spec_from_file_location("casadi_manipulators", place)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def revolute() -> ManipulatorMotion:
    return solve_two_revolute()


@pytest.mark.long
def test_two_revolute_is_within_0_3_percent_of_an_independent_optimum(revolute, reference) -> None:
    optimum, _ = reference.optimum(reference.two_revolute_acceleration, (0.0, -2.0), (1.0, -1.0), 1.0, 0.0)
    # A restriction to splines cannot beat the optimum, up to the torque excess between nodes (1e-3).
    assert optimum * 0.999 < revolute.total_time < optimum * 1.003


@pytest.mark.long
def test_two_revolute_keeps_ends_and_torque_limits_between_nodes(revolute) -> None:
    np.testing.assert_allclose(revolute.q[[0, -1]], [[0.0, -2.0], [1.0, -1.0]], atol=1e-9)
    np.testing.assert_allclose(revolute.qd[[0, -1]], 0.0, atol=1e-8)
    assert len(revolute.time) == 20 * 6 * 24 + 1
    assert revolute.max_violation_dense < 1e-3
    assert np.abs(revolute.tau).max() > 9.99  # bound to bound


@pytest.mark.long
def test_free_knots_are_never_worse_than_their_fixed_start() -> None:
    for n in (6, 10):
        fixed, free = solve_two_revolute(n, free_knots=False), solve_two_revolute(n)
        assert free.total_time <= fixed.total_time * (1 + 1e-6)


@pytest.mark.parametrize(("reading", "offset"), [("posture", 0.0), ("offset", np.pi / 2)])
def test_prismatic_revolute_is_within_0_3_percent_for_both_readings(reference, reading, offset) -> None:
    optimum, _ = reference.optimum(reference.prismatic_revolute_acceleration(offset), BEGIN, END, 0.99, 0.01)
    ours = solve_prismatic_revolute(0.01, reading)
    assert ours.objective == pytest.approx(optimum, rel=3e-3)
    assert ours.max_violation_dense < 1e-3


def test_equations_of_motion_of_the_reference_are_those_of_the_dh_tables(reference) -> None:
    rng = np.random.default_rng(5)
    for reading, offset in (("posture", 0.0), ("offset", np.pi / 2)):
        q, qd, qdd = rng.normal(size=(3, 4, 2))
        tau = rnea(prismatic_revolute_skeleton(reading), q, qd, qdd, gravity=(0.0, 0.0, 0.0)).tau
        acceleration = reference.prismatic_revolute_acceleration(offset)
        for k in range(4):
            found = np.array(reference.ca.DM(acceleration(q[k], qd[k], reference.ca.DM(tau[k])))).ravel()
            # The prismatic axis may point either way along the travel; the tables give it, and the bar's angle with it.
            np.testing.assert_allclose(found, qdd[k], atol=1e-12)


@pytest.mark.long
def test_pareto_front_trades_time_for_effort_without_being_dominated() -> None:
    front = [solve_prismatic_revolute(u) for u in (0.0, 0.01, 0.3, 0.99)]
    time = [m.total_time for m in front]
    effort = [np.trapezoid((m.tau**2).sum(axis=1), m.time) for m in front]
    assert np.all(np.diff(time) > 0)
    assert np.all(np.diff(effort) < 0)


def test_effort_alone_is_refused_with_the_reason() -> None:
    with pytest.raises(PredictionError, match="no minimum"):
        solve_prismatic_revolute(1.0)
    with pytest.raises(PredictionError, match="not a share"):
        solve_prismatic_revolute(-0.1)


def test_a_solver_that_stops_early_reports_it_with_its_last_iterate() -> None:
    with pytest.raises(SolverError, match="after 2 iterations") as caught:
        solve_two_revolute(6, solver=SQP(hessian="bfgs", max_iterations=2))
    assert caught.value.best.iterations == 2
    assert len(caught.value.best.x) == 2 * (9 - 4) + 1


def test_coarse_splines_do_not_explain_the_published_time_of_the_second_manipulator() -> None:
    """0.5585 s in the thesis; docs/theory/errata.md has the times of even intervals."""
    times = [solve_prismatic_revolute(0.01, "posture", n, free_knots=False).total_time for n in (3, 8)]
    assert times == pytest.approx([0.5867, 0.5859], abs=1e-4)
