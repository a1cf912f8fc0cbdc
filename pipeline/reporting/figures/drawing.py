"""Panels: curves scaled into the coordinates of a small drawing that a template turns into SVG.

Drawn by hand rather than by a plotting library: a page's panels reflow on a narrow screen, their text stays text, the
same input gives the same bytes, and no process pays a second for an import.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis.variables import Variable

LEFT, RIGHT, TOP, BOTTOM = 50.0, 8.0, 22.0, 20.0
"""Margins around the plotting area, in drawing units (about a pixel at the page's full width)."""


@dataclass(frozen=True)
class Size:
    """Size of a panel in drawing units."""

    width: float
    height: float


OF_FOUR, OF_THREE, OF_TWO = Size(272.0, 188.0), Size(368.0, 200.0), Size(540.0, 220.0)
"""Panels of a figure of four, three and two columns."""


@dataclass(frozen=True)
class Curve:
    """Values (N,) at x (N,), drawn in a style of the sheet; NaN interrupts the line.

    A curve with a label is one whose values the reader can ask for.
    """

    x: np.ndarray
    y: np.ndarray
    style: str
    label: str = ""


@dataclass(frozen=True)
class Area:
    """The region between two curves (N,) over x (N,), drawn behind all lines; NaN interrupts it."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    style: str
    label: str = ""


@dataclass(frozen=True)
class Trace:
    """A line or area in drawing units: points "x y" joined by L, begun by M, as SVG has them."""

    style: str
    data: str
    label: str = ""


@dataclass(frozen=True)
class Scale:
    """What a panel shows and within which bounds.

    Attributes:
        title: what the curves are.
        units: of y.
        up, down: what positive and negative values mean.
        low, high: the usual range of y; it is widened to the values, never narrowed, so that pages compare.
    """

    title: str
    units: str
    up: str
    down: str
    low: float
    high: float

    @classmethod
    def of(cls, variable: Variable, title: str = "") -> Scale:
        """That of a curve of the registry, under another title if one is given."""
        assert variable.axis, f"{variable.name} has no axis range"
        words = variable.positive, variable.negative
        return cls(title or variable.title, variable.display_units, *words, *variable.axis)


@dataclass(frozen=True)
class Across:
    """What runs from the left to the right edge of a panel, and within which bounds."""

    first: float
    last: float
    units: str


CYCLE = Across(0.0, 100.0, "%")
"""The gait cycle, or a part of it such as stance."""


@dataclass(frozen=True)
class Tick:
    """A place along an axis and its label."""

    at: float
    text: str


@dataclass(frozen=True)
class Panel:
    """A drawing of curves, in drawing units; if ``missing`` is set there is nothing to draw and it says why.

    Attributes:
        low, high: values of y at the bottom and the top of the field.
        shades: style, left edge and width of regions behind everything.
    """

    scale: Scale
    size: Size
    low: float = 0.0
    high: float = 0.0
    areas: tuple[Trace, ...] = ()
    paths: tuple[Trace, ...] = ()
    uprights: tuple[tuple[str, float], ...] = ()
    x_ticks: tuple[Tick, ...] = ()
    y_ticks: tuple[Tick, ...] = ()
    zero: float | None = None
    missing: str = ""
    across: Across = CYCLE
    shades: tuple[tuple[str, float, float], ...] = ()

    left, right, top, bottom = LEFT, RIGHT, TOP, BOTTOM


def draw_panel(
    scale: Scale,
    curves: Sequence[Curve],
    *,
    areas: Sequence[Area] = (),
    uprights: Sequence[tuple[str, float]] = (),
    missing: str,
    size: Size,
    across: Across = CYCLE,
    shades: Sequence[tuple[str, float, float]] = (),
) -> Panel:
    """Scale curves into a panel.

    Args:
        scale: title, units and usual range.
        curves: what to draw, in the units of ``scale``.
        areas: what lies behind them; alone they are not worth a panel.
        uprights: style and x of vertical lines, such as toe-off.
        missing: the reason to show if no curve has a value.
        size: of the whole drawing.
        across: what x is.
        shades: style, begin and end in x of regions that lie behind everything.
    """
    values = np.concatenate([curve.y[np.isfinite(curve.y)] for curve in curves]) if curves else np.empty(0)
    if not len(values):
        return Panel(scale, size, missing=missing)
    behind = [bound[np.isfinite(bound)] for area in areas for bound in (area.low, area.high)]
    low, high = _bounds(np.concatenate([values, *behind]), scale)

    def right(x: np.ndarray | float) -> np.ndarray:
        share = (np.asarray(x) - across.first) / (across.last - across.first)
        return LEFT + share * (size.width - LEFT - RIGHT)

    def down(y: np.ndarray | float) -> np.ndarray:
        return TOP + (high - np.asarray(y)) / (high - low) * (size.height - TOP - BOTTOM)

    return Panel(
        scale=scale,
        size=size,
        low=round(low, 6),
        high=round(high, 6),
        areas=tuple(
            Trace(area.style, area_data(right(area.x), down(area.low), down(area.high)), area.label) for area in areas
        ),
        paths=tuple(Trace(c.style, path_data(right(c.x), down(c.y)), c.label) for c in curves),
        uprights=tuple((style, round(float(right(x)), 1)) for style, x in uprights if np.isfinite(x)),
        x_ticks=tuple(Tick(round(float(right(x)), 1), text) for x, text in _x_ticks(across)),
        y_ticks=tuple(Tick(round(float(down(y)), 1), text) for y, text in ticks(low, high)),
        zero=round(float(down(0.0)), 1) if low < 0.0 < high else None,
        across=across,
        shades=tuple(
            (style, round(float(right(x)), 1), round(float(right(end) - right(x)), 1)) for style, x, end in shades
        ),
    )


def _x_ticks(across: Across) -> list[tuple[float, str]]:
    """Places along the lower edge, the last with the unit."""
    if across.units == "%":
        return [(float(x), f"{x}%" if x == 100 else str(x)) for x in (0, 20, 40, 60, 80, 100)]
    *places, (last, text) = ticks(across.first, across.last)
    return [*places, (last, f"{text} {across.units}")]


def path_data(x: np.ndarray, y: np.ndarray) -> str:
    """SVG path through the points (N,), interrupted where one of them is missing."""
    parts = []
    pen_down = False
    for px, py in zip(x, y, strict=True):
        known = bool(np.isfinite(px) and np.isfinite(py))
        if known:
            parts.append(f"{'L' if pen_down else 'M'}{px:.2f} {py:.2f}")
        pen_down = known
    return "".join(parts)


def area_data(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> str:
    """SVG path round the region between two curves (N,): along the high one and back along the low one, in pieces
    where one of them is missing."""
    known = np.isfinite(low) & np.isfinite(high)
    pieces = np.split(np.arange(len(x)), np.flatnonzero(np.diff(known)) + 1)
    return "".join(
        path_data(np.r_[x[piece], x[piece][::-1]], np.r_[high[piece], low[piece][::-1]]) + "Z"
        for piece in pieces
        if len(piece) and known[piece[0]]
    )


def ticks(low: float, high: float, at_most: int = 6) -> Iterator[tuple[float, str]]:
    """Round values between two bounds, with labels of the decimals that their step needs."""
    rough = (high - low) / at_most
    power = np.floor(np.log10(rough))
    step = next(m for m in (1.0, 2.0, 5.0, 10.0) if m * 10.0**power >= rough) * 10.0**power
    decimals = max(0, int(-np.floor(np.log10(step) + 1e-9)))
    for count in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1):
        yield count * step, f"{count * step:.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def _bounds(values: np.ndarray, scale: Scale) -> tuple[float, float]:
    margin = 0.03 * (scale.high - scale.low)
    low, high = float(values.min()), float(values.max())
    return (
        scale.low if low >= scale.low else low - margin,
        scale.high if high <= scale.high else high + margin,
    )
