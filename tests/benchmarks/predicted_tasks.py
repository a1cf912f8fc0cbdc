"""Predicted walks of four bodies at sixteen tasks: convergence, processor time, and the ground's work on the feet.

    python -m tests.benchmarks.predicted_tasks

Speeds are relative to the square root of gravity times leg length; steps are those of people at that speed (Schwartz et
al. 2008), times a ratio.
"""

import numpy as np

from pipeline.optimisation import SolverError
from pipeline.prediction import GaitTask, PredictionError, make_walker, predict_gait
from pipeline.skeleton import load_skeleton, merge_frozen
from tests.benchmarks.prediction_agreement import SKELETON, SPEEDS

BODIES = ((19.0, 1.10, "male"), (73.0, 1.75, "male"), (55.0, 1.60, "female"), (95.0, 1.95, "male"))
"""kg, m, sex."""

TASKS = ((0.2, 1.0), (0.43, 0.85), (0.43, 1.15), (0.65, 1.0))
"""Speed and ratio of the step."""


def main() -> None:
    seconds, work = [], []
    speeds, steps = np.array(list(SPEEDS.values())).T
    for mass, height, sex in BODIES:
        skeleton = load_skeleton(SKELETON, mass=mass, height=height, sex=sex)
        leg = make_walker(merge_frozen(skeleton)).leg_length
        for speed, ratio in TASKS:
            step = ratio * float(np.interp(speed, speeds, steps))
            asked = f"{height:.2f} m, speed {speed:.2f}, step {step:.2f} leg lengths"
            try:
                found = predict_gait(skeleton, GaitTask(speed * np.sqrt(9.81 * leg), step * leg))
            except (SolverError, PredictionError) as error:
                print(f"{asked}: {error}", flush=True)
                continue
            seconds.append(found.cpu_seconds)
            work.append((abs(found.ground_work), found.ground_work_absolute))
            print(
                f"{asked}: {found.status} in {found.iterations} iterations, {found.cpu_seconds:.1f} s, residual "
                f"{found.result.optimality:.0e}, work of the ground {found.ground_work:+.3f}, "
                f"{found.ground_work_absolute:.3f} J/kg",
                flush=True,
            )
    net, absolute = np.max(work, axis=0)
    print(
        f"{len(seconds)} of {len(BODIES) * len(TASKS)} solved, median {np.median(seconds):.1f} s, worst "
        f"{max(seconds):.1f} s; net work at most {net:.3f}, absolute at most {absolute:.3f} J/kg"
    )


if __name__ == "__main__":
    main()
