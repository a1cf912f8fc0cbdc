"""Weights of the preset `human` fitted to measured walks: inverse optimal control (Mombaur, Truong and Laumond 2010).

Levenberg-Marquardt steps change the logarithms of some weights so that the predicted curves approach the measured
ones. Derivatives are finite differences over a third of a weight, since walks solved to a tolerance are not smooth in
the weights; every walk starts from its last solution. A residual is the difference at a percent of the gait cycle over
the target for its variable, or the ground's work beyond its limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, low_passed, predicted_cycle
from pipeline.config import Prediction
from pipeline.optimisation import SQP, SolverError
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.predict import GaitPrediction, predict_gait
from pipeline.prediction.gait.predicted_walk import predicted_walk
from pipeline.prediction.gait.presets import Preset, find_preset
from pipeline.prediction.gait.subject_body import Body
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.weights import Weights
from pipeline.trial import GaitCycles, LowPass

TARGETS = {
    "hip_flexion": 3.5,
    "knee_flexion": 4.5,
    "ankle_dorsiflexion": 6.0,
    "hip_extensor_moment": 0.35,
    "knee_extensor_moment": 0.3,
    "ankle_plantarflexor_moment": 0.3,
    "ankle_power": 0.8,
    "ground_fore_aft": 3.5,
    "ground_vertical": 8.0,
}
"""RMS differences that count as one, in the variables' units; moments and power weigh less than angles and forces."""

MAX_NET_WORK, MAX_ABSOLUTE_WORK = 0.04, 0.08
"""J/kg per step, work of the ground on the feet; 0.02 of it is what the heel pads absorb."""

WORK_SCALE = 0.02
"""J/kg beyond the limits that counts as much as all curves of a walk being at their targets."""

STEP, MAX_CHANGE, PRIOR = 0.35, 0.7, 0.05
"""In logarithms of weights: finite difference, largest change in a round, and penalty weight of a change by one."""

SOLVER = SQP(tolerance=1e-5, optimality=1e-5)
"""A hundredth of the usual tolerances: within these, a walk solved with other weights may already count as a
solution."""

HANDFUL = ("hip", "knee", "ankle", "torque_rate", "swing_ankle")
"""Weights that one walk determines; a single walk's curves hardly depend on the others."""


@dataclass(frozen=True)
class WalkToFit:
    """A measured walk: the prediction to make for it, and the curves to compare with.

    Attributes:
        row, body, task: of the prediction.
        curves: of each side, or the mean of people, (V, 101) in the order of `TARGETS`; NaN where not measured.
        low_pass: filter applied to the measurements; None for the mean of people.
    """

    name: str
    row: Prediction
    body: Body
    task: GaitTask
    curves: Sequence[np.ndarray]
    low_pass: LowPass | None = None

    @classmethod
    def measured(cls, name: str, row: Prediction, body: Body, task: GaitTask, cycles: GaitCycles) -> WalkToFit:
        """A walk to fit with the curves of each cycle of a measured walk, and its filter."""
        curves = [np.array([CYCLE_VARIABLES[variable].of(one) for variable in TARGETS]) for one in cycles.cycles]
        return cls(name, row, body, task, curves, cycles.low_pass)


@dataclass(frozen=True)
class FittedWeights:
    """Weights fitted to walks.

    Attributes:
        weights: the fitted weights.
        before, after: by walk, fitted or only judged: root mean square of all differences over their targets, with the
            initial and with the fitted weights.
        fitted_to: names of the walks that the weights were fitted to.
        cpu_seconds: processor time of all predictions.
    """

    weights: Weights
    before: dict[str, float]
    after: dict[str, float]
    fitted_to: tuple[str, ...]
    cpu_seconds: float

    def gain(self, name: str) -> float:
        """Reduction of a walk's differences, in percent; negative if they grew."""
        return 100.0 * (1.0 - self.after[name] / self.before[name])

    @property
    def summary(self) -> str:
        """Gains on each walk, in one sentence."""
        fitted, others = ([n for n in self.before if (n in self.fitted_to) == own] for own in (True, False))
        parts = [
            f"{label} {', '.join(f'{name} ({-self.gain(name):+.0f} %)' for name in names)}"
            for label, names in (("fitted to", fitted), ("judged on", others))
            if names
        ]
        return f"{'; '.join(parts)}: change of the differences from measured curves"


def fit_weights(
    walks: Sequence[WalkToFit],
    judged: Sequence[WalkToFit] = (),
    *,
    free: Sequence[str] = HANDFUL,
    preset: Preset | None = None,
    rounds: int = 3,
    report: Callable[[str], None] = lambda _: None,
) -> FittedWeights:
    """Fit weights to walks, and judge them on these and on other walks.

    Args:
        walks: walks to fit to.
        judged: walks to judge on, without fitting.
        free: names of the weights that change.
        preset: gives the initial weights; `human` by default.
        rounds: number of Levenberg-Marquardt steps.
        report: called with a line for each round.

    Raises:
        PredictionError: a name is not that of a weight, or there is no walk.
        SolverError: a walk has no prediction with the initial weights.
    """
    preset = preset or find_preset("human")
    known = [one.name for one in fields(Weights)]
    if not walks or (unknown := [name for name in free if name not in known]):
        text = f"there is no weight '{unknown[0]}'" if walks else "there is no walk to fit to"
        raise PredictionError(text, where="weights", remedy=f"Known: {', '.join(known)}")
    predictions = Predictions({walk.name: walk for walk in (*walks, *judged)}, preset)
    names = [walk.name for walk in walks]
    before = {name: predictions.difference(name, preset.weights) for name in predictions.walks}
    predictions.keep()
    found = fit(predictions, names, preset.weights, free, rounds, report)
    after = {name: predictions.difference(name, found) for name in predictions.walks}
    return FittedWeights(found, before, after, tuple(names), predictions.cpu_seconds)


