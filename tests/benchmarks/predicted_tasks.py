"""Predicted walks of four bodies at 16 or 108 tasks: convergence, processor time, ground work, violations, reach.

    python -m tests.benchmarks.predicted_tasks [--grid 108] [--bodies 0 1] [--every N] [--cold] [--first CHECKOUT]
        [--tight] [--pinocchio]

Speeds are relative to the square root of gravity times leg length; steps are those of people at that speed (Schwartz et
al. 2008), times a ratio. None of the tasks is one of the stored walks. ``--cold`` also solves from the neutral pose and
checks these walks in the same way. ``--first`` also solves with an earlier version of this project, to its own stopping
criterion and also from the neutral pose, each directly after the other in one thread. ``--tight`` also solves to a
hundredth of the tolerances. ``--pinocchio`` repeats the dynamics of each walk from the Denavit-Hartenberg parameters
alone.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

import numpy as np

from pipeline.conventions import SIDES
from pipeline.dynamics import Wrench
from pipeline.optimisation import SQP, SolverError
from pipeline.prediction import GaitPrediction, GaitTask, PredictionError, make_walker, predict_gait
from pipeline.prediction.gait.problem import motion_of
from pipeline.skeleton import Skeleton, load_skeleton, merge_frozen, mirror_map
from tests.benchmarks.prediction_agreement import norm_step
from tests.walks import SKELETON

BODIES = ((19.0, 1.10, "male"), (73.0, 1.75, "male"), (55.0, 1.60, "female"), (95.0, 1.95, "male"))
"""kg, m, sex."""

TASKS = ((0.2, 1.0), (0.43, 0.85), (0.43, 1.15), (0.65, 1.0))
"""Speed and ratio of the step."""

GRID = [
    (speed, ratio) for speed in (0.16, 0.22, 0.29, 0.36, 0.43, 0.5, 0.57, 0.64, 0.71) for ratio in (0.85, 1.0, 1.15)
]

FIRST = """
import json, sys
from pipeline.prediction import GaitProblem, GaitTask, predict_gait
from pipeline.skeleton import load_skeleton
for line in sys.stdin:
    path, mass, height, sex, speed, step, neutral = json.loads(line)
    skeleton, task = load_skeleton(path, mass=mass, height=height, sex=sex), GaitTask(speed, step)
    try:
        if neutral:
            problem = GaitProblem.make(skeleton, task, "human")
            found = problem.solve(problem.neutral_guess())
        else:
            found = predict_gait(skeleton, task).result
        answer = [found.cpu_seconds, found.success]
    except Exception:
        answer = [0.0, False]
    print(json.dumps(answer), flush=True)
"""


class FirstVersion:
    """An earlier version of this project in a separate process."""

    def __init__(self, checkout: Path) -> None:
        self.skeleton = str(checkout / "config" / "skeleton.yaml")
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", FIRST],
            env={**os.environ, "PYTHONPATH": str(checkout)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, body: tuple[float, float, str], task: GaitTask, *, neutral: bool = False) -> float:
        """Processor time to its own stop, from the neutral pose or its own start; not a number without a walk."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = [self.skeleton, *body, task.speed, task.step_length, neutral]
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        seconds, solved = json.loads(self.process.stdout.readline())
        return seconds if solved else np.nan


