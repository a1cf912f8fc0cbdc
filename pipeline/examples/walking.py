"""The walk of the thesis's chapter 5 at 1.2 m/s with steps of 0.6 m, preset `thesis`: its figures 5.1 to 5.5.

One step is solved. Since both sides are alike, the right leg's stride is its own step followed by the left leg's motion
in the same step.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pipeline.conventions import GRAVITY
from pipeline.examples.skeleton_figure import draw_skeleton
from pipeline.examples.tables import Table
from pipeline.prediction import GaitPrediction, GaitTask, predict_gait
from pipeline.skeleton import link_poses, load_skeleton

JOINTS = ("hip", "knee", "ankle")
FORCES = {"lateral": 2, "vertical": 1, "fore-aft": 0}
"""Components of the ground reaction in G, in the order of figure 5.4."""

SNAPSHOTS = 6


@cache
def walk(skeleton_path: Path) -> GaitPrediction:
    """The step; cached."""
    return predict_gait(load_skeleton(skeleton_path), GaitTask(speed=1.2, step_length=0.6), "thesis")


def stride(found: GaitPrediction, right: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Percent (N,) of the right leg's stride, and the values: the right leg's in the step, then the left leg's."""
    half = 50.0 * found.time / found.time[-1]
    return np.concatenate([half, 50.0 + half[1:]]), np.concatenate([right, left[1:]])


def draw(figure: Figure, skeleton_path: Path) -> str:
    """Figures 5.1 to 5.5."""
    figure.set_size_inches(10.0, 16.0)
    found = walk(skeleton_path)
    skeleton = found.problem.skeleton
    parts: Any = figure.subfigures(5, 1, height_ratios=[2.7, 1.3, 1.0, 1.0, 1.0])
    joints, top, *rows = parts
    draw_skeleton(joints.subplots(), skeleton)
    _snapshots(top.subplots(), found)
    weight = float(skeleton.mass.sum()) * GRAVITY
    for axes, joint in zip(rows[0].subplots(1, 3), JOINTS, strict=True):
        right, left = (np.degrees(found.q[:, skeleton.index(f"{side}_{joint}_flexion")]) for side in ("right", "left"))
        axes.plot(*stride(found, right, left))
        axes.set(title=f"5.3 {joint.capitalize()} flexion", ylabel="°")
    for axes, (name, k) in zip(rows[1].subplots(1, 3), FORCES.items(), strict=True):
        right, left = (found.ground_reaction[side].force_G[:, k] / weight for side in ("right", "left"))
        axes.plot(*stride(found, right, -left if name == "lateral" else left))
        axes.set(title=f"5.4 Ground reaction, {name}", ylabel="body weights")
    for axes, joint in zip(rows[2].subplots(1, 3), JOINTS, strict=True):
        axes.plot(*stride(found, *(internal_force(found, f"{side}_{joint}_flexion") for side in ("right", "left"))))
        axes.set(title=f"5.5 Internal force, {joint}", ylabel="N", xlabel="% of the stride")
    return (
        "A step at 1.2 m/s from initial contact of the right foot, and the right leg's stride from it. As in the "
        "thesis, the vertical ground reaction has two peaks, the fore-aft one brakes and then drives, the foot pushes "
        "sideways in stance, and internal forces follow the vertical ground reaction in stance and differ in swing. "
        "The skeleton above is figure 5.1: degrees of freedom of each joint, from behind."
    )


def internal_force(found: GaitPrediction, coordinate: str) -> np.ndarray:
    """Norm (T,) of a joint's internal force, N."""
    return np.linalg.norm(found.force_G[:, found.problem.skeleton.index(coordinate)], axis=1)


def tables(skeleton_path: Path) -> Sequence[Table]:
    """Sizes and time of the problem, thesis against ours."""
    result = walk(skeleton_path).result
    rows = (
        ("Design variables", "330", f"{result.n_variables}"),
        ("Constraint rows", "1726", f"{result.n_constraints}"),
        ("Active at the solution", "244", f"{result.n_active}"),
        ("Time of the solution, s", "34.10 (Xeon E-2186G, SNOPT)", "see docs/theory/prediction.md"),
    )
    note = "Ours eliminates frozen and mirrored coordinates and linear equalities, and imposes the rest at more nodes."
    return (Table("The problem of chapter 5", ("", "Thesis", "Ours"), rows, note),)


def _snapshots(axes: Axes, found: GaitPrediction) -> None:
    """Figure 5.2: lines between the joints, from the side, darker with time."""
    skeleton = found.problem.skeleton
    _, origins = link_poses(skeleton, found.q)
    translations = [kind == "P" for kind in skeleton.kind]
    for number, frame in enumerate(np.linspace(0, len(found.time) - 1, SNAPSHOTS).round().astype(int)):
        shade = str(0.8 - 0.8 * number / (SNAPSHOTS - 1))
        for j, parent in enumerate(skeleton.parent):
            if parent >= 0 and not translations[j]:
                ends = origins[frame, [parent, j]]
                axes.plot(ends[:, 0] + 0.25 * number, ends[:, 1], color=shade, linewidth=1)
    axes.set(title="5.2 Snapshots, 0.25 m apart", xlabel="m", ylabel="m", aspect="equal")
