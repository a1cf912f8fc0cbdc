"""The study's tidy tables as pandas frames: one value per row, names as categories, missing values as NaN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pipeline.analysis import PERCENT

_WHO = ("subject", "session", "condition", "trial")
_OF_WALK = (*_WHO, "side", "kind", "cycle")
_OF_COMPARISON = (
    *("subject", "comparison", "first_session", "first_condition", "first_side"),
    *("second_session", "second_condition", "second_side"),
)
_ESTIMATED = ("first_estimated", "second_estimated")
_OF_PREDICTION = (*_WHO, "prediction", "what_if", "side")

COLUMNS: dict[str, tuple[str, ...]] = {
    "study_curves": (*_OF_WALK, "variable", "percent", "value", "unit"),
    "study_scalars": (*_OF_WALK, "parameter", "value", "unit"),
    "study_features": (
        *(*_OF_WALK, "variable", "phase", "start", "end", "minimum", "minimum_percent", "maximum", "maximum_percent"),
        *("range", "mean", "unit"),
    ),
    "study_cycle_loads": (*_WHO, "side", "cycle", "loads", "reason"),
    "study_events": (*_WHO, "side", "event", "time", "plate", "source", "left_out"),
    "study_findings": (
        *(*_WHO, "grade", "about", "value", "limit", "unit", "angle_error", "moment_error", "finding", "source"),
    ),
    "study_times": (*_WHO, "kind", "variable", "time", "value", "unit"),
    "study_comparisons": (
        *(*_OF_COMPARISON, "kind", "parameter", "first", "second", "change", "half_width"),
        *("first_sd", "second_sd", *_ESTIMATED, "unit"),
    ),
    "study_comparison_curves": (
        *(*_OF_COMPARISON, "variable", "percent", "change", "half_width", "t", *_ESTIMATED, "unit"),
    ),
    "study_dictionary": ("table", "column", "name", "unit", "symbol", "meaning"),
    "predicted_vs_measured": (*_OF_PREDICTION, "variable", "measure", "value", "unit", "asked"),
    "predicted_curves": (*_OF_PREDICTION, "kind", "variable", "percent", "value", "unit"),
}
"""Columns of each table; `pipeline.results.tables.dictionary` defines their values.

Rows without a trial are for all walks of a session and condition, or several predictions, together. Cycles are
numbered from 1 in the trial. Times are in s from the first frame. Curves without any value and unknown scalars are
left out. ``asked`` is true if the prediction was requested for the trial; otherwise the trial is the subject's closest
walk. ``what_if`` is the case of a prediction in which body, ground or task differ from the subject's own.
"""

DTYPES = {
    **dict.fromkeys(("percent", "time", "value", "limit"), "float64"),
    **dict.fromkeys(("angle_error", "moment_error"), "float64"),
    **dict.fromkeys(("first", "second", "change", "half_width", "first_sd", "second_sd", "t"), "float64"),
    **dict.fromkeys(("start", "end", "minimum", "maximum", "range", "mean"), "float64"),
    **dict.fromkeys(("minimum_percent", "maximum_percent"), "float64"),
    **dict.fromkeys(("cycle", "plate", *_ESTIMATED), "Int32"),
    "asked": "bool",
}
"""Types of the columns that are not categories."""

ALONG = ("percent", "time", "value", "change", "half_width", "t")
"""Columns in which a row may have an array, which becomes that many rows."""

Row = Mapping[str, Any]
"""Values by column."""


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


def frame(table: str, rows: Iterable[Row], **same: Any) -> pd.DataFrame:
    """Make a table from its rows; a column that a row does not have is empty there.

    Args:
        table: its name in `COLUMNS`.
        rows: values by column: scalars, or arrays of one length in the columns `ALONG`.
        same: values that are the same in all rows, by column.
    """
    given = [{**same, **row} for row in rows]
    sizes = [max((np.size(row[name]) for name in ALONG if name in row), default=1) for row in given]
    counts = np.array(sizes, dtype=int)
    return pd.DataFrame({name: _column(name, [row.get(name) for row in given], counts) for name in COLUMNS[table]})


def _column(name: str, values: list[Any], counts: np.ndarray) -> Any:
    """A column from the value of each row, repeated ``counts`` times, or from the row's array of that length."""
    kind = DTYPES.get(name, "category")
    if kind == "float64":
        several = [k for k, value in enumerate(values) if isinstance(value, np.ndarray)]
        single = [np.nan if value is None or isinstance(value, np.ndarray) else value for value in values]
        column, ends = np.repeat(np.array(single, dtype=float), counts), np.cumsum(counts)
        for k in several:
            column[ends[k] - counts[k] : ends[k]] = values[k]
        return column
    if kind == "category":
        return pd.Categorical(["" if value is None else value for value in values]).repeat(counts)
    known = [pd.NA if value is None or value != value else value for value in values]
    return pd.array(known, dtype=kind).repeat(counts)
