"""What a panel shows: curves, bands and marks in reported units over the gait cycle or over time, with its axes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.analysis import Variable


@dataclass(frozen=True)
class Curve:
    """Values (N,) at x (N,), drawn in a style of `styles`; NaN interrupts the line.

    The reader can ask for the values of a curve that has a label.
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
        title: what the curves are.
        units: as pages write them.
        positive, negative: what the signs mean; empty where there is nothing to say.
        low, high: the range usual in walking; a panel widens it to its values and never narrows it, so that pages
            compare.
        decimals: with which values are given.
    """

    title: str
    units: str
    positive: str
    negative: str
    low: float
    high: float
    decimals: int = 2

    @classmethod
    def of(cls, variable: Variable, title: str = "") -> YAxis:
        """That of a curve of the registry, under another title if one is given."""
        assert variable.axis, f"{variable.name} has no axis range"
        words = variable.positive, variable.negative
        return cls(title or variable.title, variable.display_units, *words, *variable.axis, variable.decimals)


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
    """What a panel shows around its curves: title, ticks and grid, words for both signs, zero line.

    Attributes:
        limits: values at the bottom and the top; None where no curve has a value.
        missing: the reason to show instead.
    """

    axis: YAxis
    across: XAxis
    limits: tuple[float, float] | None
    missing: str = ""


MARGIN = 0.03
"""Part of the usual range that is added beyond values outside it."""


@dataclass(frozen=True)
class Panel:
    """Curves with their axes; a panel without a value says why instead.

    Attributes:
        verticals: style and x of vertical lines, such as foot off; not drawn where x is NaN.
        spans: style, begin and end in x of regions behind everything.
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
        """Whether no curve has a value: bands alone are not worth a panel."""
        return not any(np.isfinite(curve.y).any() for curve in self.curves)

    @property
    def label(self) -> str:
        """Title with units, and why the panel is empty."""
        return ", ".join(filter(None, (self.axis.title, self.axis.units, self.missing if self.empty else "")))

    @cached_property
    def frame(self) -> Frame:
        """What is around the curves."""
        return Frame(self.axis, self.across, None if self.empty else self.limits, self.missing if self.empty else "")

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Values at the bottom and the top: the usual range, widened to everything drawn."""
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
