"""Columns of an OpenSim storage file (.sto, .mot): their names, evenly spaced times and values.

Layout after OpenSim's documentation, "Storage (.sto) Files" and "Motion (.mot) Files": a header that ends with the line
"endheader" and may give nRows and nColumns (or SIMM's datarows and datacolumns), a line of column names, then the rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.text_tables import EXPORT_AGAIN, even_rate, number, printable, table, text_lines
from pipeline.errors import AcquisitionError

_COUNTS = {"nrows": "rows", "datarows": "rows", "ncolumns": "columns", "datacolumns": "columns"}


@dataclass(frozen=True)
class Storage:
    """The columns of a file.

    Attributes:
        rate: Hz.
        start: s, time of the first sample.
        columns: (T,) by name, without the time column; NaN where blank.
    """

    rate: float
    start: float
    columns: dict[str, np.ndarray]


def read_storage(name: str, content: bytes) -> Storage:
    """Read a storage file whose bytes are ``content``.

    Raises:
        AcquisitionError: it is not a storage file, was cut short, or its header and columns contradict each other.
    """
    lines = text_lines(content, name)
    end = next((k for k, line in enumerate(lines) if line.strip().lower() == "endheader"), None)
    if end is None:
        raise AcquisitionError("has no line 'endheader', so it is not a storage file of OpenSim", where=name)
    body = [(k + 1, line) for k, line in enumerate(lines) if k > end and line.strip()]
    if len(body) < 2:
        raise AcquisitionError("holds no row of data", where=name, remedy=EXPORT_AGAIN)
    names = [printable(cell) for cell in _cells(body[0][1])]
    if names[0].lower() != "time":
        raise AcquisitionError(f"its first column is {names[0]!r}, not time", where=name, remedy=EXPORT_AGAIN)
    twice = sorted({column for column in names if names.count(column) > 1})
    if twice:
        raise AcquisitionError(f"has columns twice: {', '.join(twice)}", where=name, remedy="Rename or remove them")
    rows = [_cells(line) for _, line in body[1:]]
    for (line_number, _), row in zip(body[1:], rows, strict=True):
        if len(row) != len(names):
            problem = f"line {line_number} has {len(row)} columns, but {len(names)} are named"
            raise AcquisitionError(problem, where=name, remedy=EXPORT_AGAIN)
    _check_counts(lines[:end], {"rows": len(rows), "columns": len(names)}, name)
    values = table(rows, body[1][0], name)
    return Storage(even_rate(values[:, 0], name), float(values[0, 0]), dict(zip(names[1:], values.T[1:], strict=True)))


def _cells(line: str) -> list[str]:
    """Cells separated by tabs, or by blanks if there is no tab."""
    return [cell.strip() for cell in line.rstrip("\t\r ").split("\t")] if "\t" in line.strip() else line.split()


def _check_counts(header: list[str], counts: dict[str, int], name: str) -> None:
    """Raise AcquisitionError if the header gives other numbers of rows or columns."""
    for line in header:
        found = re.fullmatch(r"\s*(\w+)\s*[=\s]\s*(\S+)\s*", line)
        what = _COUNTS.get(found[1].lower()) if found else None
        if found and what and number(found[2], f"{name}, {found[1]}") != counts[what]:
            problem = f"{found[1]} in the header is {found[2]}, but the file holds {counts[what]} {what}"
            remedy = f"{EXPORT_AGAIN} if it was cut short, or correct {found[1]}"
            raise AcquisitionError(problem, where=name, remedy=remedy)
