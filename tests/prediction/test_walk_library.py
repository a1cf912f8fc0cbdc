"""The stored walks: still those of the present problem, initial guesses by regression, and requests out of reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.optimisation import SQP, Evaluation, SolverError
from pipeline.prediction import GaitProblem, GaitTask, PredictionError, find_preset, predict_gait
from pipeline.prediction.gait import presets
from pipeline.prediction.gait.start import start_from
from pipeline.prediction.gait.walk_grid import _Grid, _Walk, preferred_step, solve_walks
from pipeline.prediction.gait.walk_library import LIBRARY, Request, WalkLibrary, body, lengths_of, stored_walks


@pytest.fixture(scope="module")
def library() -> WalkLibrary:
    return WalkLibrary.load(LIBRARY)


@pytest.fixture(scope="module")
def adult():
    return body("male", 73.0, 1.75)


def asked(adult, speed: float, step: float) -> GaitProblem:
    """By speed over sqrt(g leg) and step over leg."""
    leg = GaitProblem.make(adult, GaitTask(), "human").walker.leg_length
    return GaitProblem.make(adult, Request(speed, step, leg).task(), "human")


def test_the_library_that_ships_is_small_and_of_the_present_problem(library) -> None:
    """If this fails the problem has changed: `python -m pipeline.prediction walks` makes it again, in minutes."""
    assert LIBRARY.stat().st_size < 300_000
    assert library.is_current()


def test_a_library_of_another_problem_is_noticed(library, monkeypatch) -> None:
    human = find_preset("human")
    other = replace(human, weights=replace(human.weights, knee=1.001 * human.weights.knee))
    monkeypatch.setitem(presets.PRESETS, "human", other)
    assert not library.is_current()


def test_another_problem_is_one_with_a_value_that_is_off_by_more_than_a_millionth_of_itself(library) -> None:
    assert replace(library, signature=(1.0 + 0.5e-6) * library.signature).is_current()
    for off in 1.0 + 2e-6 * np.eye(len(library.signature)):
        assert not replace(library, signature=off * library.signature).is_current()


def test_a_library_that_cannot_be_used_says_why(library, tmp_path) -> None:
    current, outdated, broken = (tmp_path / name for name in ("current.npz", "outdated.npz", "broken.npz"))
    library.save(current)
    replace(library, signature=library.signature * [1.001, 1.0, 1.0, 1.0]).save(outdated)
    broken.write_bytes(current.read_bytes()[:1000])
    assert isinstance(stored_walks(current), WalkLibrary)
    for path, why in ((outdated, "another version"), (broken, "cannot be read"), (tmp_path / "none.npz", "are absent")):
        assert why in stored_walks(path)


def test_heads_hardly_nod_at_usual_speeds_and_steps(library) -> None:
    """A spline lies within its control points. These reach 6 degrees (13 with one weight for spine and neck)."""
    speed, step, _ = library.requests.T
    usual = (speed < 0.5) & (np.abs(step / preferred_step(speed) - 1.0) < 0.01)
    joint = library.problem(0).problem.transcription.relations.free[:, 1]
    neck = library.variables[:, joint == library.joints.index("upper_neck_flexion")]
    assert usual.sum() == 8
    assert np.degrees(np.abs(neck[usual]).max()) < 8.0


@pytest.mark.long
def test_a_walk_without_the_library_says_so(adult, monkeypatch) -> None:
    monkeypatch.setattr("pipeline.prediction.gait.predict.stored_walks", lambda: "the stored walks are absent")
    found = predict_gait(adult, GaitTask(1.3, 0.7))
    assert found.start == ""
    assert found.notes[-1] == "the stored walks are absent"


@pytest.mark.long
def test_every_stored_walk_is_feasible_and_none_is_a_step_that_is_refused(library) -> None:
    for index in range(0, len(library.requests), 7):
        problem = library.problem(index)
        rows = Evaluation(problem.problem, library.variables[index] * lengths_of(problem)).rows
        # Stored in single precision: 1e-7 of a leg or a turn, far below every tolerance.
        assert problem.problem.bounds.relative_violation(rows).max() < 1.1
        library.require_reach(problem)


@pytest.mark.long
def test_no_lower_walk_is_found_from_the_next_faster_one_where_there_are_two_minima(library) -> None:
    """At a speed of 0.69 the walk from the next slower one is 0.7 % above that from the next faster one."""

    def usual(speed: float) -> tuple[GaitProblem, np.ndarray]:
        own = np.abs(library.requests[:, :2] - [speed, preferred_step(speed)]).max(axis=1) < 1e-9
        (index,) = np.flatnonzero(own & (library.build == 0))
        problem = library.problem(index)
        return problem, library.variables[index] * lengths_of(problem)

    problem, stored = usual(0.69)
    found = problem.solve(start_from(problem, *usual(0.78)), SQP(), warm=True)
    assert found.success
    # Both are solved to a residual of 1e-3.
    assert found.objective > Evaluation(problem.problem, stored).objective * (1.0 - 1e-3)


def test_a_grid_is_stored_as_its_walks_and_is_current(library, monkeypatch) -> None:
    """Three walks of each body, as if they were found now."""
    chosen = [index for build in (0, 1) for index in np.flatnonzero(library.build == build)[[0, 9, 20]].tolist()]

    def found_now(grid: _Grid) -> dict[float, _Walk]:
        for index in chosen:
            if library.requests[index, 2] == pytest.approx(grid.leg):
                problem = library.problem(index)
                x = library.variables[index] * lengths_of(problem)
                grid.solved[Request(*library.requests[index])] = _Walk(x, problem, 0.0)
        return {}

    monkeypatch.setattr(_Grid, "preferred_walks", found_now)
    again = solve_walks(lambda _: None)
    np.testing.assert_array_equal(again.build, library.build[chosen])
    np.testing.assert_array_equal(again.requests, library.requests[chosen])
    np.testing.assert_allclose(again.variables, library.variables[chosen], rtol=1e-6)
    assert again.is_current()


@pytest.mark.parametrize(("reach", "lengths"), [(9.9, [0.602, 0.979, 1.194, 1.2]), (1.1, [0.602, 0.979, 1.194, 1.081])])
def test_steps_get_longer_until_none_is_found_or_a_task_is_refused(reach, lengths, adult, monkeypatch) -> None:
    """At a speed of 0.5 people's step is 0.802 of the leg. Three quarters of it; 1.22 times as long and again, up to
    1.2; or, after the first that is not found, one as much longer than the last as that is longer than it."""
    asked_for = []

    def solve(self: _Grid, speed: float, step: float, start: object) -> str | None:
        asked_for.append(step)
        assert len(asked_for) <= 4
        return "found" if step < reach else None

    monkeypatch.setattr(_Grid, "solve", solve)
    _Grid(adult, 0.9, print).along_steps(0.5, "people's")  # type: ignore[arg-type]
    np.testing.assert_allclose(asked_for, lengths, atol=6e-4)


def test_a_guess_repeats_walks_that_depend_linearly_on_the_logarithms_of_the_task(library, adult) -> None:
    rng = np.random.default_rng(0)
    slopes = rng.normal(size=(3, library.variables.shape[1]))
    linear = replace(library, variables=1.0 + np.log(library.requests) @ slopes)
    problem = asked(adult, 0.4, 0.7)
    at = Request.of(problem)
    # Translations of the pelvis are stored relative to the leg's length, angles as they are.
    joint = problem.problem.transcription.relations.free[:, 1]
    sizes = np.where(joint < 3, problem.walker.leg_length, 1.0)
    expected = (1.0 + np.log([at.speed, at.step, at.leg]) @ slopes) * sizes
    np.testing.assert_allclose(linear.guess(problem), expected, rtol=1e-9, atol=1e-9)


def test_a_step_out_of_reach_is_refused_before_a_solve_with_the_nearest_that_was(library, adult, monkeypatch) -> None:
    problem = asked(adult, 0.2, 1.15)
    monkeypatch.setattr(GaitProblem, "solve", lambda *_, **__: pytest.fail("it was solved"))
    with pytest.raises(PredictionError, match="is out of reach; the longest found at this speed is") as caught:
        predict_gait(adult, problem.task)
    assert "the nearest request that was solved is" in str(caught.value)
    # The boundary is above the steps of people at every speed, and the refusal begins at it.
    library.require_reach(asked(adult, 0.2, 0.8))
    library.require_reach(asked(adult, 0.6, 1.1))
    # For another preset or other weights it was not measured.
    leg = problem.walker.leg_length
    library.require_reach(GaitProblem.make(adult, Request(0.2, 1.15, leg).task(), "thesis"))


def test_a_walk_that_the_search_does_not_find_is_refused_with_the_nearest_that_was_found(adult) -> None:
    task = asked(adult, 0.1, 0.4).task
    with pytest.raises(SolverError, match=r"the nearest request that was solved is 0\.\d+ m/s with steps of 0\.\d+ m"):
        predict_gait(adult, task, solver=SQP(max_iterations=1), retry=False)


@pytest.mark.long
def test_the_same_request_gives_the_same_walk(adult) -> None:
    task = GaitTask(1.3, 0.7)
    one, other = (predict_gait(adult, task) for _ in range(2))
    assert one.start == "the stored walks"
    assert one.status == "converged"
    np.testing.assert_array_equal(one.q, other.q)
