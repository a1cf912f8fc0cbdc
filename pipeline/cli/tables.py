"""Rows added to a study's tables: none, where the study would not be valid with them."""

from __future__ import annotations

import csv
import io
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.cli.draft import table_of
from pipeline.config import HOME, load_study
from pipeline.errors import ConfigError


@dataclass(frozen=True)
class Table:
    """A table of a study as it is written.

    Attributes:
        text: the whole file; empty where there is none.
        columns: its header.
        rows: by column.
    """

    text: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]

    @classmethod
    def read(cls, path: Path) -> Table:
        """A table of a study that was checked."""
        text = path.read_bytes().decode("utf-8") if path.exists() else ""
        reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter="\t")
        rows = tuple({key: value or "" for key, value in row.items() if key} for row in reader)
        return cls(text, tuple(reader.fieldnames or ()), rows)

    def with_rows(self, rows: Sequence[Mapping[str, str]], order: Sequence[str]) -> str:
        """Its text with rows below; columns that these need and it lacks are added, blank above."""
        lacking = [name for name in order if name not in self.columns and any(row.get(name) for row in rows)]
        if lacking:
            return table_of([*self.columns, *lacking], [*self.rows, *rows])
        ended = self.text if self.text.endswith("\n") else self.text + "\n"
        return ended + table_of(self.columns, rows, header=False)


def require_valid(study: Path, tables: Mapping[str, str], added: str, remedy: str) -> None:
    """Check a study with other tables.

    Args:
        study: its folder, in which nothing is changed.
        tables: texts by path in that folder.
        added: what the tables have beside those of the study, for the message.
        remedy: what to do.

    Raises:
        ConfigError: the study would not be valid.
    """
    with tempfile.TemporaryDirectory() as folder:
        tried = Path(folder) / "study"
        shutil.copytree(study / "config", tried / "config")
        for name, text in tables.items():
            (tried / name).write_text(text, encoding="utf-8")
        try:
            load_study(tried, HOME)
        except ConfigError as error:
            raise ConfigError(f"with {added} {error.problem}", where=str(study), remedy=remedy) from error