def confirm(walk: GaitPrediction, skeleton: Skeleton) -> str:
    """Root residual, limits, symmetry, support and ground work by Pinocchio."""
    from tests.oracles.pinocchio_tree import PinocchioTree

    tree, motion = PinocchioTree(skeleton), motion_of(walk.problem.problem, walk.result.x)
    still, mass = np.zeros((len(walk.time), 3)), skeleton.mass.sum()
    wrenches = {
        f"{side}_{link}": Wrench(w[:, 3:], w[:, :3], still)
        for side in SIDES
        for link, w in motion.link_wrenches(side).items()
    }
    root, torque, power = 0.0, 0.0, np.zeros(len(walk.time))
    active = np.flatnonzero(~skeleton.frozen)[6:]
    for k in range(len(walk.time)):
        tau, _, _ = tree.rnea(walk.q[k], walk.qd[k], walk.qdd[k], wrenches, k)
        root = max(root, np.abs(tau[:6]).max())
        torque = max(torque, float(np.max(np.abs(tau[active]) / skeleton.tau_limit[active])))
        for name, wrench in wrenches.items():
            joint = tree.joint_id[skeleton.segment(name).joint]
            velocity = tree.data.oMi[joint].act(tree.data.v[joint])
            power[k] += wrench.force_G[k] @ velocity.linear + wrench.moment_G[k] @ velocity.angular
    q = walk.q[:, active]
    outside = np.maximum(skeleton.q_lower[active] - q, q - skeleton.q_upper[active]).max()
    partner, sign = mirror_map(skeleton)
    mirrored = np.abs(walk.q[-1, 1:] - (sign * walk.q[0, partner])[1:]).max()
    pulls = min(walk.ground_reaction[side].force_G[:, 1].min() for side in SIDES) / (9.81 * mass)
    work = np.trapezoid(power, walk.time) / mass
    return (
        f"Pinocchio: root residual {root:.0e} N, Nm, torques to {torque:.4f} of their limits, angles {outside:+.0e} "
        f"rad beyond theirs, mirrored within {mirrored:.0e} rad, vertical force from {pulls:+.4f} body weights, work "
        f"{work:+.3f} J/kg"
    )


@dataclass(frozen=True)
class Figures:
    """Of one walk.

    Attributes:
        seconds: processor time.
        residual: relative, of the Karush-Kuhn-Tucker conditions.
        net, absolute: work of the ground, J/kg.
        dense, worst: largest violation on the dense grid in tolerances, and of what.
        legs, hands: least distance there, m.
        support: distance of the zero-moment point from its polygon there, times body weight, m.
        torque: over its limit there.
    """

    seconds: float
    residual: float
    net: float
    absolute: float
    dense: float
    worst: str
    legs: float
    hands: float
    support: float
    torque: float

    @classmethod
    def of(cls, found: GaitPrediction) -> Self:
        dense, worst = max(
            (found.max_violations_dense[c.name] / c.tolerance, c.name) for c in found.problem.problem.constraints
        )
        return cls(
            found.result.cpu_seconds,
            found.result.optimality,
            abs(found.dense.ground_work),
            found.dense.ground_work_absolute,
            dense,
            worst,
            found.dense.leg_distance,
            found.dense.hand_distance,
            found.dense.support,
            found.dense.torque,
        )

    @property
    def on_dense_grid(self) -> str:
        return (
            f"legs {100 * self.legs:.1f}, hands {100 * self.hands:.1f} cm, support {1000 * self.support:.1f} mm, "
            f"torque {100 * self.torque:.1f} %"
        )


