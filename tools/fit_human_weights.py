"""Weights of the preset `human`, fitted to children and adults at nine speeds and to three published walks.

    python -m tools.fit_human_weights [--rounds 3] [--folds]

The method is that of `pipeline.prediction.fit_weights`, over many walks and most weights, starting from those in use.
People choose the step length, and about the speed, at which a metre costs them least (Zarrugh, Todd and Ralston 1974,
Eur J Appl Physiol 33:293-306). Besides the curves, the step length and the speed of least cost are therefore fitted to
the norm's at free speed.

With ``--folds``, the weights are fitted anew from weights chosen by hand, leaving out one group of cases at a time:
very slow and very fast; slow, free and fast; the adults; the walks. Each case is then evaluated with weights that were
fitted without it. The adults' markers (Bovi et al. 2011) have other zeros, so their angles are given the means of the
children's (Schwartz et al. 2008) at the same speed.
"""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, Norm, curve_agreement
from pipeline.optimisation import SolverError
from pipeline.prediction import GaitTask, WalkToFit, Weights, find_preset, task_of
from pipeline.prediction.gait.fit_weights import TARGETS, Predictions, fit
from pipeline.prediction.gait.least_cost import cost_per_metre, standing_cost
from pipeline.results import load_norm
from tests.benchmarks.least_cost import least_of
from tests.benchmarks.prediction_agreement import (
    ADULT_NORM,
    ADULTS,
    NORM,
    SPEEDS,
    WALKS,
    adults_request,
    measured_walk,
    norm_request,
    norm_step,
)
from tests.walks import MEASURED

FOLDS = (("very slow", "very fast"), ("slow", "free", "fast"), tuple(ADULTS), tuple(WALKS))
START = Weights(
    hip=1.0,
    knee=1.0,
    ankle=1.0,
    toes=0.17,
    work=0.03,
    torque_rate=0.01,
    hip_rate=1.0,
    passive_knee=10.0,
    accelerations=2e-7,
    swing_ankle=6.0,
    plantarflexion=10.0,
)
"""Weights before any fit, chosen by hand, for fits that leave out some of the cases."""

FIXED = ("dorsiflexion", "toes", "work")
"""Weights that no curve determines well; kept as they are."""


FREE = tuple(one.name for one in fields(Weights) if one.name not in FIXED)

STEP_RATIOS, SPEED_RATIOS = (0.85, 0.95, 1.05), (0.85, 1.0, 1.15)
"""Step lengths and speeds, over the norm's at free speed, of the walks from which the least cost per metre is found."""

CLOSE = {"step of least cost": 0.05, "speed of least cost": 0.08}
"""Relative differences from the norm's that count as much as the curves of a walk at their targets."""


@dataclass
class PredictionsAndCosts(Predictions):
    """Predictions of walks, and of the step length and speed of least cost per metre."""

    def __post_init__(self) -> None:
        row, body, free, leg = norm_request("free")
        self.tasks = {
            "step of least cost": {one: replace(free, step_length=one * free.step_length) for one in STEP_RATIOS},
            "speed of least cost": {
                one: GaitTask(one * free.speed, leg * norm_step(one * free.speed / np.sqrt(9.81 * leg)))
                for one in SPEED_RATIOS
            },
        }
        asked = {f"{name} {one}": task for name, tasks in self.tasks.items() for one, task in tasks.items()}
        self.walks = {**self.walks, **{name: WalkToFit(name, row, body, task, []) for name, task in asked.items()}}

    def residuals(self, name: str, weights: Weights) -> np.ndarray:
        """Residuals of one walk, or of the step length or speed of least cost."""
        if name not in self.tasks:
            return super().residuals(name, weights)
        try:
            return np.array([(self.least(name, weights) - 1.0) / CLOSE[name]])
        except SolverError:
            return np.full(1, np.inf)

    def least(self, name: str, weights: Weights) -> float:
        """Step length or speed of least cost per metre over the norm's, from a parabola. Raises SolverError."""
        found = {one: self.predict(f"{name} {one}", weights)[0] for one in self.tasks[name]}
        _, free, _ = found.values()
        standing = standing_cost(free)  # does not affect the comparison of walks at one speed
        return least_of({one: cost_per_metre(walk, standing) for one, walk in found.items()})


def cases() -> dict[str, WalkToFit]:
    """Cases of the norms' speeds and of the published walks."""
    found, children, adults = {}, load_norm(NORM), load_norm(ADULT_NORM)
    for name in SPEEDS:
        row, body, task, leg = norm_request(name)
        found[name] = WalkToFit(name, row, body, task, [means(children, task, leg)])
    for name in ADULTS:
        row, body, task, leg = adults_request(name)
        usual, own = means(children, task, leg), means(adults, task, leg)
        angles = [CYCLE_VARIABLES[variable].units == "deg" for variable in TARGETS]
        own[angles] += (usual - own)[angles].mean(axis=1, keepdims=True)
        found[name] = WalkToFit(name, row, body, task, [own])
    for name in WALKS if MEASURED.is_dir() else ():
        row, body, measured = measured_walk(name)
        task = task_of(row, body.skeleton, measured)[0]
        found[name] = WalkToFit.measured(name, row, body, task, measured)
    return found


def means(norm: Norm, task: GaitTask, leg: float) -> np.ndarray:
    """(V, 101) mean curves at a task's speed, in the order of `TARGETS`."""
    bands = [norm.band(variable, task.speed / np.sqrt(9.81 * leg), PERCENT) for variable in TARGETS]
    return np.array([np.full(len(PERCENT), np.nan) if band is None else band.mean for band in bands])


def main() -> None:
    """Fit, and print each case with the weights found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="Levenberg-Marquardt steps of a fit")
    parser.add_argument("--folds", action="store_true", help="judge each case by weights fitted without it")
    options = parser.parse_args()
    found = cases()
    if not options.folds:
        walks = PredictionsAndCosts(found, find_preset("human"))
        names = [*found, *walks.tasks]
        weights = fit(walks, names, find_preset("human").weights, FREE, options.rounds, report)
        print(weights, *(f"{name}: {walks.least(name, weights):.3f} of the norm's" for name in walks.tasks), sep="\n")
        print_cases(walks, found, weights)
        return
    for out in FOLDS:
        walks = PredictionsAndCosts(found, find_preset("human"))
        names = [*(name for name in found if name not in out), *walks.tasks]
        weights = fit(walks, names, START, FREE, options.rounds, report)
        print(f"fitted without {', '.join(out)}: {weights}")
        print_cases(walks, out, weights)


def report(line: str) -> None:
    """Print progress, separate from the results."""
    print(line, file=sys.stderr, flush=True)


def print_cases(walks: Predictions, names: Iterable[str], weights: Weights) -> None:
    """Print RMS difference and correlation of every variable, and the ground's work."""
    for name in names:
        if name not in walks.walks:
            continue
        found, own = walks.predict(name, weights)
        cells = []
        for variable, curve, *others in zip(TARGETS, own, *walks.walks[name].curves, strict=True):
            both = [curve_agreement(PERCENT, curve, other) for other in others if np.isfinite(other).any()]
            rmse, r = (float(np.mean([getattr(one, key) for one in both])) for key in ("rmse", "r"))
            cells.append(f"{variable} {rmse:.3g} ({r:.2f})")
        work = f"work of the ground {found.dense.ground_work:+.3f}, {found.dense.ground_work_absolute:.3f} J/kg"
        print(f"{name}: {work}; {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
