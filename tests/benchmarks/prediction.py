"""Time and objective of predicted walks: from random initial guesses, against IPOPT, Uno and PIQP, and by size.

Run with one BLAS thread (``OPENBLAS_NUM_THREADS=1``):

    python -m tests.benchmarks.prediction starts | qp | sizes | others | manipulators
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import pipeline.optimisation.sqp as sqp_module
from pipeline.optimisation import SQP, QPSolution, SolverError, solve_elastic_qp
from pipeline.prediction import GaitProblem, GaitTask, find_preset, solve_two_revolute
from pipeline.prediction.gait.problem import FIRST_STAGE
from pipeline.skeleton import load_skeleton

SKELETON = load_skeleton(Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml")
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


def random_starts(name: str, count: int) -> None:
    walk = compiled(GaitProblem.make(SKELETON, GaitTask(), name))
    objectives, seconds = [], []
    for x in starts(walk, count):
        result = walk.solve(x)
        seconds.append(result.cpu_seconds)
        print(f"{result.status:30s} {result.iterations:4d} {seconds[-1]:6.2f} s  {result.objective:.5f}", flush=True)
        if result.success:
            objectives.append(result.objective)
    spread = np.array(objectives) / min(objectives) - 1.0
    print(
        f"{name}: {len(objectives)} of {count} feasible; "
        f"above the best: median {np.median(spread):.1%}, worst {spread.max():.1%}; "
        f"seconds: median {np.median(seconds):.2f}, worst {max(seconds):.2f}"
    )


def quadratic_programs(count: int) -> None:
    """Complete solutions from the same initial guesses with our quadratic-program solver and with PIQP, and the time
    in it."""
    walk = compiled(GaitProblem.make(SKELETON, GaitTask(), "human"))
    print("solver  iterations   solve s  programs s  programs  objective")
    for x in starts(walk, count):
        for name, solve in (("own", solve_elastic_qp), ("PIQP", elastic_piqp)):
            spent = []

            def timed(*program, solve=solve, spent=spent):
                begun = time.process_time()
                solution = solve(*program)
                spent.append(time.process_time() - begun)
                return solution

            sqp_module.solve_elastic_qp = timed
            r = SQP().solve(walk.problem, x)
            sqp_module.solve_elastic_qp = solve_elastic_qp
            print(
                f"{name:6s}  {r.iterations:10d}  {r.cpu_seconds:8.2f}  {sum(spent):10.2f}  {len(spent):8d}  "
                f"{r.objective:.5f}  {r.status}",
                flush=True,
            )


def elastic_piqp(H, g, A, lower, upper, penalty, tolerance) -> QPSolution:
    """The same elastic program for a general library: one more variable for each row and side."""
    import piqp
    from scipy import sparse

    rows = A.toarray()
    n, m = len(g), len(rows)
    eye = sparse.identity(m)
    P = sparse.block_diag([sparse.csc_matrix(H), sparse.csc_matrix((2 * m, 2 * m))], format="csc")
    G = sparse.hstack([sparse.csc_matrix(rows), eye, -eye], format="csc")
    low = np.concatenate([np.full(n, -np.inf), np.zeros(2 * m)])
    solver = piqp.SparseSolver()
    solver.settings.eps_abs = solver.settings.eps_rel = tolerance
    solver.setup(P, np.concatenate([g, np.full(2 * m, penalty)]), None, None, G, lower, upper, low, None)
    converged = solver.solve() == piqp.Status.PIQP_SOLVED
    found = solver.result
    return QPSolution(np.array(found.x[:n]), np.array(found.z_u - found.z_l), found.info.iter, converged)


def sizes() -> None:
    """Cost of one solution by numbers of nodes and control points."""
    print("intervals nodes variables rows iterations seconds seconds/iteration objective")
    for n_intervals, n_nodes in [(8, 21), (8, 41), (8, 81), (8, 161), (4, 31), (6, 31), (10, 31), (12, 31)]:
        preset = replace(find_preset("human"), n_intervals=n_intervals, n_nodes=n_nodes)
        walk = compiled(GaitProblem.make(SKELETON, GaitTask(), preset))
        r = SQP().solve(walk.problem, walk.neutral_guess())
        print(
            f"{n_intervals:9d} {len(walk.problem.transcription.nodes):5d} {r.n_variables:9d} {r.n_constraints:5d} "
            f"{r.iterations:4d} {r.cpu_seconds:7.2f} {r.cpu_seconds / r.iterations:7.3f} {r.objective:.5f}",
            flush=True,
        )


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
    walk = compiled(GaitProblem.make(SKELETON, GaitTask(), preset))
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


def manipulator_table() -> None:
    """Minimum time by number of intervals, with fixed and free knots."""
    print("intervals   fixed s    free s")
    for n in (4, 6, 8, 12, 16, 24, 32):
        times = []
        for free in (False, True):
            try:
                times.append(f"{solve_two_revolute(n, free_knots=free).total_time:.5f}")
            except SolverError as error:
                times.append(str(error)[:40])
        print(f"{n:9d}   {times[0]}   {times[1]}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["starts", "qp", "sizes", "others", "manipulators"])
    parser.add_argument("--preset", default="human")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--intervals", type=int)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--others", nargs="+", choices=["ipopt", "uno"], default=["ipopt", "uno"])
    options = parser.parse_args()
    if options.what == "starts":
        random_starts(options.preset, options.count)
    elif options.what == "qp":
        quadratic_programs(min(options.count, 3))
    elif options.what == "sizes":
        sizes()
    elif options.what == "others":
        other_solvers(options.preset, options.count, options.seconds, options.intervals, options.nodes, options.others)
    else:
        manipulator_table()
