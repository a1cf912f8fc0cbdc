"""Weights of the preset `human`, fitted to the norm's five speeds and three published walks.

    python -m tests.benchmarks.fit_human_weights [--rounds 3] [--folds]

Inverse optimal control (Mombaur, Truong and Laumond 2010): the logarithms of the weights change so that the predicted
curves come near to those of people, by Levenberg-Marquardt steps on the residuals of the curves. Derivatives are finite
differences over a third of a weight, as walks solved to a tolerance have rounding of their own; every walk starts from
its last solution. A residual is the difference at a percent of the cycle over the target for its variable, and the work
of the ground beyond its limits.

With ``--folds`` the weights are fitted anew without one group of cases at a time: very slow and very fast; slow, free
and fast; the walks. Each case is then judged by weights that were fitted without it.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, curve_agreement, predicted_cycle
from pipeline.config import Prediction
from pipeline.optimisation import SolverError
from pipeline.prediction import (
    Body,
    GaitPrediction,
    GaitTask,
    Weights,
    find_preset,
    predict_gait,
    predicted_walk,
    task_of,
)
from pipeline.results import load_norm
from tests.benchmarks.prediction_agreement import NORM, SPEEDS, TRIALS, WALKS, measured_walk, norm_request

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
"""RMS differences that count as one, in the variables' units; moments and power count less than angles and forces."""

MAX_NET_WORK, MAX_ABSOLUTE_WORK = 0.02, 0.06
"""J/kg a step, of the ground on the feet."""

WORK_SCALE = 0.02
"""J/kg beyond the limits that counts as much as all curves of a case at their targets."""

STEP, MAX_CHANGE, PRIOR = 0.35, 0.7, 0.05
"""Of the logarithms: finite difference, largest change in a round, and weight of a change by one."""

FOLDS = (("very slow", "very fast"), ("slow", "free", "fast"), tuple(WALKS))
START = Weights(
    hip=1.0,
    knee=1.0,
    ankle=1.0,
    toes=1.0,
    accelerations=2e-7,
    vertical_force=1.0,
    swing_ankle=0.3,
    plantarflexion=10.0,
)
"""Before any fit, chosen by hand."""

FIXED = ("dorsiflexion",)
"""Weights that no curve determines well, kept as they are."""


@dataclass(frozen=True)
class Case:
    """A walk of people: what to predict, and the curves (V, 101) that it should have; both sides of a measured walk."""

    name: str
    row: Prediction
    body: Body
    task: GaitTask
    curves: list[np.ndarray]


@dataclass
class Walks:
    """Predicts the cases with given weights, each from its last solution."""

    cases: Mapping[str, Case]
    last: dict[str, GaitPrediction] = field(default_factory=dict)
    trial: dict[str, GaitPrediction] = field(default_factory=dict)
    seconds: float = 0.0

    def predict(self, name: str, weights: Weights) -> tuple[GaitPrediction, np.ndarray]:
        """The walk, and its curves (V, 101)."""
        case = self.cases[name]
        preset = replace(find_preset("human"), weights=weights)
        before = time.process_time()
        try:
            found = predict_gait(case.body.skeleton, case.task, preset, start=self.last.get(name))
        except SolverError:
            found = predict_gait(case.body.skeleton, case.task, preset)
        self.seconds += time.process_time() - before
        cycle = predicted_cycle(predicted_walk(case.row, case.body, "", found))
        return found, np.array([CYCLE_VARIABLES[variable].of(cycle) for variable in TARGETS])

    def residuals(self, name: str, weights: Weights) -> np.ndarray:
        """Of one case; infinite where there is no walk."""
        try:
            found, own = self.predict(name, weights)
        except SolverError:
            return np.full(1, np.inf)
        parts = []
        scale = np.array(list(TARGETS.values()))[:, None]
        for curves in self.cases[name].curves:
            known = np.isfinite(curves) & np.isfinite(own)
            apart = np.where(known, own - np.where(known, curves, 0.0), 0.0) / scale
            parts.append(apart / np.sqrt(len(PERCENT) * len(TARGETS) * len(self.cases[name].curves)))
        net, absolute = abs(found.ground_work) - MAX_NET_WORK, found.ground_work_absolute - MAX_ABSOLUTE_WORK
        work = np.maximum([net, absolute], 0.0) / WORK_SCALE
        self.trial[name] = found
        return np.concatenate([np.ravel(parts), work])


