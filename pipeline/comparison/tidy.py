"""A study as two tidy tables, one value a row: curves over the gait cycle, and scalars; as Parquet and as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from pipeline.comparison.body_measures import body_measures
from pipeline.comparison.body_variables import BODY_VARIABLES
from pipeline.comparison.cycles import PARAMETERS
from pipeline.comparison.variables import VARIABLES
from pipeline.trial import FullBody, GaitCycles, GaitSummary

_NAME = pa.dictionary(pa.int32(), pa.string())

_WHO = [("subject", _NAME), ("trial", _NAME), ("side", _NAME), ("kind", _NAME), ("cycle", pa.int32())]

CURVES = pa.schema([*_WHO, ("variable", _NAME), ("percent", pa.float64()), ("value", pa.float64()), ("unit", _NAME)])
"""Kind: "cycle" (numbered from 1 within the trial), "mean" and "sd" over a side's cycles, "norm mean" and "norm sd"
(without a side); "stance total", "stance ground" and so on are parts of a moment over percents of stance; "full body"
is a cycle on the whole skeleton, as the markers show it (`pipeline.comparison.body_variables`). A curve without any
value is left out; a missing value within one is null."""

SCALARS = pa.schema([*_WHO, ("parameter", _NAME), ("value", pa.float64()), ("unit", _NAME)])
"""Kind: "cycle", "mean" and "sd" as for curves, "symmetry", "profile" (of a variable), "score", "trial"; "full body",
"full body untouched" and "full body consistent" of a walk on the whole skeleton (`pipeline.comparison.body_measures`).
"""


@dataclass(frozen=True)
class _Item:
    """Values that share all columns but the value, and a curve's percent."""

    side: str
    kind: str
    cycle: int | None
    name: str
    values: np.ndarray
    unit: str


def write_tables(
    curves: Sequence[Path],
    scalars: Sequence[Path],
    trials: Iterable[tuple[GaitCycles, GaitSummary, FullBody | None]],
) -> None:
    """Write both tables, trial by trial.

    Args:
        curves, scalars: files for each: .parquet, .csv, or .csv.gz with the same digits in a sixth of the bytes.
        trials: in the order wanted; without the whole skeleton where there is none.
    """
    with ExitStack() as stack:
        writers = [
            [stack.enter_context(table_writer(path, schema)) for path in paths]
            for paths, schema in ((curves, CURVES), (scalars, SCALARS))
        ]
        for cycles, summary, body in trials:
            for table, files in zip(
                (curve_table(cycles, summary, body), scalar_table(cycles, summary, body)), writers, strict=True
            ):
                for file in files:
                    file.write_table(table)


def curve_table(cycles: GaitCycles, summary: GaitSummary, body: FullBody | None = None) -> pa.Table:
    """All curves of one trial; see `CURVES`."""
    items = [*_curves(cycles, summary), *(_body_curves(cycles, body) if body else ())]
    return _table([item for item in items if np.isfinite(item.values).any()], summary, CURVES)


def scalar_table(cycles: GaitCycles, summary: GaitSummary, body: FullBody | None = None) -> pa.Table:
    """All scalars of one trial that are known; see `SCALARS`."""
    items = [*_scalars(cycles, summary), *(_body_scalars(body) if body else ())]
    return _table([item for item in items if np.isfinite(item.values).all()], summary, SCALARS)


def _curves(cycles: GaitCycles, summary: GaitSummary) -> Iterator[_Item]:
    for number, cycle in enumerate(cycles.cycles, start=1):
        for name, variable in VARIABLES.items():
            yield _Item(cycle.cycle.side, "cycle", number, name, variable.of(cycle), variable.units)
    for k, side in enumerate(summary.side_names):
        for kind, values in (("mean", summary.mean), ("sd", summary.sd)):
            for row, (name, unit) in enumerate(zip(summary.variable_names, summary.variable_units, strict=True)):
                yield _Item(side, kind, None, name, values[k, row], unit)
    for name, parts in summary.contributions.items():
        for side, of_side in zip(summary.side_names, parts, strict=True):
            for part, values in zip(summary.part_names, of_side, strict=True):
                yield _Item(side, f"stance {part}", None, name, values, VARIABLES[name].units)
    for kind, values in (("norm mean", summary.norm_mean), ("norm sd", summary.norm_sd)):
        for row, (name, unit) in enumerate(zip(summary.variable_names, summary.variable_units, strict=True)):
            yield _Item("", kind, None, name, values[row], unit)


