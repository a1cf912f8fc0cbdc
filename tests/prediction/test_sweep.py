"""The order of a sweep by hand, and a sweep of coarse walks of which one is impossible."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.config import Prediction, Subject, WhatIf
from pipeline.optimisation import SolverError
from pipeline.prediction import GaitProblem, GaitTask, PredictionError, body_of, find_preset, predict_walks
from pipeline.prediction.gait import sweep
from pipeline.prediction.gait.sweep import next_of_sweep
from tests.walks import SKELETON

# speed, step length: five walks on a line of growing distances, their logarithms 0, 1, 3, 6 and 10 tenths.
LINE = np.exp(0.1 * np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [6.0, 6.0], [10.0, 10.0]]))


def order(places: np.ndarray, failing: frozenset[int] = frozenset()) -> list[tuple[int, int | None]]:
    """The whole sweep, where some walks cannot be solved."""
    solved: list[int] = []
    left = set(range(len(places)))
    done = []
    while left:
        index, start = next_of_sweep(places, solved, left)
        left.remove(index)
        done.append((index, start))
        if index not in failing:
            solved.append(index)
    return done


def test_the_middle_comes_first_and_then_the_nearest_to_any_that_is_solved() -> None:
    # The mean of the logarithms is 4: 3 is nearest to it. From 3: 1 at 2, then 0 at 1 from 1, then 6 at 3, then 10.
    assert order(LINE) == [(2, None), (1, 2), (0, 1), (3, 2), (4, 3)]


def test_a_walk_that_failed_starts_no_other() -> None:
    assert order(LINE, failing=frozenset({2})) == [(2, None), (3, None), (4, 3), (1, 3), (0, 1)]


def test_without_any_solved_each_starts_alone() -> None:
    assert {start for _, start in order(LINE, failing=frozenset(range(5)))} == {None}


def test_the_order_does_not_depend_on_the_units_and_ties_go_to_the_first() -> None:
    grid = np.array([[v, s] for v in (0.8, 1.2, 1.6) for s in (0.5, 0.6)])
    assert order(grid) == order(grid * [3.6, 100.0])
    twice = np.ones((3, 2))
    assert order(twice) == [(0, None), (1, 0), (2, 0)]


def test_a_case_whose_unchanged_walk_fails_stops_no_other_row(monkeypatch) -> None:
    """The unchanged walk of a symmetric body is one step, with fewer variables than the stride of the case."""
    preset = replace(find_preset("human"), n_nodes=12, n_intervals=6)
    body = body_of(Subject(subject="Ann", sex="f", mass_kg=60.0, height_m=1.7), SKELETON)
    step = GaitProblem.make(body.skeleton, GaitTask(1.2, 0.6), preset)

    def failing(*_args: object, **_kwargs: object) -> None:
        best = SimpleNamespace(x=step.neutral_guess(), cpu_seconds=1.0)
        raise SolverError("no walk", best=best, where=step.title, remedy="")

    monkeypatch.setattr(sweep, "predict_what_if", failing)
    shared = {"subject": "Ann", "speed_m_s": 1.2, "step_length_m": 0.6, "form": "stride", "what_if": "mine"}
    rows = [Prediction(prediction=name, **shared) for name in ("one", "other")]
    cases = {"mine": WhatIf(strength={"left_knee_flexion": 0.5})}
    outcomes = list(predict_walks(body, rows, {}, "", preset=preset, cases=cases))
    assert [(type(outcome.error), outcome.best) for outcome in outcomes] == 2 * [(SolverError, None)]


@pytest.mark.long
def test_a_sweep_solves_its_walks_and_yields_the_error_of_an_impossible_one() -> None:
    preset = replace(find_preset("human"), n_nodes=20, n_intervals=6)
    tasks = {"usual": (1.2, 0.6), "faster": (1.3, 0.62), "impossible": (3.0, 0.3), "slower": (1.1, 0.58)}
    rows = [
        Prediction(prediction=name, subject="Ann", speed_m_s=speed, step_length_m=length)
        for name, (speed, length) in tasks.items()
    ]
    body = body_of(Subject(subject="Ann", sex="f", mass_kg=60.0, height_m=1.7), SKELETON)
    lines: list[str] = []
    outcomes = list(predict_walks(body, rows, {}, "", preset=preset, report=lines.append))
    found = {outcome.row.prediction: outcome for outcome in outcomes}
    assert len(outcomes) == len(rows)
    assert set(found) == set(tasks)
    failed = found.pop("impossible")
    assert failed.walk is None
    assert failed.best is None
    assert isinstance(failed.error, PredictionError)
    assert "leaves 0.100 s" in str(failed.error)
    first, *others = (outcome.walk.solver for outcome in found.values())
    assert first.start == ""
    assert all(other.start in found for other in others), "warm starts from what is solved"
    assert all(outcome.walk.solver.max_violation <= 1.0 for outcome in found.values())
    assert any("iteration 1, objective" in line for line in lines)
