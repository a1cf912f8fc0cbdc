"""A study as tidy tables, one value a row: curves over the gait cycle, scalars, events, and what the whole skeleton
does over time; as Parquet and as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from pipeline.analysis.cycles import PERCENT
from pipeline.analysis.statistical_mapping import mapped_scalars
from pipeline.analysis.variables import CYCLE_VARIABLES, PARAMETERS, SKELETON_VARIABLES, VARIABLES
from pipeline.analysis.whole_body.measures import body_measures
from pipeline.analysis.whole_body.method_comparison import SAGITTAL_MOMENTS, stance_moments
from pipeline.results.tables.events import EVENTS, event_table
from pipeline.results.tables.subject import subject_values
from pipeline.results.tables.times import TIMES, time_table
from pipeline.results.tables.whole_body_details import body_details
from pipeline.trial import GaitCycles, GaitSummary, InverseDynamics, WalkOnPlates, WholeBody

_NAME = pa.dictionary(pa.int32(), pa.string())

_WHO = [("subject", _NAME), ("trial", _NAME), ("side", _NAME), ("kind", _NAME), ("cycle", pa.int32())]

CURVES = pa.schema([*_WHO, ("variable", _NAME), ("percent", pa.float64()), ("value", pa.float64()), ("unit", _NAME)])
"""Kind: "cycle" (numbered from 1 within the trial), "mean" and "sd" over a side's cycles, "norm mean" and "norm sd"
(without a side); "stance total", "stance ground" and so on are parts of a moment over percents of stance; "full body"
is a cycle on the whole skeleton, as the markers show it (`pipeline.analysis.variables`),
"full body consistent"
of its other motion; "stance matrix form", "stance skeleton" and "stance skeleton consistent" are the legs' sagittal
moments by both ways. Rows without a trial
are of all walks of the subject together; there "left against right t" is Student's t of the sides' cycles. A curve
without any value is left out; a missing value within one is null."""

SCALARS = pa.schema([*_WHO, ("parameter", _NAME), ("value", pa.float64()), ("unit", _NAME)])
"""Kind: "cycle" (also its times in s from the first frame, and the plate of its stance), "mean" and "sd" as for curves,
"symmetry", "profile" (of a variable), "score", both also as
usual in the norm's sample ("norm profile", "norm score"), "trial"; "full body",
"full body untouched" and "full body consistent" of a walk on the whole skeleton
(`pipeline.analysis.whole_body.measures`),
and kinds of each of its markers, segments, joints and coordinates (`pipeline.results.tables.whole_body_details`);
"subject",
"segment mass" and "segment length" (`pipeline.results.tables.subject`).
Rows without a trial are of all walks of the subject together, "left against right" the threshold, degrees of freedom,
curves and clusters of their t."""

COMPARED = "left against right"


@dataclass(frozen=True)
class _Item:
    """Values that share all columns but the value, and a curve's percent."""

    side: str
    kind: str
    cycle: int | None
    name: str
    values: np.ndarray
    unit: str


TABLES = {"curves": CURVES, "scalars": SCALARS, "events": EVENTS, "times": TIMES}
"""The tables of a study by name."""


@dataclass(frozen=True)
class OnSkeleton:
    """A walk on the whole skeleton, with its loads in matrix form."""

    body: WholeBody
    loads: InverseDynamics


@dataclass(frozen=True)
class TidyWalk:
    """What the tables tell of a walk; without the whole skeleton where there is none."""

    plates: WalkOnPlates
    cycles: GaitCycles
    summary: GaitSummary
    whole: OnSkeleton | None


