"""Time and objective of predicted walks by IPOPT and Uno, from the neutral pose and random initial guesses.

Run with one BLAS thread (``OPENBLAS_NUM_THREADS=1``): ``python -m tests.benchmarks.prediction others``.
"""

import argparse
from dataclasses import replace

import numpy as np

from pipeline.optimisation import SQP
from pipeline.prediction import GaitProblem, GaitTask, find_preset
from pipeline.prediction.gait.problem import FIRST_STAGE
from pipeline.skeleton import load_skeleton
from tests.walks import SKELETON

NOISE = 0.05
"""rad or m; standard deviation of every free control point about the neutral pose."""


def compiled(walk: GaitProblem) -> GaitProblem:
    """Compile all kernels, so that no measured time includes it."""
    SQP(max_iterations=2).solve(walk.problem, walk.neutral_guess())
    return walk


def starts(walk: GaitProblem, count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    neutral = walk.neutral_guess()
    return [neutral] + [neutral + NOISE * rng.normal(size=len(neutral)) for _ in range(count - 1)]


def other_solvers(
    name: str, count: int, seconds: float, intervals: int | None, nodes: int | None, others: list[str]
) -> None:
    """IPOPT and Uno in the second stage from the same initial guesses, with the identical problem and derivatives.

    At full size Uno takes minutes, and IPOPT rarely converges.
    """
    from tests.oracles.solvers.ipopt import Ipopt
    from tests.oracles.solvers.uno import Uno

    preset = find_preset(name)
    preset = replace(preset, n_intervals=intervals or preset.n_intervals, n_nodes=nodes or preset.n_nodes)
    walk = compiled(GaitProblem.make(load_skeleton(SKELETON), GaitTask(), preset))
    gaps = []
    kinds = {"ipopt": Ipopt, "uno": Uno}
    solvers = [SQP(), *(kinds[other](max_seconds=seconds, tolerance=1e-3) for other in others)]
    for start in starts(walk, count):
        x = FIRST_STAGE.solve(walk.first_stage(), start).x
        results = [solver.solve(walk.problem, x) for solver in solvers]
        for r in results:
            print(
                f"{r.solver:6s} {r.status:30s} {r.iterations:4d} {r.cpu_seconds:7.2f} s  {r.objective:.5f}  "
                f"violation {r.max_relative_violation:.2g} of its tolerance",
                flush=True,
            )
        theirs = [r.objective for r in results[1:] if r.success]
        if theirs:
            gaps.append(results[0].objective / min(theirs) - 1.0)
            print(f"SQP above the better of the others: {gaps[-1]:+.2%}", flush=True)
    if gaps:
        print(f"{len(gaps)} of {count} starts compared: gap median {np.median(gaps):+.2%}, worst {max(gaps):+.2%}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["others"])
    parser.add_argument("--preset", default="human")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--intervals", type=int)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--others", nargs="+", choices=["ipopt", "uno"], default=["ipopt", "uno"])
    options = parser.parse_args()
    other_solvers(options.preset, options.count, options.seconds, options.intervals, options.nodes, options.others)
