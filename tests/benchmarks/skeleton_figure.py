"""Draws the 55-joint skeleton with its active and frozen joints (figure 5.1 of the thesis): docs/theory/joints.svg.

python -m tests.benchmarks.skeleton_figure docs/theory/joints.svg
"""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("svg")
import matplotlib.pyplot as plt

from pipeline.skeleton import joint_axes, load_skeleton

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"
ACTIVE, FROZEN, BONE = "#1a5fb4", "#c8202f", "#8a94a0"


def main(path: Path) -> None:
    skeleton = load_skeleton(SKELETON)
    _, origins = joint_axes(skeleton, np.zeros((1, len(skeleton))))
    places = origins[0]
    mpl.rcParams["svg.hashsalt"] = "joints"
    figure, axes = plt.subplots(figsize=(5.2, 7.2))
    for j, parent in enumerate(skeleton.parent):
        if parent >= 0:
            axes.plot(*zip(places[parent, [2, 1]], places[j, [2, 1]], strict=True), color=BONE, lw=2, zorder=1)
    groups: dict[tuple[float, float], list[int]] = {}
    for j, place in enumerate(places):
        groups.setdefault((round(float(place[2]), 3), round(float(place[1]), 3)), []).append(j)
    for (across, up), joints in groups.items():
        frozen = [bool(skeleton.frozen[j]) for j in joints]
        colour = FROZEN if all(frozen) else ACTIVE
        axes.plot(across, up, "o", ms=9, color=colour, mfc="white" if all(frozen) else colour, mew=1.8, zorder=2)
        if across >= -0.01:
            name = skeleton.joint_names[joints[-1]].removeprefix("right_").rsplit("_", 1)[0]
            midline = abs(across) < 0.005
            axes.annotate(
                f"{name.replace('_', ' ')} {len(joints)}",
                (across, up),
                (-10, -3) if midline else (10, 6),
                textcoords="offset points",
                ha="right" if midline else "left",
                fontsize=8,
                color=colour,
            )
    axes.set_aspect("equal")
    axes.axis("off")
    active, held = int(np.sum(~skeleton.frozen)), int(np.sum(skeleton.frozen))
    axes.set_title(f"{len(skeleton)} joints: {active} active (filled), {held} frozen in walking", fontsize=10)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