def _body_curves(cycles: GaitCycles, body: FullBody) -> Iterator[_Item]:
    for number, curves in enumerate(cycles.cycles, start=1):
        for name, variable in BODY_VARIABLES.items():
            values = variable.over(body, body.untouched, curves.cycle)
            yield _Item(curves.cycle.side, "full body", number, name, values, variable.units)


def _body_scalars(body: FullBody) -> Iterator[_Item]:
    for measure in body_measures(body):
        kind = f"full body {measure.motion}".strip()
        yield _Item(measure.side, kind, None, measure.name, np.array([measure.value]), measure.unit)


def _scalars(cycles: GaitCycles, summary: GaitSummary) -> Iterator[_Item]:
    def item(side: str, kind: str, cycle: int | None, name: str, value: float, unit: str) -> _Item:
        return _Item(side, kind, cycle, name, np.array([value]), unit)

    for number, cycle in enumerate(cycles.cycles, start=1):
        for name, (unit, _) in PARAMETERS.items():
            yield item(cycle.cycle.side, "cycle", number, name, cycle.parameters[name], unit)
    for k, side in enumerate(summary.side_names):
        for column, (name, unit) in enumerate(zip(summary.parameter_names, summary.parameter_units, strict=True)):
            yield item(side, "mean", None, name, summary.parameter_mean[k, column], unit)
            yield item(side, "sd", None, name, summary.parameter_sd[k, column], unit)
        for row, name in enumerate(summary.variable_names):
            yield item(side, "profile", None, name, summary.profile[k, row], "deg")
        yield item(side, "score", None, "gps", summary.gps[k], "deg")
    for column, name in enumerate(summary.parameter_names):
        yield item("", "symmetry", None, name, summary.symmetry[column], "%")
    yield item("", "score", None, "gps", summary.gps_overall, "deg")
    for name, value, unit in (
        ("walking_speed", summary.walking_speed, "m/s"),
        ("cadence", summary.cadence, "steps/min"),
        ("leg_length", summary.leg_length, "m"),
        ("dimensionless_speed", summary.speed, "1"),
        ("norm_speed", summary.norm_speed, "1"),
    ):
        yield item("", "trial", None, name, value, unit)


def _table(items: Sequence[_Item], summary: GaitSummary, schema: pa.Schema) -> pa.Table:
    lengths = np.array([len(item.values) for item in items], dtype=int)

    def names(of: Sequence[str]) -> pa.Array:
        known = list(dict.fromkeys(of))
        indices = np.repeat([known.index(name) for name in of], lengths).astype(np.int32)
        return pa.DictionaryArray.from_arrays(indices, pa.array(known, pa.string()))

    values = np.concatenate([item.values for item in items]) if items else np.empty(0)
    cycle = np.repeat([item.cycle or 0 for item in items], lengths).astype(np.int32)
    columns = {
        "subject": names([summary.subject] * len(items)),
        "trial": names([summary.name] * len(items)),
        "side": names([item.side for item in items]),
        "kind": names([item.kind for item in items]),
        "cycle": pa.array(cycle, mask=cycle == 0),
        "variable": names([item.name for item in items]),
        "parameter": names([item.name for item in items]),
        "percent": pa.array(np.tile(summary.percent, len(items))) if "percent" in schema.names else None,
        "value": pa.array(values, mask=np.isnan(values)),
        "unit": names([item.unit for item in items]),
    }
    return pa.table([columns[name] for name in schema.names], schema=schema)


class _CsvWriter(pyarrow.csv.CSVWriter):
    """A CSV file with names as plain text."""

    def write_table(self, table: pa.Table) -> None:
        super().write_table(table.cast(_plain(table.schema)))


def _plain(schema: pa.Schema) -> pa.Schema:
    kinds = [pa.string() if pa.types.is_dictionary(kind) else kind for kind in schema.types]
    return pa.schema(list(zip(schema.names, kinds, strict=True)))


@contextmanager
def table_writer(path: Path, schema: pa.Schema) -> Iterator[pyarrow.parquet.ParquetWriter | _CsvWriter]:
    """A file to which tables of a schema are written one after the other: Parquet, CSV or gzipped CSV by its suffix."""
    if path.suffix == ".parquet":
        with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as parquet:
            yield parquet
        return
    compression = "gzip" if path.suffix == ".gz" else None
    with pa.output_stream(path, compression=compression) as stream, _CsvWriter(stream, _plain(schema)) as csv:
        yield csv
