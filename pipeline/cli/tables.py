"""Add rows to a study's tables, but none if the study would not be valid with them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from pipeline.cli.draft import table_of
from pipeline.config import HOME, load_study
from pipeline.config.files import filled_lines
from pipeline.config.problems import Problems
from pipeline.errors import ConfigError


@dataclass(frozen=True)
class Table:
    """A table of a study as in its file: its whole text, empty if there is none, its header, and its rows by column."""

    text: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]

    @classmethod
    def read(cls, path: Path) -> Table:
        """Read a table of a study that was checked; an empty table if there is no file."""
        text = path.read_bytes().decode("utf-8") if path.exists() else ""
        header, *rows = [cells for _, cells in filled_lines(text.removeprefix("\ufeff"), path.name, Problems())] or [[]]
        return cls(text, tuple(header), tuple(dict(zip_longest(header, cells, fillvalue="")) for cells in rows))

    def with_rows(self, rows: Sequence[Mapping[str, str]], order: Sequence[str]) -> str:
        """Its text with rows appended; columns that only these need are added, blank in the rows before."""
        lacking = [name for name in order if name not in self.columns and any(row.get(name) for row in rows)]
        if lacking:
            return table_of([*self.columns, *lacking], [*self.rows, *rows])
        ended = self.text if self.text.endswith("\n") else self.text + "\n"
        return ended + table_of(self.columns, rows, header=False)


def require_valid(study: Path, tables: Mapping[str, str], added: str, remedy: str) -> None:
    """Check that a study, in which nothing is changed, would be valid with other texts of files, by path in its folder.

    What they have in addition to those of the study, and the remedy, are for the message.

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
