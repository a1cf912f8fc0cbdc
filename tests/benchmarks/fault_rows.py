"""Rows of the table of faults, kept in a file so that a stopped run can continue, and the tables of docs/faults.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

Key = tuple[str, str, float]
"""Walk, fault and magnitude."""


@dataclass(frozen=True)
class Row:
    """Outcome of a fault, errors (degrees, Nm/kg), and findings that the clean walk does not have."""

    trial: str
    fault: str
    scale: float
    kind: str
    knee_flexion: float
    knee_moment: float
    angles: float
    moments: float
    on_skeleton: float
    said: tuple[str, ...]

    @property
    def key(self) -> Key:
        return self.trial, self.fault, self.scale

    def line(self, count: int) -> str:
        """A line of the printed table with the first ``count`` findings."""
        errors = f"{self.knee_flexion:9.1f}{self.knee_moment:11.2f}{self.angles:8.1f}{self.moments:8.2f}"
        start = f"{self.trial:10} {self.fault:38}{self.scale:>6g}  {self.kind:8}{errors}{self.on_skeleton:9.2f}"
        told = self.said[:count] or ("",)
        return "\n".join([f"{start}  {told[0]}", *(f"{'':112}{text}" for text in told[1:])])

    @property
    def cell(self) -> str:
        """The row in a table of the documentation."""
        if self.kind in ("right", "refused"):
            return self.kind
        silent = self.kind == "SILENT"
        moment = self.moments if silent else self.knee_moment
        lost = [value == float("inf") for value in (self.knee_flexion, moment)]
        flexion = "lost" if lost[0] else f"{self.knee_flexion:.1f}°"
        return f"{'**silent**' if silent else self.kind} ({flexion}, {'lost' if lost[1] else f'{moment:.2f} Nm/kg'})"


def stored_rows(path: Path | None) -> dict[Key, Row]:
    """Rows of a file that an earlier run wrote; none without such a file."""
    if path is None or not path.is_file():
        return {}
    entries = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    rows = (Row(**{**entry, "said": tuple(entry["said"])}) for entry in entries)
    return {row.key: row for row in rows}


def store_row(path: Path | None, row: Row) -> None:
    """Add a row to the file."""
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row)) + "\n")


def markdown(rows: Iterable[Row], trials: Sequence[str]) -> Iterator[str]:
    """Tables of docs/faults.md: the given sizes with their errors, then the outcomes at all sizes."""
    by_key = {row.key: row for row in rows}
    faults = list(dict.fromkeys(fault for _, fault, _ in by_key))
    scales = sorted({scale for _, _, scale in by_key})
    yield from _header(["fault", *trials])
    for fault in faults:
        found = [by_key.get((trial, fault, 1.0)) for trial in trials]
        yield from _line([fault, *(row.cell if row else "" for row in found)])
    if len(scales) > 1:
        yield ""
        yield from _header(["fault", *(f"{trial}, times {scale:g}" for trial in trials for scale in scales)])
        for fault in faults:
            several = [by_key.get((trial, fault, scale)) for trial in trials for scale in scales]
            yield from _line([fault, *(_short(row) for row in several)])


def _short(row: Row | None) -> str:
    if row is None:
        return ""
    return f"**silent** {row.angles:.0f}°, {row.moments:.2f}" if row.kind == "SILENT" else row.kind


def _header(cells: Sequence[str]) -> Iterator[str]:
    yield from _line(cells)
    yield f"|{'---|' * len(cells)}"


def _line(cells: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(cells)} |"
