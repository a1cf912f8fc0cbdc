"""Figures of a page: each panel a small SVG drawn by matplotlib, and the values of its curves as one JSON a figure.

A page has dozens of panels, which reflow on a narrow screen. So that it stays light, what matplotlib's SVG repeats in
each of them (styles, fonts, clip paths) is left to the page's style sheet, and coordinates are rounded to a tenth of a
point.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from pipeline.reporting.figures.axes import BOTTOM, LEFT, RIGHT, SIZES, TOP, add_axes, clear_panel, draw_panel, settings
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row

READABLE = np.linspace(0.0, 1.0, 101)
"""Shares of the width at which a reader can ask for values."""


@dataclass(frozen=True)
class PageFigure:
    """Rows of panels as a page has them.

    Attributes:
        rows: heading and SVG of the panels of each row.
        values: what `report.js` reads, by the id of the panel's SVG.
    """

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    values: dict[str, Any]


def page_figure(rows: Iterable[Row], columns: int, name: str) -> PageFigure:
    """Draw rows of panels.

    Args:
        columns: panels in a row, which decides their size.
        name: of the figure, unique in its page: ids begin with it.
    """
    size = SIZES[columns]
    drawn, values, count = [], {}, 0
    with settings():
        figure = Figure(figsize=(size[0] / 72.0, size[1] / 72.0))
        figure.patch.set_visible(False)
        canvas, axes = FigureCanvasSVG(figure), add_axes(figure, size)
        for row in rows:
            panels = []
            for panel in row.panels:
                identity = f"{name}-{count}"
                panels.append(_panel_svg(canvas, axes, panel, identity))
                if not panel.empty:
                    values[identity] = _panel_values(panel, identity, size)
                count += 1
            drawn.append((row.heading, tuple(panels)))
    return PageFigure(tuple(drawn), values)


def _panel_svg(canvas: FigureCanvasSVG, axes: Axes, panel: Panel, identity: str) -> str:
    clear_panel(axes)
    draw_panel(axes, panel)
    stream = io.StringIO()
    canvas.print_svg(stream, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return compact_svg(stream.getvalue(), identity, panel.label)


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
        "y": [round(limit, 6) for limit in panel.limits()],
        "units": panel.across.units,
        "decimals": panel.axis.decimals,
        "curves": curves,
    }


def _labelled(panel: Panel) -> list[tuple[str, int, Curve | Band]]:
    kinds: tuple[tuple[str, Sequence[Curve | Band]], ...] = (("band", panel.bands), ("curve", panel.curves))
    return [(kind, k, drawn) for kind, group in kinds for k, drawn in enumerate(group) if drawn.label]


def _at(x: np.ndarray, y: np.ndarray, wanted: np.ndarray, decimals: int) -> list[float | None]:
    """The values at the nearest places, as printed; None where one is missing or no place is near."""
    nearest = np.abs(x[:, None] - wanted).argmin(axis=0)
    near = np.abs(x[nearest] - wanted) <= 2.0 * (wanted[1] - wanted[0])
    return [
        round(float(value), decimals) + 0.0 if ok and np.isfinite(value) else None
        for value, ok in zip(y[nearest], near, strict=True)
    ]


_KINDS = {"field", "zero", "title", "words", "missing"}
_STYLED = re.compile(r"(curve|band|span|vertical)\.(\d+)\.(.+)")


def compact_svg(svg: str, identity: str, label: str) -> str:
    """What matplotlib drew of a panel, with classes in place of styles, ids that are unique in a page, and short paths.

    Args:
        svg: of one panel, with text as text and the group ids of `draw_panel`.
        identity: id of the result; that of the third curve is "identity-curve-2".
        label: what the drawing is called where it is not seen.

    Raises:
        ValueError: there is an element or a path that `draw_panel` does not make.
    """
    root = ElementTree.fromstring(svg)
    paths: dict[str, str] = {}  # of the same attributes together, such as all lines of the grid
    texts: list[str] = []
    _collect(root, "", identity, paths, texts)
    drawn = [f'<path {attributes} d="{data}"/>' for attributes, data in paths.items()]
    head = f'<svg id="{identity}" viewBox="{root.get("viewBox")}" role="img" aria-label={quoteattr(label)}>'
    return "\n".join([head, *drawn, *texts, "</svg>"])


def _collect(node: ElementTree.Element, kind: str, identity: str, paths: dict[str, str], texts: list[str]) -> None:
    tag, name = node.tag.rpartition("}")[2], node.get("id", "")
    if tag == "g" and (name in _KINDS or _STYLED.fullmatch(name)):
        kind = name
    elif tag == "g" and name.startswith(("xtick", "ytick")):
        kind = "tick"
    elif tag == "path":
        attributes = _attributes("grid" if kind == "tick" else kind, identity)
        paths[attributes] = paths.get(attributes, "") + short_path(node.get("d", ""))
    elif tag == "text":
        texts.append(_text(node, kind))
    elif tag not in ("svg", "g", "defs", "style", "clipPath", "rect"):
        raise ValueError(f"an SVG of a panel has no <{tag}>")
    if tag != "defs":
        for child in node:
            _collect(child, kind, identity, paths, texts)


def _attributes(kind: str, identity: str) -> str:
    if styled := _STYLED.fullmatch(kind):
        what, number, style = styled.groups()
        return f'id="{identity}-{what}-{number}" class="{what} {style.replace(".", " ")}"'
    return f'class="{kind}"'


def _text(node: ElementTree.Element, kind: str) -> str:
    anchor = re.search(r"text-anchor: (\w+)", node.get("style", ""))
    turned = re.fullmatch(r"rotate\((-0|-90) [-\d. ]+\)", node.get("transform", ""))
    if not turned:
        raise ValueError(f"text of a panel is not turned by {node.get('transform')}")
    x, y = (_tenths(round(10.0 * float(node.get(key, "0")))) for key in ("x", "y"))
    place = f'x="{x}" y="{y}"' if turned[1] == "-0" else f'transform="translate({x} {y}) rotate(-90)"'
    aligned = f' text-anchor="{anchor[1]}"' if anchor and anchor[1] != "start" else ""
    content = escape(node.text or "")
    if kind == "title":
        content = re.sub(r"( \([^()]+\))$", r"<tspan>\1</tspan>", content)  # the units, less heavy than the name
    return f'<text class="{kind}" {place}{aligned}>{content}</text>'


def short_path(data: str) -> str:
    """The same path of straight lines, relative and rounded to a tenth; rounding errors do not add up.

    Raises:
        ValueError: the path is not of straight lines.
    """
    out, at, start, before = [], (0, 0), (0, 0), ""
    for command, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", data):
        if command in "Zz":
            out.append("z")
            at, before = start, command
            continue
        if command not in "ML":
            raise ValueError(f"a path of a panel has no command {command}")
        x, y = (round(10.0 * float(number)) for number in numbers.split())
        if command == "M":
            out.append(f"M{_tenths(x)} {_tenths(y)}")
            start = (x, y)
        elif (x, y) != at:
            pair = [_tenths(x - at[0]), _tenths(y - at[1])]
            out.append(("" if before == "L" else "l") + "".join(pair if pair[1][0] == "-" else " ".join(pair)))
            if before == "L" and pair[0][0] != "-":
                out[-1] = " " + out[-1]
        else:
            continue
        at, before = (x, y), command
    return "".join(out)


@cache
def _tenths(value: int) -> str:
    """A whole number of tenths, without a leading zero."""
    return f"{value / 10:g}".replace("0.", ".") if abs(value) < 10 else f"{value / 10:g}"
