"""Time to replan an arm's motion when its goal moves: `python -m tests.benchmarks.replanning`.

The two manipulators are on the way to their goal; at six times it is replaced by another. Wall time of the whole
solution.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from pipeline.config import load_task
from pipeline.prediction import TASKS, arm_problem

SHIFT = (-0.15, 0.3)
"""Changes of the goal, rad or m."""


def main() -> None:
    """Print median and maximum for each arm, and how much longer the motion is than one with many intervals."""
    for name in ("two_revolute", "prismatic_revolute"):
        problem = arm_problem(load_task(TASKS / f"{name}.yaml"))  # type: ignore[arg-type]
        motion, goal = problem.solve(), problem.end + np.array(SHIFT)
        seconds, longer = [], []
        for share in np.linspace(0.1, 0.7, 7):
            again = problem.replanned(motion, share * motion.total_time, goal)
            again.solve()
            began = time.perf_counter()
            found = again.solve()
            seconds.append(time.perf_counter() - began)
            fine = problem.replanned(motion, share * motion.total_time, goal, n_intervals=16).solve()
            longer.append(found.objective / fine.objective - 1.0)
        print(
            f"{name}: {statistics.median(seconds):.3f} s, largest {max(seconds):.3f} s; objective above that of 16 "
            f"intervals by {100 * statistics.median(longer):.1f} %, at most {100 * max(longer):.1f} %"
        )


if __name__ == "__main__":
    main()
