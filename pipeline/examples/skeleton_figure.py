"""The 55-joint skeleton with its active and frozen joints: figure 5.1 of the thesis."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from pipeline.skeleton import Skeleton, joint_axes

ACTIVE, FROZEN, BONE = "#1a5fb4", "#c8202f", "#8a94a0"

MIDLINE = 0.005
"""m; joints closer to the midline are labelled on the left, those of the right side on the right, those of the left not
at all."""


def draw_skeleton(axes: Axes, skeleton: Skeleton) -> None:
    """Lines between the joints at q = 0, from behind; joints in the same place are one dot, with their number."""
    places = joint_axes(skeleton, np.zeros((1, len(skeleton))))[1][0]
    for j, parent in enumerate(skeleton.parent):
        if parent >= 0:
            axes.plot(*zip(places[parent, [2, 1]], places[j, [2, 1]], strict=True), color=BONE, lw=2, zorder=1)
    groups: dict[tuple[float, float], list[int]] = {}
    for j, place in enumerate(places):
        groups.setdefault((round(float(place[2]), 3), round(float(place[1]), 3)), []).append(j)
    for (across, up), joints in groups.items():
        frozen = all(skeleton.frozen[j] for j in joints)
        colour = FROZEN if frozen else ACTIVE
        axes.plot(across, up, "o", ms=7, color=colour, mfc="white" if frozen else colour, mew=1.6, zorder=2)
        if across > -2 * MIDLINE:
            name = skeleton.joint_names[joints[-1]].removeprefix("right_").rsplit("_", 1)[0]
            offset, side = ((-10, -3), "right") if abs(across) < MIDLINE else ((10, 6), "left")
            axes.annotate(
                f"{name.replace('_', ' ')} {len(joints)}",
                (across, up),
                offset,
                textcoords="offset points",
                ha=side,
                fontsize=8,
                color=colour,
            )
    axes.set_aspect("equal")
    axes.axis("off")
    active = int(np.sum(~skeleton.frozen))
    axes.set_title(
        f"{len(skeleton)} joints: {active} active (filled), {len(skeleton) - active} frozen in walking", fontsize=10
    )