def write_tables(
    files: Mapping[str, Sequence[Path]],
    walks: Iterable[TidyWalk],
    subjects: Iterable[GaitSummary] = (),
) -> None:
    """Write tables, walk by walk, then subject by subject.

    Args:
        files: by the name of a table in `TABLES`: .parquet, .csv, or .csv.gz with the same digits in a sixth of the
            bytes.
        walks: in the order wanted.
        subjects: of all their walks.
    """
    with ExitStack() as stack:
        writers = {
            name: [stack.enter_context(table_writer(path, TABLES[name])) for path in paths]
            for name, paths in files.items()
        }
        for tables in chain(map(_walk_tables, walks), map(_subject_tables, subjects)):
            for name, file in ((name, file) for name, own in writers.items() for file in own):
                if name in tables:
                    file.write_table(tables[name])


def _walk_tables(walk: TidyWalk) -> dict[str, pa.Table]:
    tables = {"curves": curve_table(walk), "scalars": scalar_table(walk), "events": event_table(walk.plates)}
    return tables | ({"times": time_table(walk.whole.body)} if walk.whole else {})


def _subject_tables(summary: GaitSummary) -> dict[str, pa.Table]:
    """Of all walks of a subject together."""
    curves = [*_summary_curves(summary), *_compared_curves(summary)]
    scalars = [*_summary_scalars(summary), *_compared_scalars(summary)]
    return {"curves": _curve_table(curves, summary.subject), "scalars": _scalar_table(scalars, summary.subject)}


def curve_table(walk: TidyWalk) -> pa.Table:
    """All curves of one walk; see `CURVES`."""
    of_body = _body_curves(walk.cycles, walk.plates, walk.whole) if walk.whole else ()
    items = [*_cycle_curves(walk.cycles), *_summary_curves(walk.summary), *of_body]
    return _curve_table(items, walk.summary.subject, walk.summary.name)


def scalar_table(walk: TidyWalk) -> pa.Table:
    """All scalars of one walk that are known; see `SCALARS`."""
    items = [*_cycle_scalars(walk.cycles), *_summary_scalars(walk.summary)]
    known = subject_values(walk.plates.calibration)
    items += [_scalar("", kind, None, name, value, unit) for kind, name, value, unit in known]
    items += _body_scalars(walk.whole.body) if walk.whole else ()
    return _scalar_table(items, walk.summary.subject, walk.summary.name)


def _curve_table(items: Sequence[_Item], subject: str, trial: str = "") -> pa.Table:
    return _table([item for item in items if np.isfinite(item.values).any()], subject, trial, CURVES)


def _scalar_table(items: Sequence[_Item], subject: str, trial: str = "") -> pa.Table:
    return _table([item for item in items if np.isfinite(item.values).all()], subject, trial, SCALARS)


def _cycle_curves(cycles: GaitCycles) -> Iterator[_Item]:
    for number, cycle in enumerate(cycles.cycles, start=1):
        for name, variable in CYCLE_VARIABLES.items():
            yield _Item(cycle.cycle.side, "cycle", number, name, variable.of(cycle), variable.units)


def _summary_curves(summary: GaitSummary) -> Iterator[_Item]:
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


def _compared_curves(summary: GaitSummary) -> Iterator[_Item]:
    for name, found in summary.sides_compared.items():
        yield _Item("", f"{COMPARED} t", None, name, found.t, "1")


def _compared_scalars(summary: GaitSummary) -> Iterator[_Item]:
    for name, found in summary.sides_compared.items():
        for what, value, unit in mapped_scalars(found):
            yield _scalar("", COMPARED, None, f"{name} {what}", value, unit)


def _body_curves(cycles: GaitCycles, plates: WalkOnPlates, whole: OnSkeleton) -> Iterator[_Item]:
    body = whole.body
    for (side, joint), ways in stance_moments(body, plates, whole.loads).items():
        for way, values in ways.items():
            yield _Item(side, f"stance {way}", None, SAGITTAL_MOMENTS[joint], values, "Nm/kg")
    for number, curves in enumerate(cycles.cycles, start=1):
        for name, variable in SKELETON_VARIABLES.items():
            for kind, motion in (("full body", body.kinematic), ("full body consistent", body.residual_reduced)):
                if motion:
                    values = variable.on_skeleton(body, motion, curves.cycle)
                    yield _Item(curves.cycle.side, kind, number, name, values, variable.units)


