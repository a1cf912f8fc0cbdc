"""Predicted against measured as two tidy tables, one value a row: measures of agreement, and the predicted curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.comparison.tidy import table_writer
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

_NAME = pa.dictionary(pa.int32(), pa.string())

AGREEMENT = pa.schema(
    [
        *((name, _NAME) for name in ("subject", "trial", "prediction", "side", "variable", "measure")),
        ("value", pa.float64()),
        ("unit", _NAME),
    ]
)
"""Parameters that both walks have stand without a side, and with the measures "predicted" and "measured"."""

CURVES = pa.schema(
    [
        *((name, _NAME) for name in ("subject", "trial", "prediction", "side", "variable")),
        ("percent", pa.float64()),
        ("value", pa.float64()),
        ("unit", _NAME),
    ]
)
"""Predicted curves over the gait cycle; the measured ones are the means of the study's own table of curves."""


def write_predicted_tables(
    agreement: Sequence[Path], curves: Sequence[Path], comparisons: Iterable[PredictedComparison]
) -> None:
    """Write both tables, comparison by comparison.

    Args:
        agreement, curves: files for each, Parquet or CSV by their suffix.
        comparisons: in the order wanted.
    """
    with ExitStack() as stack:
        writers = [
            [stack.enter_context(table_writer(path, schema)) for path in paths]
            for paths, schema in ((agreement, AGREEMENT), (curves, CURVES))
        ]
        for both in comparisons:
            for table, files in zip((agreement_table(both), curve_table(both)), writers, strict=True):
                for file in files:
                    file.write_table(table)


def agreement_table(both: PredictedComparison) -> pa.Table:
    """All measures that are known of a comparison; see `AGREEMENT`."""
    return _table(both, [row for row in _measures(both) if np.isfinite(row["value"])], AGREEMENT)


def curve_table(both: PredictedComparison) -> pa.Table:
    """The predicted curves of a comparison; see `CURVES`."""
    rows = [
        {"side": side, "variable": name, "percent": percent, "value": value, "unit": unit}
        for side, curves in zip(both.side_names, both.predicted, strict=True)
        for name, unit, values in zip(both.variable_names, both.variable_units, curves, strict=True)
        for percent, value in zip(both.percent, values, strict=True)
    ]
    return _table(both, rows, CURVES)


def _measures(both: PredictedComparison) -> Iterator[dict]:
    for p in both.parameters:
        for measure in ("predicted", "measured"):
            yield {"side": "", "variable": p.name, "measure": measure, "unit": p.unit, "value": getattr(p, measure)}
    for one in both.agreement:
        for measure, unit in MEASURES.items():
            what = {"side": one.side, "variable": one.variable, "measure": measure, "unit": unit or one.unit}
            yield {**what, "value": getattr(one, measure)}


def _table(both: PredictedComparison, rows: list[dict], schema: pa.Schema) -> pa.Table:
    who = {"subject": both.subject, "trial": both.walk, "prediction": both.name}
    return pa.Table.from_pylist([{**who, **row} for row in rows], schema=schema)
