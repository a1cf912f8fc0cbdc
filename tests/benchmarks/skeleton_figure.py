"""Draws the 55-joint skeleton with its active and frozen joints (figure 5.1 of the thesis): docs/theory/joints.svg.

python -m tests.benchmarks.skeleton_figure docs/theory/joints.svg
"""

import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt

from pipeline.examples.skeleton_figure import draw_skeleton
from pipeline.skeleton import load_skeleton
from tests.walks import SKELETON


def main(path: Path) -> None:
    mpl.rcParams["svg.hashsalt"] = "joints"
    figure, axes = plt.subplots(figsize=(5.2, 7.2))
    draw_skeleton(axes, load_skeleton(SKELETON))
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
