"""Weights of the preset `human`, fitted to children and adults at nine speeds and to three published walks.

    python -m tools.fit_human_weights [--rounds 3] [--folds]

The method is that of `pipeline.prediction.fit_weights`, over many walks and most weights, from those that are in use.

With ``--folds`` the weights are fitted anew, from weights chosen by hand, without one group of cases at a time: very
slow and very fast; slow, free and fast; the adults; the walks. Each case is then judged by weights that were fitted
without it. Markers of the adults (Bovi et al. 2011) have other zeros, so that their angles have the means of the
children's (Schwartz et al. 2008) at the same speed.
"""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import fields

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, Norm, curve_agreement
from pipeline.prediction import GaitTask, WalkToFit, Weights, find_preset, task_of
from pipeline.prediction.gait.fit_weights import TARGETS, Predictions, fit, measured_curves
from pipeline.results import load_norm
from tests.benchmarks.prediction_agreement import (
    ADULT_NORM,
    ADULTS,
    NORM,
    SPEEDS,
    TRIALS,
    WALKS,
    adults_request,
    measured_walk,
    norm_request,
)

FOLDS = (("very slow", "very fast"), ("slow", "free", "fast"), tuple(ADULTS), tuple(WALKS))
START = Weights(
    hip=1.0,
    knee=1.0,
    ankle=1.0,
    toes=0.17,
    work=0.03,
    torque_rate=0.01,
    passive_knee=10.0,
    accelerations=2e-7,
    swing_ankle=6.0,
    plantarflexion=10.0,
)
"""Before any fit, chosen by hand, where the weights are fitted without some of the cases."""

FIXED = ("dorsiflexion", "toes", "work")
"""Weights that no curve determines well, kept as they are."""


FREE = tuple(one.name for one in fields(Weights) if one.name not in FIXED)


def cases() -> dict[str, WalkToFit]:
    """The norms' speeds and the published walks."""
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
    for name in WALKS if TRIALS.is_dir() else ():
        row, body, measured = measured_walk(name)
        task = task_of(row, body.skeleton, measured)[0]
        found[name] = WalkToFit(name, row, body, task, measured_curves(measured))
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
        walks = Predictions(found, find_preset("human"))
        weights = fit(walks, list(found), find_preset("human").weights, FREE, options.rounds, report)
        print(weights)
        print_cases(walks, found, weights)
        return
    for out in FOLDS:
        walks = Predictions(found, find_preset("human"))
        weights = fit(walks, [name for name in found if name not in out], START, FREE, options.rounds, report)
        print(f"fitted without {', '.join(out)}: {weights}")
        print_cases(walks, out, weights)


def report(line: str) -> None:
    """Progress, beside the results."""
    print(line, file=sys.stderr, flush=True)


def print_cases(walks: Predictions, names: Iterable[str], weights: Weights) -> None:
    """RMS difference and correlation of every variable, and the ground's work."""
    for name in names:
        if name not in walks.walks:
            continue
        found, own = walks.predict(name, weights)
        cells = []
        for variable, curve, *others in zip(TARGETS, own, *walks.walks[name].curves, strict=True):
            both = [curve_agreement(PERCENT, curve, other) for other in others if np.isfinite(other).any()]
            rmse, r = (float(np.mean([getattr(one, key) for one in both])) for key in ("rmse", "r"))
            cells.append(f"{variable} {rmse:.3g} ({r:.2f})")
        work = f"work of the ground {found.ground_work:+.3f}, {found.ground_work_absolute:.3f} J/kg"
        print(f"{name}: {work}; {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
