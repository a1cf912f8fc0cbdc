"""Weights fitted to one walk and tested on walks to which they were not fitted; recovery of known weights.

    python -m tests.benchmarks.own_weights [--synthetic] [--walks] [--sides] [--rounds 3]

``--walks``: fitted to each of three published walks, tested without refit on the other two (``../shared/trials``).
``--sides``: fitted to the left side of each, tested on the right side. ``--synthetic``: two walks of one subject whose
curves were predicted with weights other than those from which the fit starts.
"""

import argparse
import sys
from dataclasses import asdict, replace

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, predicted_cycle
from pipeline.conventions import SIDES
from pipeline.prediction import (
    FittedWeights,
    GaitTask,
    WalkToFit,
    find_preset,
    fit_weights,
    predict_gait,
    predicted_walk,
    task_of,
)
from pipeline.prediction.gait.fit_weights import HANDFUL, TARGETS
from tests.benchmarks.prediction_agreement import WALKS, measured_walk, norm_request
from tests.walks import MEASURED

KNOWN = {"hip": 0.9, "knee": 1.4, "ankle": 0.5, "torque_rate": 0.01, "swing_ankle": 9.0}
"""Weights of the synthetic subject, 0.5 to 2 times those that the fit starts from."""


def report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def synthetic() -> None:
    preset = find_preset("human")
    own = replace(preset, weights=replace(preset.weights, **KNOWN))
    row, body, task, _ = norm_request("free")
    walks = []
    for name, factor in (("slower", 0.9), ("faster", 1.1)):
        asked = GaitTask(factor * task.speed, task.step_length * np.sqrt(factor))
        cycle = predicted_cycle(predicted_walk(row, body, "", predict_gait(body.skeleton, asked, own)))
        curves = np.array([CYCLE_VARIABLES[variable].of(cycle) for variable in TARGETS])
        walks.append(WalkToFit(name, row, body, asked, [curves]))
    for names in (walks, walks[:1]):
        found = fit_weights(names, [walk for walk in walks if walk not in names], rounds=4, report=report)
        print(f"known weights, fitted to {len(names)} walks: {found.summary}; {found.cpu_seconds:.0f} s")
        for name in HANDFUL:
            start, value = getattr(preset.weights, name), asdict(found.weights)[name]
            print(f"  {name}: start {start:.3g}, known {KNOWN[name]:.3g}, found {value:.3g}", flush=True)


def published() -> dict[str, WalkToFit]:
    walks = {}
    for name in WALKS:
        row, body, measured = measured_walk(name)
        task = task_of(row, body.skeleton, measured)[0]
        walks[name] = WalkToFit.measured(name, row, body, task, measured)
    return walks


def print_fit(found: FittedWeights) -> None:
    listed = ", ".join(f"{name} {getattr(found.weights, name):.3g}" for name in HANDFUL)
    print(f"{found.summary}; {listed}; {found.cpu_seconds:.0f} s", flush=True)
    for name, before in found.before.items():
        print(f"  {name}: {before:.3f} to {found.after[name]:.3f} of the targets", flush=True)


def sides_of(walk: WalkToFit) -> dict[str, WalkToFit]:
    """The walk with the curves of one side, by side."""
    sides = measured_walk(walk.name)[2].cycles
    own = {side: [c for c, cycle in zip(walk.curves, sides, strict=True) if cycle.cycle.side == side] for side in SIDES}
    return {side: replace(walk, name=f"{walk.name} {side}", curves=curves) for side, curves in own.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("synthetic", "walks", "sides"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.synthetic:
        synthetic()
    if not MEASURED.is_dir():
        print(f"no measured walks: {MEASURED} is absent")
        return
    walks = published() if options.walks or options.sides else {}
    for name, walk in walks.items():
        if options.walks:
            others = [other for key, other in walks.items() if key != name]
            print_fit(fit_weights([walk], others, rounds=options.rounds, report=report))
        if options.sides:
            sides = sides_of(walk)
            print_fit(fit_weights([sides["left"]], [sides["right"]], rounds=options.rounds, report=report))


if __name__ == "__main__":
    main()