def summary(title: str, walks: Sequence[Figures], count: int) -> str:
    """All walks of one start."""
    values = {f.name: np.array([getattr(one, f.name) for one in walks]) for f in fields(Figures)}
    return (
        f"\n{title}: {len(walks)} of {count} solved, processor time median {np.median(values['seconds']):.2f}, worst "
        f"{values['seconds'].max():.2f} s; residual at most {values['residual'].max():.0e}; net work at most "
        f"{values['net'].max():.3f}, absolute {values['absolute'].max():.3f} J/kg; largest violation on the dense grid "
        f"{np.median(values['dense']):.0f} tolerances (median), {values['dense'].max():.0f} (worst)\n"
        f"on the dense grid: legs at least {100 * values['legs'].min():.1f} cm apart, "
        f"{np.sum(values['legs'] < 0.06)} below 6; hands {100 * values['hands'].min():.1f} cm from "
        f"the trunk's axes; zero-moment point {1000 * values['support'].max():.1f} mm body weight outside its polygon, "
        f"{np.sum(values['support'] > 0.005)} above 5; torque {100 * values['torque'].max():.1f} % of its limit, "
        f"{np.sum(values['torque'] > 1.02)} above 102"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grid", type=int, choices=(16, 108), default=16)
    parser.add_argument("--bodies", type=int, nargs="+", default=range(len(BODIES)), help="only these, from 0")
    parser.add_argument("--every", type=int, default=1, help="only every so many of the tasks")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--first", type=Path)
    parser.add_argument("--tight", action="store_true")
    parser.add_argument("--pinocchio", action="store_true")
    options = parser.parse_args()
    first = FirstVersion(options.first) if options.first else None
    bodies = [BODIES[index] for index in options.bodies]
    tasks = [(body, *task) for body in bodies for task in (TASKS if options.grid == 16 else GRID)][:: options.every]
    rows: list[Figures] = []
    cold_rows: list[Figures] = []
    refused, colds, firsts, cold_firsts, gaps = [], [], [], [], []
    for number, (body, speed, ratio) in enumerate(tasks):
        mass, height, sex = body
        skeleton = load_skeleton(SKELETON, mass=mass, height=height, sex=sex)
        leg = make_walker(merge_frozen(skeleton)).leg_length
        step = ratio * norm_step(speed)
        task = GaitTask(speed * np.sqrt(9.81 * leg), step * leg)
        if number == 0:
            predict_gait(skeleton, task)  # compiles the kernels and reads the stored walks
            if first:
                first.seconds(body, task)
        asked = f"{height:.2f} m, speed {speed:.2f}, step {step:.2f} leg lengths"
        before = os.times().user + os.times().system
        try:
            found = predict_gait(skeleton, task)
        except (SolverError, PredictionError) as error:
            refused.append(os.times().user + os.times().system - before)
            print(f"{asked}: no walk after {refused[-1]:.2f} s: {error}", flush=True)
            continue
        rows.append(own := Figures.of(found))
        line = (
            f"{asked}: {found.status} in {found.result.iterations} iterations, {found.result.cpu_seconds:.2f} s, "
            f"residual {found.result.optimality:.0e}, work of the ground {found.dense.ground_work:+.3f}, "
            f"{found.dense.ground_work_absolute:.3f} J/kg, dense grid: slip {found.dense.slip:.3f} m/s, lift "
            f"{1000 * found.dense.lift:.1f} mm, {own.on_dense_grid}, {own.worst} {own.dense:.0f} tolerances"
        )
        if options.cold:
            walk = found.problem
            cold = walk.solve(walk.neutral_guess())
            colds.append(cold.cpu_seconds if cold.success else np.nan)
            apart = cold.objective / found.objective - 1.0
            line += f"; from the neutral pose {cold.status}, {cold.cpu_seconds:.2f} s, objective {apart:+.2%}"
            if cold.success:
                cold_rows.append(other := Figures.of(GaitPrediction.of(walk, cold)))
                line += f", {other.on_dense_grid}"
        if first:
            firsts.append(first.seconds(body, task))
            line += f"; earlier version {firsts[-1]:.2f} s"
            if options.cold:
                cold_firsts.append(first.seconds(body, task, neutral=True))
                line += f", from the neutral pose {cold_firsts[-1]:.2f} s"
        if options.tight:
            tight = predict_gait(skeleton, task, solver=SQP(tolerance=1e-5, optimality=1e-5), start=found)
            gaps.append(found.objective / tight.objective - 1.0)
            line += f"; {gaps[-1]:+.3%} above a tight solve"
        print(line, flush=True)
        if options.pinocchio:
            print("   " + confirm(found, skeleton), flush=True)
    seconds = np.array([row.seconds for row in rows])
    print(summary("from the stored walks", rows, len(tasks)))
    if cold_rows:
        print(summary("from the neutral pose", cold_rows, len(colds)))
    if refused:
        print(f"{len(refused)} without a walk, after at most {max(refused):.2f} s")
    for start, own, others in (("stored walks", seconds, firsts), ("neutral pose", np.array(colds), cold_firsts)):
        if others:
            median, worst = np.nanmedian(others), np.nanmax(others)
            print(
                f"earlier version from the {start}: median {median:.2f}, worst {worst:.2f} s of "
                f"{np.isfinite(others).sum()} solved; ratio of the medians {np.nanmedian(own) / median:.2f}, of the "
                f"worst {np.nanmax(own) / worst:.2f}"
            )
    if gaps:
        print(f"objective above a tight solve: median {np.median(gaps):.3%}, worst {max(gaps):.3%}")


if __name__ == "__main__":
    main()
