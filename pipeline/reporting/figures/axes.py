"""Draw a panel on matplotlib axes, in the same way for pages, PDF, PNG and notebooks."""

from __future__ import annotations

import textwrap
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from pipeline.reporting.figures.panels import Frame, Panel, XAxis
from pipeline.reporting.figures.styles import FIELD, GRID, INK, LINE, RULE, SOFT, style_of

RC: Any = {
    **{"font.family": "DejaVu Sans", "font.size": 10.0, "text.color": SOFT, "figure.dpi": 72.0},
    **{"axes.facecolor": FIELD, "axes.edgecolor": RULE, "axes.axisbelow": True, "axes.grid": True, "axes.titley": 1.0},
    **{"axes.titlecolor": INK, "axes.titlelocation": "left", "axes.titlesize": 11.5, "axes.titleweight": "bold"},
    **{"axes.titlepad": 7.0, "xtick.major.pad": 5.0, "grid.color": GRID, "grid.linewidth": 0.8},
    **{"xtick.bottom": False, "ytick.left": False, "xtick.major.size": 0.0, "ytick.major.size": 0.0},
    **{"xtick.labelcolor": SOFT, "ytick.labelcolor": SOFT, "lines.scale_dashes": False, "legend.frameon": False},
    **{"text.parse_math": False, "axes.unicode_minus": True, "axes.formatter.useoffset": False},
    **{"svg.fonttype": "none", "svg.hashsalt": "pipeline", "pdf.fonttype": 42, "savefig.dpi": 200.0},
}
"""Matplotlib settings under which figures are made and saved."""

SIZES = {1: (540.0, 220.0), 2: (540.0, 220.0), 3: (368.0, 200.0), 4: (272.0, 188.0)}
"""Width and height of a panel by the number of panels in a row, points (about pixels at a page's full width)."""

LEFT, RIGHT, TOP, BOTTOM = 50.0, 16.0, 22.0, 20.0
"""Margins around the plotting area for the title and the labels of the axes, points."""

LETTER_WIDTH, LINE_HEIGHT = 6.3, 14.0
"""Width of a letter and height of a line of the text in a panel without curves, points."""

GRID_ORDER = 0.5
"""The ``zorder`` of matplotlib's grid: spans and bands are drawn below it, curves above."""

WORDS_AT = -39.0
"""Horizontal position of the words for positive and negative, points from the vertical axis."""


def add_axes(figure: Figure, size: tuple[float, float], x: float = 0.0, y: float = 0.0) -> Axes:
    """Add axes for a panel with its lower left corner at (x, y); all in points."""
    width, height = 72.0 * figure.get_size_inches()
    box = (x + LEFT, y + BOTTOM, size[0] - LEFT - RIGHT, size[1] - TOP - BOTTOM)
    axes = figure.add_axes((box[0] / width, box[1] / height, box[2] / width, box[3] / height))
    axes.patch.set(gid="field", edgecolor=RULE, linewidth=1.0)
    axes.spines[:].set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_label_coords(0.0, 0.0)  # saves matplotlib the time of placing a label that does not exist
    return axes


def draw_panel(axes: Axes, panel: Panel) -> None:
    """Draw a panel on axes from `add_axes`, made under the settings `RC`."""
    draw_frame(axes, panel.frame)
    draw_curves(axes, panel)


def draw_frame(axes: Axes, frame: Frame) -> None:
    """Draw everything around the curves of a panel; the artists' group ids give their kind."""
    axis = frame.axis
    axes.set_title(f"{axis.title} ({axis.units})", gid="title")
    if frame.limits is None:
        axes.set(xticks=[], yticks=[])
        _write_reason(axes, frame.missing)
        return
    _set_limits(axes, frame)
    _set_ticks(axes, frame.across)
    if frame.limits[0] < 0.0 < frame.limits[1]:
        across = axes.get_yaxis_transform()
        _add_line(axes, [0.0, 1.0], [0.0, 0.0], "zero", color="#9aa6b1", linewidth=1.0, zorder=1.0, transform=across)
    for words, sign, y, side in ((axis.positive, "+", 1.0, "right"), (axis.negative, "\N{MINUS SIGN}", 0.0, "left")):
        if words:
            place: dict[str, Any] = {"xy": (0.0, y), "xytext": (WORDS_AT, 0.0), "xycoords": "axes fraction"}
            turn: dict[str, Any] = {"rotation": 90.0, "rotation_mode": "anchor", "ha": side, "va": "baseline"}
            axes.annotate(f"{words} ({sign})", **place, textcoords="offset points", **turn, fontsize=9.5, gid="words")


def draw_curves(axes: Axes, panel: Panel) -> None:
    """Draw the curves, bands and marks of a panel, if any curve has a value.

    Their group ids give kind, number and style: "curve.2.left.single" is the third curve, in the style "left single".
    For their order of drawing, see `GRID_ORDER`.
    """
    if panel.empty:
        return
    _set_limits(axes, panel.frame)
    for k, (style, begin, end) in enumerate(panel.spans):
        axes.axvspan(begin, end, zorder=0.2, clip_on=False, gid=_gid("span", k, style), **_filled(style))
    for k, band in enumerate(panel.bands):
        own: dict[str, Any] = {"zorder": 0.3, "label": band.label or "_", "gid": _gid("band", k, band.style)}
        axes.fill_between(band.x, band.low, band.high, clip_on=False, **own, **_filled(band.style))
    for k, (style, x) in enumerate(panel.verticals):
        up = axes.get_xaxis_transform()
        _add_line(axes, [x, x], [0.0, 1.0], _gid("vertical", k, style), zorder=1.5, transform=up, **style_of(style))
    for k, curve in enumerate(panel.curves):
        own = {"label": curve.label or "_"} | LINE | style_of(curve.style)
        _add_line(axes, curve.x, curve.y, _gid("curve", k, curve.style), **own)


def _set_limits(axes: Axes, frame: Frame) -> None:
    axes.set(xlim=(frame.across.first, frame.across.last), ylim=frame.limits)


def _write_reason(axes: Axes, reason: str) -> None:
    """Text in the middle, each line a separate artist, so that a browser centres it in the browser's font."""
    width = 72.0 * axes.figure.get_figure(root=True).get_figwidth() * axes.get_position().width
    lines = textwrap.wrap(reason, int(width / LETTER_WIDTH))
    for k, line in enumerate(lines):
        place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
        down = LINE_HEIGHT * (k - 0.5 * (len(lines) - 1))
        axes.annotate(line, (0.5, 0.5), (0.0, -down), **place, ha="center", va="center", gid="missing")


def _add_line(axes: Axes, x: Any, y: Any, gid: str, **properties: Any) -> None:
    """Like `Axes.plot`, but without computing limits, which are set already."""
    axes.add_artist(Line2D(x, y, clip_on=False, gid=gid, **properties))


def _gid(kind: str, number: int, style: str) -> str:
    return ".".join((kind, str(number), *style.split()))


def _filled(style: str) -> dict[str, Any]:
    properties = style_of(style)
    return {"facecolor": properties.pop("color"), "edgecolor": "none"} | properties


def _set_ticks(axes: Axes, across: XAxis) -> None:
    """Ticks at round values; the last one on the horizontal axis has the units."""
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(ScalarFormatter())
    places = [x for x in axes.get_xticks() if across.first <= x <= across.last]
    *texts, last = axes.xaxis.get_major_formatter().format_ticks(places)
    axes.set_xticks(places, [*texts, f"{last}%" if across.units == "%" else f"{last} {across.units}"])


def settings() -> Any:
    """The context in which to make, draw and save figures."""
    return matplotlib.rc_context(RC)
