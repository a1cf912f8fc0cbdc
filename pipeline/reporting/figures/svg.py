"""Figures of a page: each panel is a small SVG drawn by matplotlib; the values of a figure's curves are one JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pipeline.reporting.figures.axes import (
    BOTTOM,
    GRID_ORDER,
    LEFT,
    RIGHT,
    SIZES,
    TOP,
    add_axes,
    draw_curves,
    draw_frame,
    settings,
)
from pipeline.reporting.figures.panels import Band, Curve, Frame, Panel, Row
from pipeline.reporting.figures.svg_renderer import Drawing, PanelRenderer

READABLE = np.linspace(0.0, 1.0, 101)
"""Positions at which a page can show values, as shares of the width."""


@dataclass(frozen=True)
class PageFigure:
    """Rows of panels, ready for a page.

    Attributes:
        rows: heading of each row, and SVG of its panels.
        values: data for `report.js`, by the id of the panel's SVG.
    """

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    values: dict[str, Any]


def page_figure(rows: Iterable[Row], columns: int, name: str) -> PageFigure:
    """Draw rows of panels.

    Args:
        rows: to draw.
        columns: number of panels in a row, which determines their size.
        name: of the figure, unique within its page; ids begin with it.
    """
    drawn, values, count = [], {}, 0
    with settings():
        for row in rows:
            panels = []
            for panel in row.panels:
                identity = f"{name}-{count}"
                panels.append(_panel_svg(panel, columns, identity))
                if not panel.empty:
                    values[identity] = _panel_values(panel, identity, SIZES[columns])
                count += 1
            drawn.append((row.heading, tuple(panels)))
    return PageFigure(tuple(drawn), values)


def _panel_svg(panel: Panel, columns: int, identity: str) -> str:
    size, frame = SIZES[columns], _frame(panel.frame, columns)
    axes, renderer = _canvas(columns)
    draw_curves(axes, panel)
    artists = _drawn_on(axes)
    behind = renderer.draw([a for a in artists if a.get_zorder() < GRID_ORDER], identity)
    before = renderer.draw([a for a in artists if a.get_zorder() >= GRID_ORDER], identity)
    _clear(axes)
    (field, *grid), box = frame.paths.items(), f"0 0 {size[0]:g} {size[1]:g}"
    paths = [field, *behind.paths.items(), *grid, *before.paths.items()]
    drawn = [f'<path {attributes} d="{data}"/>' for attributes, data in paths]
    head = f'<svg id="{identity}" viewBox="{box}" role="img" aria-label={quoteattr(panel.label)}>'
    return "\n".join([head, *drawn, *frame.texts, "</svg>"])


@lru_cache(maxsize=1000)
def _frame(frame: Frame, columns: int) -> Drawing:
    """Draw a frame; cached, because panels of many walks have the same frame, whose layout takes time."""
    axes, renderer = _canvas(columns)
    draw_frame(axes, frame)
    drawing = renderer.draw([axes])
    _clear(axes)
    return drawing


@cache
def _canvas(columns: int) -> tuple[Axes, PanelRenderer]:
    """Axes and renderer, reused for all panels of a size."""
    size = SIZES[columns]
    figure = Figure(figsize=(size[0] / 72.0, size[1] / 72.0))
    return add_axes(figure, size), PanelRenderer(size)


def _drawn_on(axes: Axes) -> list[Artist]:
    return [*axes.patches, *axes.collections, *axes.lines, *axes.texts]


def _clear(axes: Axes) -> None:
    """Remove the artists, which is faster than making new axes."""
    for artist in _drawn_on(axes):
        artist.remove()


def _panel_values(panel: Panel, identity: str, size: tuple[float, float]) -> dict[str, Any]:
    first, last = panel.across.first, panel.across.last
    curves: list[dict[str, Any]] = []
    for kind, k, drawn in _labelled(panel):
        own = [drawn.y] if isinstance(drawn, Curve) else [drawn.low, drawn.high]
        values = [_at(drawn.x, y, first + READABLE * (last - first), panel.axis.decimals) for y in own]
        curves.append({"id": f"{identity}-{kind}-{k}", "label": drawn.label, "values": values})
    return {
        "box": [LEFT, TOP, size[0] - RIGHT, size[1] - BOTTOM],
        "x": [first, last],
        "y": [round(limit, 6) for limit in panel.limits],
        "units": panel.across.units,
        "decimals": panel.axis.decimals,
        "curves": curves,
    }


def _labelled(panel: Panel) -> list[tuple[str, int, Curve | Band]]:
    kinds: tuple[tuple[str, Sequence[Curve | Band]], ...] = (("band", panel.bands), ("curve", panel.curves))
    return [(kind, k, drawn) for kind, group in kinds for k, drawn in enumerate(group) if drawn.label]


def _at(x: np.ndarray, y: np.ndarray, wanted: np.ndarray, decimals: int) -> list[float | None]:
    """Rounded values at the nearest x; None if the value is missing or no x is near."""
    nearest = np.abs(x[:, None] - wanted).argmin(axis=0)
    near = np.abs(x[nearest] - wanted) <= 2.0 * (wanted[1] - wanted[0])
    return [
        round(float(value), decimals) + 0.0 if ok and np.isfinite(value) else None
        for value, ok in zip(y[nearest], near, strict=True)
    ]
