"""Files of the tidy tables: written piece by piece, and read at first use.

A study of thousands of walks thus needs only the memory of one walk. A session has its own files, whose text has no
header. The files of the study are joined from them without parsing them.
"""

from __future__ import annotations

import gzip
import io
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from pipeline.errors import ResultsError
from pipeline.results.precision import to_bits, to_digits
from pipeline.results.tables.frames import COLUMNS, DTYPES
from pipeline.whole_files import written_whole

SUFFIXES = (".parquet", ".csv.gz", ".csv")

_ARROW = {"float64": pa.float64(), "Int32": pa.int32(), "bool": pa.bool_()}


def write_tables(
    paths: Sequence[Path],
    pieces: Iterable[Mapping[str, pd.DataFrame]],
    sessions: Iterable[Path] = (),
    *,
    header: bool = True,
) -> None:
    """Write tables to files, whole or not at all.

    The bytes depend only on the values.

    Args:
        paths: named after the tables, such as "study_curves.parquet"; .parquet, .csv, or .csv.gz with the same text.
        pieces: frames by the table's name, appended in their order.
        sessions: folders with files of the same names, written without a header, which come before the frames; a
            missing file adds no rows.
        header: whether text begins with the names of the columns.

    Raises:
        ResultsError: a Parquet file to join has other columns, since another version of the program wrote it. Text,
            which has no names of columns, would be joined as it is.
    """
    with written_whole(*paths) as beside, ExitStack() as stack:
        files = {
            path: stack.enter_context(_appending(own, _table_of(path), header))
            for path, own in zip(paths, beside, strict=True)
        }
        for session in sessions:
            for path, file in files.items():
                if (session / path.name).is_file():
                    file.join(session / path.name)
        for piece in pieces:
            for path, file in files.items():
                if (table := _table_of(path)) in piece:
                    file.append(piece[table])


def table_files(folder: Path) -> list[Path]:
    """All files that the tables of a study may have in a folder."""
    return [folder / f"{table}{suffix}" for table in COLUMNS for suffix in SUFFIXES]


def _table_of(path: Path) -> str:
    return path.name.partition(".")[0]


@dataclass(frozen=True)
class _File:
    """A file that grows by a frame or by a file of the same kind."""

    append: Callable[[pd.DataFrame], None]
    join: Callable[[Path], None]


@contextmanager
def _appending(path: Path, table: str, header: bool) -> Iterator[_File]:
    """Open a new file of a table; with a header, text begins with the names of the columns."""
    schema = _schema(table)
    names = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    with ExitStack() as stack:
        if path.suffix == ".parquet":
            curves = {"variable", "percent"} <= set(schema.names) or {"variable", "time"} <= set(schema.names)
            # bytes of equal significance are stored together, since measured values share their leading bytes
            packed = {"compression": "zstd", "use_dictionary": names, "use_byte_stream_split": _numbers(schema)}
            parquet = stack.enter_context(pyarrow.parquet.ParquetWriter(path, schema, **packed))
            yield _File(
                append=lambda rows: parquet.write_table(_table(rows, schema, to_bits if curves else np.asarray)),
                join=lambda other: parquet.write_table(_read_piece(other, schema)),
            )
            return
        stream = stack.enter_context(path.open("wb"))
        text = pa.schema([pa.field(f.name, pa.string() if f.name in names else f.type) for f in schema])
        packed_text = _packed if path.suffix == ".gz" else bytes

        def write(rows: pa.Table, titles: bool) -> None:
            lines = io.BytesIO()
            pyarrow.csv.write_csv(rows, lines, pyarrow.csv.WriteOptions(include_header=titles))
            stream.write(packed_text(lines.getbuffer()))

        def join(other: Path) -> None:
            with other.open("rb") as piece:
                shutil.copyfileobj(piece, stream)

        if header:
            write(text.empty_table(), True)
        yield _File(append=lambda rows: write(_table(rows, schema, to_digits).cast(text), False), join=join)


def _read_piece(path: Path, schema: pa.Schema) -> pa.Table:
    """A Parquet file to join. Raises ResultsError if its columns are not those of the schema."""
    if pyarrow.parquet.read_schema(path).names != schema.names:
        problem = "has other columns than the tables of this program: another version wrote it"
        raise ResultsError(problem, where=str(path), remedy="Compute its study again: gait run")
    return pyarrow.parquet.read_table(path, schema=schema)


def _packed(text: memoryview) -> bytes:
    """A member of a gzip file, which may have several. It has no name or time: the same values give the same bytes."""
    return gzip.compress(text, compresslevel=4, mtime=0)


def _table(rows: pd.DataFrame, schema: pa.Schema, precise: Callable[[np.ndarray], np.ndarray]) -> pa.Table:
    """Rows with the numbers rounded to the precision of the kind of file."""
    kept = rows.assign(**{name: precise(rows[name].to_numpy()) for name in _numbers(schema)})
    return pa.Table.from_pandas(kept, schema, preserve_index=False)


def _schema(table: str) -> pa.Schema:
    names = pa.dictionary(pa.int32(), pa.string())
    return pa.schema([(name, _ARROW.get(DTYPES.get(name, ""), names)) for name in COLUMNS[table]])


def _numbers(schema: pa.Schema) -> list[str]:
    return [field.name for field in schema if pa.types.is_floating(field.type)]


class StudyTables(Mapping[str, pd.DataFrame]):
    """The tables of a folder of results by name, each read at first use."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            table: path
            for table in COLUMNS
            for suffix in reversed(SUFFIXES)
            if (path := folder / f"{table}{suffix}").is_file()
        }
        self._frames: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        table = name if name in self._files else f"study_{name}"
        if table not in self._frames:
            self._frames[table] = _read(self._files[table])
        return self._frames[table]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def open_study(folder: str | Path) -> StudyTables:
    """The tidy tables of a study as pandas frames: ``open_study("my_study")["curves"]``.

    >>> import tempfile
    >>> import pipeline
    >>> legs_only = {"whole_body": {"enabled": False}}
    >>> walk = pipeline.analyse("data/demo/walk.c3d", "data/demo/static.c3d", mass=70, settings=legs_only)
    >>> with tempfile.TemporaryDirectory() as study:
    ...     pipeline.tables(walk)["curves"].to_csv(Path(study, "study_curves.csv"), index=False)
    ...     curves = pipeline.open_study(study)["curves"]
    >>> bool((curves.query("variable == 'knee_flexion'").groupby(["side", "cycle"], observed=True).size() == 101).all())
    True

    Args:
        folder: of the study, or of its results.

    Returns:
        Frames by the names of the files; "curves" is short for "study_curves".

    Raises:
        ResultsError: there are no tables in the folder.
    """
    folder = Path(folder)
    for place in (folder, folder / "data" / "results"):
        tables = StudyTables(place)
        if tables:
            return tables
    raise ResultsError("has no tables of a study", where=str(folder), remedy="Name the folder of a computed study")


def _read(path: Path) -> pd.DataFrame:
    if path.suffix == ".parquet":
        rows = pd.read_parquet(path)
    else:
        names = {column: str for column in COLUMNS[_table_of(path)] if column not in DTYPES}
        blank = {column: [""] for column in DTYPES}
        rows = pd.read_csv(path, dtype=names, na_values=blank, keep_default_na=False)
    return rows.astype({column: DTYPES.get(str(column), "category") for column in rows})
