"""Tables that are collected piece by piece on disk, since those of hundreds of walks need gigabytes of memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet


class Pieces:
    """Pieces of tables, and the files joined from them.

    Pieces of one table may lack each other's columns; a lacking column is missing in all rows of its piece.
    """

    def __init__(self, folder: Path) -> None:
        """Keep the pieces in an existing empty folder."""
        self.folder, self._counts = folder, Counter[str]()

    def add(self, table: str, rows: pd.DataFrame) -> None:
        """Add rows to a table, after those that it has."""
        if not self._counts[table]:
            (self.folder / table).mkdir()
        words = rows.select_dtypes("category").columns  # categories of pieces differ
        rows.astype(dict.fromkeys(words, object)).to_parquet(
            self.folder / table / f"{self._counts[table]:06d}.parquet", index=False
        )
        self._counts[table] += 1

    def write(self, folder: Path) -> None:
        """Write each table as Parquet and as CSV, with columns in the order in which they occur first."""
        for table in self._counts:
            files = sorted((self.folder / table).iterdir())
            schemas = [pyarrow.parquet.read_schema(file).remove_metadata() for file in files]
            schema = pa.unify_schemas(schemas, promote_options="permissive")
            with (
                pyarrow.parquet.ParquetWriter(folder / f"{table}.parquet", schema) as parquet,
                (folder / f"{table}.csv").open("w", encoding="utf-8", newline="") as text,
            ):
                for number, file in enumerate(files):
                    parts = schema.empty_table(), pyarrow.parquet.read_table(file)
                    piece = pa.concat_tables(parts, promote_options="permissive")
                    parquet.write_table(piece)
                    piece.to_pandas().to_csv(text, index=False, header=not number, float_format="%.10g")