@dataclass
class Predictions:
    """Predictions of walks with given weights, each started from the last one kept."""

    walks: Mapping[str, WalkToFit]
    preset: Preset
    kept: dict[str, GaitPrediction] = field(default_factory=dict)
    latest: dict[str, GaitPrediction] = field(default_factory=dict)
    cpu_seconds: float = 0.0

    def predict(self, name: str, weights: Weights) -> tuple[GaitPrediction, np.ndarray]:
        """The walk, and its curves (V, 101). Raises SolverError if none is found."""
        walk, preset = self.walks[name], replace(self.preset, weights=weights)
        try:
            found = predict_gait(walk.body.skeleton, walk.task, preset, solver=SOLVER, start=self.kept.get(name))
        except SolverError:
            found = predict_gait(walk.body.skeleton, walk.task, preset, solver=SOLVER)
        self.cpu_seconds += found.result.cpu_seconds
        self.latest[name] = found
        cycle = predicted_cycle(low_passed(predicted_walk(walk.row, walk.body, "", found), walk.low_pass))
        return found, np.array([CYCLE_VARIABLES[variable].of(cycle) for variable in TARGETS])

    def keep(self) -> None:
        """Start later predictions from the latest walks."""
        self.kept.update(self.latest)

    def residuals(self, name: str, weights: Weights) -> np.ndarray:
        """Residuals of one walk; infinite if no walk is found."""
        try:
            found, own = self.predict(name, weights)
        except SolverError:
            return np.full(1, np.inf)
        work = abs(found.dense.ground_work), found.dense.ground_work_absolute
        beyond = np.maximum(np.subtract(work, (MAX_NET_WORK, MAX_ABSOLUTE_WORK)), 0.0)
        return np.concatenate([self._apart(name, own), beyond / WORK_SCALE])

    def difference(self, name: str, weights: Weights) -> float:
        """Root mean square of a walk's differences over their targets. Raises SolverError if no walk is found."""
        return float(np.linalg.norm(self._apart(name, self.predict(name, weights)[1])))

    def _apart(self, name: str, own: np.ndarray) -> np.ndarray:
        """Differences over their targets, scaled so that the sum of their squares is the mean square."""
        parts, scale = [], np.array(list(TARGETS.values()))[:, None]
        for curves in self.walks[name].curves:
            known = np.isfinite(curves) & np.isfinite(own)
            apart = np.where(known, own - np.where(known, curves, 0.0), 0.0) / scale
            parts.append(apart / np.sqrt(len(PERCENT) * len(TARGETS) * len(self.walks[name].curves)))
        return np.ravel(parts)


def fit(
    predictions: Predictions,
    names: Sequence[str],
    start: Weights,
    free: Sequence[str],
    rounds: int,
    report: Callable[[str], None] = lambda _: None,
) -> Weights:
    """Levenberg-Marquardt steps on the residuals of some walks."""
    x = np.log([getattr(start, name) for name in free])
    origin, damping = x.copy(), 0.1

    def weights_of(logs: np.ndarray) -> Weights:
        return replace(start, **dict(zip(free, np.exp(logs).tolist(), strict=True)))

    def residuals(logs: np.ndarray) -> np.ndarray:
        parts = [predictions.residuals(name, weights_of(logs)) for name in names]
        return np.concatenate([*parts, PRIOR * (logs - origin)])

    now = residuals(x)
    predictions.keep()
    now = residuals(x)
    for turn in range(rounds):
        columns = []
        for j in range(len(x)):
            ahead = x.copy()
            ahead[j] += STEP
            changed = residuals(ahead)
            columns.append((changed - now) / STEP if len(changed) == len(now) else np.zeros(len(now)))
        J = np.stack(columns, axis=1)
        J[~np.isfinite(J)] = 0.0
        for _ in range(3):
            H = J.T @ J
            change = -np.linalg.solve(H + damping * np.diag(np.diag(H) + 1e-3), J.T @ now)
            trial = residuals(x + np.clip(change, -MAX_CHANGE, MAX_CHANGE))
            if len(trial) == len(now) and trial @ trial < now @ now:
                x, now, damping = x + np.clip(change, -MAX_CHANGE, MAX_CHANGE), trial, damping / 3.0
                predictions.keep()
                break
            damping *= 4.0
        weights = asdict(weights_of(x))
        listed = ", ".join(f"{name} {weights[name]:.3g}" for name in free)
        report(f"round {turn + 1}: {now @ now:.4f}, {predictions.cpu_seconds:.0f} s of the solver; {listed}")
    return weights_of(x)
