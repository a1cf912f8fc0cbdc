"""Predicted runs at several speeds, as the table of docs/predicted.md.

``python -m tests.benchmarks.running [--steps]`` predicts a man of 73 kg and 1.78 m. With ``--steps`` it also predicts
other step lengths at 3 m/s and prints the objective per metre.
"""

from __future__ import annotations

import argparse

import numpy as np

from pipeline.conventions import GRAVITY
from pipeline.prediction import GaitPrediction, GaitTask, predict_gait
from pipeline.skeleton import Skeleton, load_skeleton
from tests.walks import SKELETON

MASS, HEIGHT = 73.0, 1.78
RUNS = (GaitTask(2.5, 0.90), GaitTask(3.0, 1.05), GaitTask(3.5, 1.20, flight=0.35), GaitTask(4.0, 1.35, flight=0.4))
STEPS = (0.85, 0.95, 1.05, 1.15, 1.25)


def row_of(run: GaitPrediction, skeleton: Skeleton) -> str:
    """The table's row of a run."""
    task, walker = run.task, run.problem.walker
    assert task.flight is not None
    stands = run.time <= (1.0 - task.flight) * task.step_time + 1e-9

    def cycle(name: str, values: np.ndarray) -> np.ndarray:
        """The right side's curve over the cycle: its own step, then the left side's."""
        right, left = (values[:, skeleton.index(f"{side}_{name}")] for side in ("right", "left"))
        return np.concatenate([right, left[1:]])

    hip, knee, ankle = (np.degrees(cycle(f"{name}_flexion", run.q)) for name in ("hip", "knee", "ankle"))
    knee = walker.flexion * knee
    power = cycle("ankle_flexion", run.tau * run.qd) / MASS
    moments = [np.abs(cycle(f"{name}_flexion", run.tau)).max() / MASS for name in ("hip", "knee", "ankle")]
    force = run.ground_reaction["right"].force_G / (MASS * GRAVITY)
    own = np.flatnonzero(stands)
    cells = (
        f"{task.speed:.1f}, {task.step_length:.2f}, {task.flight:.2f}",
        f"{force[:, 1].max():.2f}; {force[:, 0].min():.2f}, {force[:, 0].max():.2f}",
        f"{knee[0]:.0f}, {knee[own].max():.0f}, {knee.max():.0f}",
        f"{ankle[0]:.0f}, {ankle[own].max():.0f}, {ankle[own[-1]]:.0f}",
        f"{hip.max():.0f}, {hip.min():.0f}",
        ", ".join(f"{value:.1f}" for value in moments),
        f"{power.max():.0f}",
        f"{run.result.iterations}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", action="store_true", help="other step lengths at 3 m/s too")
    skeleton = load_skeleton(SKELETON, mass=MASS, height=HEIGHT, sex="male")
    for task in RUNS:
        print(row_of(predict_gait(skeleton, task, "running"), skeleton), flush=True)
    if parser.parse_args().steps:
        for step in STEPS:
            found = predict_gait(skeleton, GaitTask(3.0, step), "running")
            print(f"step {step:.2f} m: objective {found.objective / step:.3f} per metre", flush=True)


if __name__ == "__main__":
    main()
