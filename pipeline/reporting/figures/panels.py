"""Contents of a panel: curves, bands and marks in reported units over the gait cycle or over time, with its axes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.analysis import Variable


@dataclass(frozen=True)
class Curve:
    """Values (N,) at x (N,), drawn in a style of `styles`; NaN interrupts the line.

    Pages show the values of curves with a label under the pointer.
    """

    x: np.ndarray
    y: np.ndarray
    style: str
    label: str = ""


@dataclass(frozen=True)
class Band:
    """The region between two curves (N,) over x (N,), drawn behind all lines; NaN interrupts it."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    style: str
    label: str = ""


@dataclass(frozen=True)
class YAxis:
    """The vertical axis.

    Attributes:
        title: name of the quantity.
        units: as written on pages.
        low, high: usual range in walking. A panel widens it to its values but never narrows it, so that pages can be
            compared.
        decimals: of printed values.
        positive, negative: meaning of the signs; empty if not shown.
    """

    title: str
    units: str
    low: float
    high: float
    decimals: int = 2
    positive: str = ""
    negative: str = ""

    @classmethod
    def of(cls, variable: Variable, title: str = "") -> YAxis:
        """The axis of a curve of the registry, with another title if one is given."""
        assert variable.axis, f"{variable.name} has no axis range"
        words = variable.positive, variable.negative
        return cls(title or variable.title, variable.display_units, *variable.axis, variable.decimals, *words)


@dataclass(frozen=True)
class XAxis:
    """The horizontal axis: its ends and units."""

    first: float
    last: float
    units: str


CYCLE = XAxis(0.0, 100.0, "%")
"""The gait cycle, or a part of it such as stance."""


@dataclass(frozen=True)
class Frame:
    """The surroundings of a panel's curves: title, ticks and grid, words for both signs, zero line.

    Attributes:
        limits: values at the bottom and the top; None if no curve has a value.
        missing: the reason to show in that case.
    """

    axis: YAxis
    across: XAxis
    limits: tuple[float, float] | None
    missing: str = ""


MARGIN = 0.03
"""Margin beyond values outside the usual range, as a share of that range."""


@dataclass(frozen=True)
class Panel:
    """Curves with their axes; a panel without values shows the reason.

    Attributes:
        verticals: style and x of vertical lines, such as foot off; not drawn if x is NaN.
        spans: style, start and end in x of regions behind everything else.
        missing: the reason to show if no curve has a value.
    """

    axis: YAxis
    curves: tuple[Curve, ...]
    bands: tuple[Band, ...] = ()
    verticals: tuple[tuple[str, float], ...] = ()
    spans: tuple[tuple[str, float, float], ...] = ()
    across: XAxis = CYCLE
    missing: str = ""

    @cached_property
    def empty(self) -> bool:
        """Whether no curve has a value (bands do not count)."""
        return not any(np.isfinite(curve.y).any() for curve in self.curves)

    @property
    def label(self) -> str:
        """Title with units and, if the panel is empty, the reason."""
        return ", ".join(filter(None, (self.axis.title, self.axis.units, self.missing if self.empty else "")))

    @cached_property
    def frame(self) -> Frame:
        """The surroundings of the curves."""
        return Frame(self.axis, self.across, None if self.empty else self.limits, self.missing if self.empty else "")

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Values at the bottom and the top: the usual range, widened to include everything drawn."""
        drawn = [curve.y for curve in self.curves] + [edge for band in self.bands for edge in (band.low, band.high)]
        values = np.concatenate([y[np.isfinite(y)] for y in drawn])
        low, high = self.axis.low, self.axis.high
        margin = MARGIN * (high - low)
        return (
            low if values.min() >= low else float(values.min()) - margin,
            high if values.max() <= high else float(values.max()) + margin,
        )


@dataclass(frozen=True)
class Row:
    """Panels side by side under one heading."""

    heading: str
    panels: tuple[Panel, ...]