FREE = tuple(one.name for one in fields(Weights) if one.name not in FIXED)


def weights_of(logs: np.ndarray) -> Weights:
    return replace(Weights(), **dict(zip(FREE, np.exp(logs).tolist(), strict=True)))


def fit(walks: Walks, names: Iterable[str], start: Weights, rounds: int) -> Weights:
    """Levenberg-Marquardt steps on the residuals of some cases."""
    names = list(names)
    x = np.log([getattr(start, one) for one in FREE])
    origin, damping = x.copy(), 0.1

    def residuals(x: np.ndarray) -> np.ndarray:
        parts = [walks.residuals(name, weights_of(x)) for name in names]
        return np.concatenate([*parts, PRIOR * (x - origin)])

    now = residuals(x)
    walks.last.update(walks.trial)
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
            change = np.clip(change, -MAX_CHANGE, MAX_CHANGE)
            trial = residuals(x + change)
            if len(trial) == len(now) and trial @ trial < now @ now:
                x, now, damping = x + change, trial, damping / 3.0
                walks.last.update(walks.trial)
                break
            damping *= 4.0
        report = ", ".join(f"{name} {value:.3g}" for name, value in zip(FREE, np.exp(x), strict=True))
        print(f"round {turn + 1}: {now @ now:.4f}, {walks.seconds:.0f} s; {report}", file=sys.stderr, flush=True)
    return weights_of(x)


def cases() -> dict[str, Case]:
    """The norm's speeds and the published walks."""
    found, norm = {}, load_norm(NORM)
    for name in SPEEDS:
        row, body, task, leg = norm_request(name)
        bands = [norm.band(variable, task.speed / np.sqrt(9.81 * leg), PERCENT) for variable in TARGETS]
        found[name] = Case(name, row, body, task, [np.array([band.mean for band in bands if band is not None])])
    for name in WALKS if TRIALS.is_dir() else ():
        row, body, measured = measured_walk(name)
        task = task_of(row, body.skeleton, measured)[0]
        of_sides = [[CYCLE_VARIABLES[v].of(cycle) for v in TARGETS] for cycle in measured.cycles]
        found[name] = Case(name, row, body, task, [np.array(curves) for curves in of_sides])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="Levenberg-Marquardt steps of a fit")
    parser.add_argument("--folds", action="store_true", help="judge each case by weights fitted without it")
    options = parser.parse_args()
    walks = Walks(cases())
    if not options.folds:
        found = fit(walks, walks.cases, START, options.rounds)
        print(found)
        print_cases(walks, walks.cases, found)
        return
    for out in FOLDS:
        own = Walks(walks.cases)
        found = fit(own, [name for name in walks.cases if name not in out], START, options.rounds)
        print(f"fitted without {', '.join(out)}: {found}")
        print_cases(own, out, found)


def print_cases(walks: Walks, names: Iterable[str], weights: Weights) -> None:
    """RMS difference and correlation of every variable, and the ground's work."""
    for name in names:
        if name not in walks.cases:
            continue
        found, own = walks.predict(name, weights)
        cells = []
        for variable, curve, *others in zip(TARGETS, own, *walks.cases[name].curves, strict=True):
            both = [curve_agreement(PERCENT, curve, other) for other in others if np.isfinite(other).any()]
            rmse, r = (float(np.mean([getattr(one, key) for one in both])) for key in ("rmse", "r"))
            cells.append(f"{variable} {rmse:.3g} ({r:.2f})")
        work = f"work of the ground {found.ground_work:+.3f}, {found.ground_work_absolute:.3f} J/kg"
        print(f"{name}: {work}; {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
