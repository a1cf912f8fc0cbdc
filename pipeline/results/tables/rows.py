"""Rows of the tables of walks: a curve over percent, a scalar, a curve over time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis import PERCENT
from pipeline.results.tables.frames import Row


def curve(kind: str, name: str, values: np.ndarray, unit: str, side: str = "", cycle: int | None = None) -> Row:
    """Rows of a curve (101,) over percent of the cycle."""
    what = {"side": side, "kind": kind, "cycle": cycle, "variable": name, "unit": unit}
    return {**what, "percent": PERCENT, "value": values}


def scalar(kind: str, name: str, value: float, unit: str, side: str = "", cycle: int | None = None) -> Row:
    """A row of a scalar."""
    return {"side": side, "kind": kind, "cycle": cycle, "parameter": name, "value": value, "unit": unit}


def over_time(kind: str, name: str, time: np.ndarray, values: np.ndarray, unit: str) -> Iterator[Row]:
    """Rows of a curve over time (s), where it is known."""
    known = np.isfinite(values)
    if known.any():
        yield {"kind": kind, "variable": name, "time": time[known], "value": values[known], "unit": unit}
