"""Time per frame of inverse dynamics and its sensitivities, ours and Pinocchio's, in one process on one thread.

Run ``python -m tests.benchmarks.dynamics`` from the repository's root. Both fill arrays that exist beforehand; ours
also gives the internal loads of every joint. Pinocchio is called frame by frame from Python, and its results are copied
out. Rows "internal" have our sensitivities with those of the internal loads of all joints or of one, and the ratio to
those of the torques alone. Times are the best of several repetitions. Separate columns have the time of allocating the
outputs, and the maximum memory in addition to the outputs. Rows "Lagrangian" have the recursive Lagrangian form with
4 x 4 transforms (Hollerbach 1980), compiled alike and without internal forces, in the column of Pinocchio.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pinocchio as pin
from numba import njit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pipeline.dynamics import JointLoads, Sensitivities, rnea, rnea_sensitivities  # noqa: E402
from pipeline.skeleton import Skeleton, load_skeleton, merge_frozen  # noqa: E402
from tests.oracles.pinocchio_tree import PinocchioTree  # noqa: E402
from tests.oracles.random_trees import random_state, random_tree  # noqa: E402
from tests.oracles.recursive_lagrangian import arguments, lagrangian_kernel  # noqa: E402

MAX_DURATION = 0.5
"""Seconds of repetition for one figure."""


def best(function: Callable[[], object], frames: int) -> float:
    """Best time per frame, microseconds."""
    function()
    times = []
    while sum(times) < MAX_DURATION and len(times) < 1000:
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times) / frames * 1e6


def memory(function: Callable[[], object]) -> float:
    """Largest memory taken during a call, kB, as numpy sees it."""
    tracemalloc.start()
    function()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1000


def measure(name: str, skeleton: Skeleton, frames: int) -> None:
    """Print one row for each of the two algorithms."""
    n = len(skeleton)
    state = random_state(np.random.default_rng(0), n, frames)
    tree = PinocchioTree(skeleton)
    model, data = tree.model, tree.data
    theirs = [np.ascontiguousarray(tree.to_pin(v)) for v in state]
    loads = JointLoads.empty(frames, n)

    def pin_rnea() -> None:
        q, qd, qdd = theirs
        for t in range(frames):
            loads.tau[t] = pin.rnea(model, data, q[t], qd[t], qdd[t])

    ours, reference = best(lambda: rnea(skeleton, *state, out=loads), frames), best(pin_rnea, frames)
    allocation = best(lambda: rnea(skeleton, *state), frames) - ours
    row(name, "rnea", frames, ours, reference, allocation, memory(lambda: rnea(skeleton, *state, out=loads)))
    compiled, constants, gravity = njit(lagrangian_kernel), arguments(skeleton), np.array([0.0, -9.81, 0.0])
    lagrangian = best(lambda: compiled(*constants, *state, gravity, loads.tau), frames)
    print(f"{name:15} {'Lagrangian':14} {frames:6d} {ours:9.2f} {lagrangian:9.2f} {lagrangian / ours:7.2f}", flush=True)
    out = Sensitivities.empty(frames, n)

    def pin_derivatives() -> None:
        q, qd, qdd = theirs
        for t in range(frames):
            dq, dqd, dqdd = pin.computeRNEADerivatives(model, data, q[t], qd[t], qdd[t])
            out.dtau_dq[t], out.dtau_dqd[t], out.dtau_dqdd[t] = dq, dqd, dqdd

    ours = best(lambda: rnea_sensitivities(skeleton, *state, out=out), frames)
    reference = best(pin_derivatives, frames)
    allocation = best(lambda: rnea_sensitivities(skeleton, *state), frames) - ours
    extra = memory(lambda: rnea_sensitivities(skeleton, *state, out=out))
    row(name, "sensitivities", frames, ours, reference, allocation, extra)
    for what, joints in (("internal, all", True), ("internal, one", [skeleton.joint_names[-1]])):
        buffers = rnea_sensitivities(skeleton, *state, internal=joints)
        call = partial(rnea_sensitivities, skeleton, *state, internal=joints)
        loads_too = best(partial(call, out=buffers), frames)
        allocation = best(partial(call, out=out), frames) - loads_too
        times = f"{loads_too:9.2f} {'':9} {loads_too / ours:7.2f} {allocation:9.2f}"
        print(f"{name:15} {what:14} {frames:6d} {times}", flush=True)


def row(name: str, what: str, frames: int, ours: float, theirs: float, allocation: float, extra: float) -> None:
    """Print one row of the table."""
    times = f"{ours:9.2f} {theirs:9.2f} {theirs / ours:7.2f} {allocation:9.2f}"
    print(f"{name:15} {what:14} {frames:6d} {times} {extra:9.1f}", flush=True)


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    human = load_skeleton(ROOT / "config" / "skeleton.yaml")
    rng = np.random.default_rng(1)
    trees = {
        "n = 2": random_tree(rng, 2, massless=0.0),
        "n = 20": random_tree(rng, 20),
        "n = 55 (human)": human,
        "n = 38 (merged)": merge_frozen(human),
    }
    print("microseconds per frame; ratio = Pinocchio / ours; allocation of outputs in us per frame; memory in kB")
    print(f"{'tree':15} {'algorithm':14} {'T':>6} {'ours':>9} {'pin':>9} {'ratio':>7} {'alloc':>9} {'memory':>9}")
    for name, skeleton in trees.items():
        for frames in (1, 41, 10_000):
            measure(name, skeleton, frames)


if __name__ == "__main__":
    main()
