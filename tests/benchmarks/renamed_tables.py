"""Tidy tables of a study read from Parquet or CSV, with their names turned into those of another version."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.csv

SUFFIXES = (".parquet", ".parquet.gz", ".csv", ".csv.gz")

Rule = tuple[str, str, str, str]
"""Table, column, old and new."""


@dataclass(frozen=True)
class Renaming:
    """Rule that turns names of BEFORE into those of AFTER."""

    rules: tuple[Rule, ...] = ()
    walks: tuple[pd.DataFrame, ...] = ()

    def table(self, name: str) -> str:
        """The name of a table in AFTER."""
        return next((new for table, column, _, new in self.rules if table == name and not column), name)

    def columns(self, name: str) -> dict[str, str]:
        """New names of its columns, by old name; only those that change."""
        return {column: new for _, column, old, new in self._of(name) if column and not old}

    def applied(self, name: str, rows: pd.DataFrame) -> pd.DataFrame:
        """Rows of a table of BEFORE, named as in AFTER; all rules look at the names that were there at first."""
        found = rows.copy()
        for _, column, old, new in self._of(name):
            if column in rows and old:
                found.loc[rows[column] == old, column] = new
        columns = self.columns(name)
        found = found.rename(columns=columns)
        for walks in self.walks:
            _assign(found, rows, walks, name, columns)
        return found

    def _of(self, name: str) -> list[Rule]:
        return [rule for rule in self.rules if rule[0] in (name, "*")]


def _assign(found: pd.DataFrame, rows: pd.DataFrame, walks: pd.DataFrame, table: str, columns: dict[str, str]) -> None:
    """Give the rows that a file of --walks names their new values, in place."""
    old = [name for name in walks if name.startswith("before.")]
    new = [name for name in walks if name.startswith("after.")]
    if any(name.removeprefix("before.") not in rows for name in old):
        return
    for line in walks.to_dict("records"):
        if line.get("table", "") not in ("", "*", table):
            continue
        named = np.logical_and.reduce([(rows[name.removeprefix("before.")] == line[name]).to_numpy() for name in old])
        for name in new:
            column = name.removeprefix("after.")
            column = columns.get(column, column)
            if column not in found:
                found[column] = ""
            found.loc[named, column] = line[name]


def find_table(folder: Path, name: str) -> Path | None:
    """The file of a table in a study or its results; None if there is none.

    Raises:
        ValueError: several folders have one.
    """
    for place in (folder, folder / "data" / "results"):
        for suffix in SUFFIXES:
            if (place / f"{name}{suffix}").is_file():
                return place / f"{name}{suffix}"
    files = [path for suffix in SUFFIXES for path in sorted(folder.rglob(f"{name}{suffix}"))]
    if len({path.parent for path in files}) > 1:
        raise ValueError(f"several tables {name}: {', '.join(str(path) for path in files)}")
    return files[0] if files else None


def read_table(path: Path) -> pd.DataFrame:
    """A table with text as text, blank where it is missing, and numbers as floats."""
    if ".parquet" in path.name:
        rows = pd.read_parquet(io.BytesIO(gzip.decompress(path.read_bytes())) if path.suffix == ".gz" else path)
    else:
        whole = pyarrow.csv.ReadOptions(block_size=1 << 30)  # a column's type is that of its first block
        rows = pyarrow.csv.read_csv(path, whole).to_pandas()
    for name in rows:
        own = rows[name]
        if pd.api.types.is_bool_dtype(own) or not pd.api.types.is_numeric_dtype(own):
            rows[name] = own.astype(object).where(own.notna(), "").astype(str)
        else:
            rows[name] = own.astype(float)
    return rows


def read_rules(given: Iterable[str]) -> tuple[Rule, ...]:
    """Rules of --rename: files, or rules themselves.

    Raises:
        ValueError: one is neither.
    """
    rules: list[Rule] = []
    for one in given:
        if Path(one).is_file():
            rows = _read_tsv(Path(one))
            if list(rows) != ["table", "column", "old", "new"]:
                raise ValueError(f"{one}: the columns are to be table, column, old and new")
            rules += rows.itertuples(index=False, name=None)
            continue
        left, equals, new = one.rpartition("=")
        where, _, old = left.partition(":")
        table, _, column = where.partition(".")
        if not equals or not table or not new:
            raise ValueError(f"'{one}' is no file, and not of the form table.column:old=new")
        rules.append((table, column, old, new))
    return tuple(rules)


def read_walks(path: Path) -> pd.DataFrame:
    """A file of --walks.

    Raises:
        ValueError: it has no columns of BEFORE or of AFTER, or others.
    """
    rows = _read_tsv(path)
    whose = {name.partition(".")[0] for name in rows if name != "table"}
    if whose != {"before", "after"}:
        raise ValueError(f"{path}: the columns are to be before.NAME and after.NAME, and perhaps table")
    return rows


def _read_tsv(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
