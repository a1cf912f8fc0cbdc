"""Predicted against measured as a tidy table, one measure a row; as Parquet and as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from pipeline.trial import PredictedComparison

MEASURES = {
    "rmse": None,
    "offset": None,
    "rmse_shape": None,
    "nrmse": "1",
    "r": "1",
    "peak_predicted": None,
    "peak_measured": None,
    "timing": "% of cycle",
}
"""Measures of a curve by name, and their units; None for the curve's own."""

SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("subject", "trial", "prediction", "side", "variable", "measure")),
        ("value", pa.float64()),
        ("unit", pa.string()),
    ]
)
"""Parameters of both walks have no side, and the measures "predicted" and "measured"."""


def measure_table(comparisons: Iterable[PredictedComparison]) -> pa.Table:
    """All measures that are known of the comparisons."""
    rows = [row for both in comparisons for row in _rows(both) if np.isfinite(row["value"])]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _rows(both: PredictedComparison) -> Iterator[dict]:
    who = {"subject": both.subject, "trial": both.walk, "prediction": both.name}
    for p in both.parameters:
        for measure in ("predicted", "measured"):
            what = {"side": "", "variable": p.name, "measure": measure, "unit": p.unit}
            yield {**who, **what, "value": getattr(p, measure)}
    for one in both.agreement:
        for measure, unit in MEASURES.items():
            what = {"side": one.side, "variable": one.variable, "measure": measure, "unit": unit or one.unit}
            yield {**who, **what, "value": getattr(one, measure)}
