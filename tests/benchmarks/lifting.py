"""Predicted lifts of a box: spinal moment by load, distance, height and time; stick figures of one lift.

    python -m tests.benchmarks.lifting [--figure docs/theory/lifting.svg]

Prints the table of docs/theory/lifting.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from pipeline.prediction import LiftPrediction, LiftTask, predict_lift
from pipeline.skeleton import load_skeleton, segment_pose
from tests.walks import SKELETON

LIFT = LiftTask()
TASKS = (
    ("10 kg, 0.40 m ahead, from 0.35 m, in 1.5 s", LIFT),
    *((f"{load:g} kg", replace(LIFT, load=load)) for load in (0.0, 5.0, 15.0, 20.0)),
    *((f"{x:.2f} m ahead", replace(LIFT, start=(x, LIFT.start[1]))) for x in (0.35, 0.45, 0.50)),
    *((f"from {y:.2f} m", replace(LIFT, start=(LIFT.start[0], y))) for y in (0.2, 0.5, 0.7)),
    *((f"in {s:.1f} s", replace(LIFT, duration=s)) for s in (1.0, 2.0)),
)
HEADS = (
    "extensor moment of the lowest spine joint at lift-off, Nm",
    "its peak, Nm",
    "peak of a hip, Nm",
    "peak of a knee, Nm",
    "peak vertical force, body weights",
    "largest knee flexion, °",
)
TRUNK = ("pelvis", "lower_abdomen", "upper_abdomen", "lower_thorax", "upper_thorax", "neck", "head")
LEG = ("right_toes", "right_foot", "right_shank", "right_thigh")
ARM = ("right_upper_arm", "right_forearm", "right_hand")


def table() -> Iterator[str]:
    """Lines of the table."""
    skeleton = load_skeleton(SKELETON)
    yield f"| | {' | '.join(HEADS)} |"
    yield "|---|" + "---|" * len(HEADS)
    for name, task in TASKS:
        yield f"| {name} | {' | '.join(_cells(predict_lift(skeleton, task)))} |"


def _cells(found: LiftPrediction) -> list[str]:
    skeleton = found.problem.skeleton
    hip, knee = (skeleton.index(f"right_{name}_flexion") for name in ("hip", "knee"))
    vertical = sum(wrench.force_G[:, 1] for wrench in found.ground_reaction.values())
    return [
        f"{found.lumbar_moment[0]:.0f}",
        f"{found.lumbar_moment.max():.0f}",
        f"{-found.tau[:, hip].min():.0f}",
        f"{np.abs(found.tau[:, knee]).max():.0f}",
        f"{vertical.max() / (9.81 * skeleton.mass.sum()):.2f}",
        f"{np.degrees(found.q[:, knee]).max():.0f}",
    ]


def _draw(found: LiftPrediction, path: Path, count: int = 6) -> None:
    """Stick figures from the right at even times of the lift, with the ground reaction, and the spinal moment below."""
    figure = Figure(figsize=(9.0, 4.6))
    sticks, moment = figure.subplots(2, 1, height_ratios=(3, 1))
    q, apart = found.q, 0.95
    origins = {name: segment_pose(found.problem.skeleton, name, q)[1] for name in (*TRUNK, *LEG, *ARM)}
    vertical = sum(wrench.force_G for wrench in found.ground_reaction.values())
    for number, k in enumerate(np.linspace(0, len(q) - 1, count).round().astype(int)):
        for chain in (TRUNK, LEG, ARM):
            x, y = np.array([origins[name][k] for name in chain])[:, :2].T
            if chain is LEG:
                x, y = np.append(x, origins["pelvis"][k, 0]), np.append(y, origins["pelvis"][k, 1])
            sticks.plot(x + apart * number, y, color="#17212b", linewidth=2.0, solid_capstyle="round")
        head, neck = origins["head"][k, :2], origins["neck"][k, :2]
        top = head + 0.1 * (head - neck) / np.linalg.norm(head - neck)
        sticks.plot(top[0] + apart * number, top[1], "o", color="#17212b", markersize=9)
        box = found.problem.task.box_depth
        grip = found.grip_G[k]
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * box / 2
        sticks.plot(grip[0] + apart * number + corners[:, 0], grip[1] + corners[:, 1], color="#a06a00", linewidth=1.4)
        foot, size = found.zmp_G[k], vertical[k] / 1500.0
        sticks.annotate(
            "", (foot[0] + apart * number + size[0], size[1]), (foot[0] + apart * number, 0.0),
            arrowprops={"arrowstyle": "-|>", "color": "#1d7a46", "linewidth": 1.4},
        )  # fmt: skip
        sticks.text(apart * number, -0.16, f"{found.time[k]:.1f} s", ha="center", fontsize=8, color="#5a6875")
    sticks.axhline(0.0, color="#9aa6b1", linewidth=0.8)
    sticks.set_aspect("equal")
    sticks.axis("off")
    moment.plot(found.time, found.lumbar_moment, color="#17212b")
    moment.set_xlabel("s")
    moment.set_ylabel("spine, Nm")
    moment.set_ylim(0.0)
    moment.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figure", type=Path)
    figure = parser.parse_args().figure
    if figure:
        _draw(predict_lift(load_skeleton(SKELETON), LIFT), figure)
    for line in table():
        print(line, flush=True)
