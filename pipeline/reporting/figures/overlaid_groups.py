"""Overlaid curves of several groups of walks of one subject, in a panel for each side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.analysis import PERCENT, Variable
from pipeline.conventions import SIDES
from pipeline.reporting.figures.panels import Band, Curve, Panel, YAxis

GROUP_STYLES = {1: (), 2: ("group-1", "group-3"), 3: ("group-1", "group-2", "group-3")} | {
    4: ("group-1", "group-2", "group-3", "group-4")
}
"""Styles of the groups by their number: each has its own dash pattern and width."""

Read = Callable[[int, int], np.ndarray]
"""Returns the curve (101,) of a group and a side, by their indices."""


@dataclass(frozen=True)
class OverlaidCurves:
    """A curve of all groups.

    Attributes:
        of: returns the values (101,) by the indices of group and side; NaN if a group has none.
        norm: mean and standard deviation (101,); None without a norm.
    """

    axis: YAxis
    of: Read
    norm: tuple[np.ndarray, np.ndarray] | None = None


def axis_of(variable: Variable) -> YAxis:
    """The axis of a curve; a default range for curves that the walk's pages do not show."""
    return YAxis.of(variable if variable.axis else replace(variable, axis=(-30, 30)))


def side_panels(curves: OverlaidCurves, labels: Sequence[str]) -> tuple[Panel, ...]:
    """A panel for each side with the groups' means, on the same axis; for a single group, one panel with both sides.

    The first group, which has the thinnest line, is drawn last, so that it stays visible where curves coincide.

    Args:
        curves: of all groups.
        labels: of the groups.
    """
    bands: tuple[Band, ...] = ()
    if curves.norm and np.isfinite(curves.norm[0]).any():
        mean, sd = curves.norm
        bands = (Band(PERCENT, mean - sd, mean + sd, "norm", "Norm ± 1 SD"),)
    styles = GROUP_STYLES[len(labels)]
    if len(labels) == 1:
        both = [Curve(PERCENT, curves.of(0, k), side, side.capitalize()) for k, side in enumerate(SIDES)]
        return (_panel(curves.axis, both, bands),)
    panels = [
        _panel(
            curves.axis,
            [Curve(PERCENT, curves.of(g, k), f"{side} {styles[g]}", labels[g]) for g in reversed(range(len(labels)))],
            bands,
        )
        for k, side in enumerate(SIDES)
    ]
    limits = [panel.limits for panel in panels if not panel.empty]
    if not limits:
        return tuple(panels)
    shared = replace(curves.axis, low=min(low for low, _ in limits), high=max(high for _, high in limits))
    return tuple(replace(panel, axis=shared) for panel in panels)


def _panel(axis: YAxis, curves: Sequence[Curve], bands: tuple[Band, ...]) -> Panel:
    known = tuple(curve for curve in curves if np.isfinite(curve.y).any())
    return Panel(axis, known, bands, missing="not measured")
