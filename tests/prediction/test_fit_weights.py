"""Fitted weights: steps on residuals whose optimum is known, gains, and a known weight found again from its walk."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, predicted_cycle
from pipeline.config import Prediction
from pipeline.prediction import (
    Body,
    FittedWeights,
    GaitTask,
    PredictionError,
    WalkToFit,
    Weights,
    find_preset,
    fit_weights,
    predict_gait,
    predicted_walk,
)
from pipeline.prediction.gait.fit_weights import TARGETS, Predictions, fit
from pipeline.skeleton import load_skeleton
from tests.benchmarks.prediction_agreement import norm_request
from tests.walks import SKELETON
from tools.fit_human_weights import PredictionsAndCosts


class Known:
    """Predictions whose residuals vanish at known weights, with curvature; a walk is missing for low ones."""

    cpu_seconds = 0.0

    def __init__(self, at: dict[str, float]) -> None:
        self.at = at

    def keep(self) -> None:
        pass

    def residuals(self, name: str, weights: Weights) -> np.ndarray:
        off = np.array([np.log(getattr(weights, name) / value) for name, value in self.at.items()])
        if np.any(off < -2.0):
            return np.full(1, np.inf)
        return np.concatenate([off + 0.1 * off**2, [0.5 * off.sum()]])


def test_steps_lead_to_the_weights_without_residuals() -> None:
    start, known = Weights(), {"hip": 1.3, "torque_rate": 0.01}
    found = fit(Known(known), ["walk"], start, tuple(known), rounds=6)
    # The prior of 0.05 a change of one holds back by a few thousandths, the differences' step of 0.35 by as much.
    assert found.hip == pytest.approx(1.3, rel=0.02)
    assert found.torque_rate == pytest.approx(0.01, rel=0.02)
    assert replace(found, hip=start.hip, torque_rate=start.torque_rate) == start, "others stay"


class Straight(Known):
    """Residuals that are linear in the logarithms."""

    def residuals(self, name: str, weights: Weights) -> np.ndarray:
        return np.log([getattr(weights, one) / value for one, value in self.at.items()])


def test_one_round_is_the_step_of_levenberg_and_marquardt() -> None:
    """J = (1, 0.05), of the residual and the prior: (1.0025 + 0.1 (1.0025 + 0.001)) step = 0.3."""
    start = Weights()
    found = fit(Straight({"hip": start.hip * np.exp(0.3)}), ["walk"], start, ["hip"], rounds=1)
    assert np.log(found.hip / start.hip) == pytest.approx(0.3 / 1.10285, rel=1e-9)


def test_the_step_of_least_cost_is_a_residual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of walks whose cost per metre is a parabola with its least at 0.9 of the norm's step; 0.05 counts as one."""
    row, body, free, leg = norm_request("free")
    walks = PredictionsAndCosts({"free": WalkToFit("free", row, body, free, [])}, find_preset("human"))

    def predict(name: str, weights: Weights) -> tuple[SimpleNamespace, None]:
        task = walks.walks[name].task
        per_metre = 1.0 + (task.step_length / free.step_length - 0.9) ** 2
        walker = SimpleNamespace(leg_length=leg)
        objective = per_metre * task.n_steps * task.step_length
        return SimpleNamespace(task=task, objective=objective, problem=SimpleNamespace(walker=walker)), None

    monkeypatch.setattr(walks, "predict", predict)
    assert walks.residuals("step of least cost", Weights()) == pytest.approx([(0.9 - 1.0) / 0.05])


def test_gains_are_told_for_walks_fitted_to_and_judged() -> None:
    found = FittedWeights(Weights(), {"a": 1.0, "b": 0.5}, {"a": 0.8, "b": 0.6}, ("a",), 1.0)
    assert found.gain("a") == pytest.approx(20.0)
    assert found.gain("b") == pytest.approx(-20.0)
    assert found.summary.startswith("fitted to a (-20 %); judged on b (+20 %)")


def test_a_walk_of_two_sides_has_the_mean_square_of_its_differences_over_their_targets() -> None:
    """One side differs by the target of each curve, the other by three times it; a curve that is not measured counts
    as none."""
    size = np.array(list(TARGETS.values()))[:, None] * np.ones(len(PERCENT))
    measured = [size.copy(), 3.0 * size]
    measured[0][2] = np.nan
    walks = {"w": SimpleNamespace(curves=measured)}
    apart = Predictions._apart(SimpleNamespace(walks=walks), "w", np.zeros_like(size))  # type: ignore[arg-type]
    n = len(TARGETS)
    assert np.sum(apart**2) == pytest.approx(((n - 1) * 1.0 + n * 9.0) / (2 * n))


def test_unknown_weights_and_no_walks_are_refused() -> None:
    with pytest.raises(PredictionError, match="no walk to fit to"):
        fit_weights([])
    walk = WalkToFit("w", None, None, GaitTask(), [])
    with pytest.raises(PredictionError, match=r"no weight 'hipp'.*Known: hip"):
        fit_weights([walk], free=["hipp"])


@pytest.mark.long
@pytest.mark.exhaustive
def test_a_known_weight_comes_back_from_the_walk_predicted_with_it() -> None:
    skeleton, task = load_skeleton(SKELETON), GaitTask(1.2, 0.65)
    coarse = replace(find_preset("human"), n_nodes=22, n_intervals=8)
    known = 1.7 * coarse.weights.ankle
    own = replace(coarse, weights=replace(coarse.weights, ankle=known))
    body = Body(73.0, 1.741, "m", skeleton)
    row = Prediction(prediction="p", subject="Ann", speed_m_s=1.2, step_length_m=0.65)
    usual = predict_gait(skeleton, task, coarse)  # the start, so that both walks are of one local minimum
    cycle = predicted_cycle(predicted_walk(row, body, "", predict_gait(skeleton, task, own, start=usual)))
    curves = np.array([CYCLE_VARIABLES[name].of(cycle) for name in TARGETS])
    walk = WalkToFit("w", row, body, task, [curves])
    found = fit_weights([walk], free=["ankle"], preset=coarse, rounds=1)
    # Derivatives over a third of a weight leave a fifth; 1 % and a gain of 97 % here.
    assert found.weights.ankle == pytest.approx(known, rel=0.2)
    assert found.gain("w") > 50.0
