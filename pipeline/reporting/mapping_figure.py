"""Left against right along the gait cycle: Student's t with its threshold, for a subject with several cycles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.reporting.curves import Row
from pipeline.reporting.drawing import OF_FOUR, Area, Curve, Panel, Scale, draw_panel
from pipeline.reporting.scales import SCALES
from pipeline.trial import GaitSummary, StatisticalMap


@dataclass(frozen=True)
class Difference:
    """A stretch of the cycle in which the sides differ: percent from and to, and its probability."""

    title: str
    start: float
    stop: float
    p: float


def mapping_row(summary: GaitSummary) -> Row:
    """A panel for each variable that was compared."""
    panels = (_panel(SCALES[name].title, found, summary.percent) for name, found in summary.sides_compared.items())
    return Row("", tuple(panels))


def differences(summary: GaitSummary) -> tuple[Difference, ...]:
    """Every stretch in which the statistic is beyond its threshold."""
    return tuple(
        Difference(SCALES[name].title, cluster.start, cluster.stop, cluster.p)
        for name, found in summary.sides_compared.items()
        for cluster in found.clusters
    )


def _panel(title: str, found: StatisticalMap, percent: np.ndarray) -> Panel:
    level, beyond = np.zeros_like(percent), np.abs(found.t) > found.threshold
    return draw_panel(
        Scale(title, "t", "Left more", "Right more", -6, 6),
        [
            Curve(percent, level + found.threshold, "threshold"),
            Curve(percent, level - found.threshold, "threshold"),
            Curve(percent, found.t, "total", "t"),
        ],
        areas=[Area(percent, np.where(beyond, level, np.nan), np.where(beyond, found.t, np.nan), "beyond")],
        missing="not compared",
        size=OF_FOUR,
    )