def _body_scalars(body: WholeBody) -> Iterator[_Item]:
    for measure in body_measures(body):
        kind = f"full body {measure.motion}".strip()
        yield _scalar(measure.side, kind, None, measure.name, measure.value, measure.unit)
    for kind, name, value, unit in body_details(body):
        yield _scalar("", kind, None, name, value, unit)


def _scalar(side: str, kind: str, cycle: int | None, name: str, value: float, unit: str) -> _Item:
    return _Item(side, kind, cycle, name, np.array([value]), unit)


def _cycle_scalars(cycles: GaitCycles) -> Iterator[_Item]:
    for number, cycle in enumerate(cycles.cycles, start=1):
        for name, parameter in PARAMETERS.items():
            yield _scalar(cycle.cycle.side, "cycle", number, name, cycle.parameters[name], parameter.units)
        own = cycle.cycle
        for name in ("initial_contact", "foot_off", "next_initial_contact"):
            yield _scalar(own.side, "cycle", number, name, getattr(own, name), "s")
        for name in ("opposite_foot_off", "opposite_initial_contact"):
            yield _scalar(own.side, "cycle", number, name, getattr(own, name), "s")
        yield _scalar(cycle.cycle.side, "cycle", number, "plate", cycle.cycle.plate or np.nan, "1")


def _summary_scalars(summary: GaitSummary) -> Iterator[_Item]:
    for k, side in enumerate(summary.side_names):
        for column, (name, unit) in enumerate(zip(summary.parameter_names, summary.parameter_units, strict=True)):
            yield _scalar(side, "mean", None, name, summary.parameter_mean[k, column], unit)
            yield _scalar(side, "sd", None, name, summary.parameter_sd[k, column], unit)
        for row, name in enumerate(summary.variable_names):
            yield _scalar(side, "profile", None, name, summary.profile[k, row], "deg")
        yield _scalar(side, "score", None, "gps", summary.gps[k], "deg")
    for column, name in enumerate(summary.parameter_names):
        yield _scalar("", "symmetry", None, name, summary.symmetry[column], "%")
    yield _scalar("", "score", None, "gps", summary.gps_overall, "deg")
    for row, name in enumerate(summary.variable_names):
        yield _scalar("", "norm profile", None, name, summary.norm_profile[row], "deg")
    yield _scalar("", "norm score", None, "gps", summary.norm_gps, "deg")
    for name, value, unit in (
        ("walking_speed", summary.walking_speed, "m/s"),
        ("cadence", summary.cadence, "steps/min"),
        ("leg_length", summary.leg_length, "m"),
        ("dimensionless_speed", summary.speed, "1"),
        ("norm_speed", summary.norm_speed, "1"),
    ):
        yield _scalar("", "trial", None, name, value, unit)


def _table(items: Sequence[_Item], subject: str, trial: str, schema: pa.Schema) -> pa.Table:
    lengths = np.array([len(item.values) for item in items], dtype=int)

    def names(of: Sequence[str]) -> pa.Array:
        known = list(dict.fromkeys(of))
        indices = np.repeat([known.index(name) for name in of], lengths).astype(np.int32)
        return pa.DictionaryArray.from_arrays(indices, pa.array(known, pa.string()))

    values = np.concatenate([item.values for item in items]) if items else np.empty(0)
    cycle = np.repeat([item.cycle or 0 for item in items], lengths).astype(np.int32)
    columns = {
        "subject": names([subject] * len(items)),
        "trial": names([trial] * len(items)),
        "side": names([item.side for item in items]),
        "kind": names([item.kind for item in items]),
        "cycle": pa.array(cycle, mask=cycle == 0),
        "variable": names([item.name for item in items]),
        "parameter": names([item.name for item in items]),
        "percent": pa.array(np.tile(PERCENT, len(items))) if "percent" in schema.names else None,
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
