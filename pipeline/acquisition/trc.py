"""Markers of a TRC file (Motion Analysis; OpenSim, Pose2Sim, OpenCap): labels, rate and positions in metres.

Layout after OpenSim's documentation, "Marker (.trc) Files": three header lines, two lines of column labels, then rows
of frame number, time and three coordinates for each marker. Header and columns must agree on what both state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.text_tables import EXPORT_AGAIN, even_rate, number, printable, table, text_lines
from pipeline.acquisition.units import metres
from pipeline.errors import AcquisitionError
from pipeline.trial import Note

_HEADER_LINES = 5
_MAX_FRAME = 2**31
"""A larger number of the first frame is damaged. A count from 0 is shifted to start at 1, as in C3D files."""

_MAX_RATE_ERROR = 0.02
"""Relative difference allowed between the rates of header and time column: programs round 59.94 to 60 and 0.01667 to
0.017."""


@dataclass(frozen=True)
class MarkerTable:
    """The markers of a file.

    Attributes:
        labels: N labels, as in the file.
        rate: Hz.
        first_frame: number of the first frame.
        start: s, time of the first frame.
        positions_L: (T, N, 3) m, in the laboratory's axes; NaN where blank.
        notes: what the header got wrong.
    """

    labels: tuple[str, ...]
    rate: float
    first_frame: int
    start: float
    positions_L: np.ndarray
    notes: tuple[Note, ...]


def read_trc(name: str, content: bytes) -> MarkerTable:
    """Read a TRC file whose bytes are ``content``.

    Raises:
        AcquisitionError: it is not a TRC file, was cut short, or its header and columns contradict each other.
    """
    numbered = [(k, line) for k, line in enumerate(text_lines(content, name), start=1) if line.strip()]
    lines = [line for _, line in numbered[:_HEADER_LINES]]
    if not lines[0].strip().startswith("PathFileType") or len(lines) < _HEADER_LINES:
        raise AcquisitionError(
            "is not a TRC file, which begins with 'PathFileType' and has five header lines", where=name
        )
    header = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    absent = [key for key in ("DataRate", "NumFrames", "NumMarkers", "Units") if key not in header]
    if absent:
        raise AcquisitionError(f"its header lacks {', '.join(absent)}", where=name, remedy=EXPORT_AGAIN)
    labels = tuple(_labels(lines[3]))
    columns = 2 + 3 * len(labels)
    coordinates = len(lines[4].split())
    if coordinates != 3 * len(labels):
        problem = f"line 5 names {coordinates} columns of coordinates, but the {len(labels)} labels need {columns - 2}"
        raise AcquisitionError(problem, where=name, remedy="Export it again with three columns for each label")
    rows, first_line = _rows(numbered[_HEADER_LINES:], columns, name)
    values = table(rows, first_line, name)
    notes = _counts_notes(header, labels, len(values), name)
    rate, rate_notes = _rate(header, values[:, 1], name)
    frame = values[0, 0]
    return MarkerTable(
        labels,
        rate,
        int(frame) if 1 <= frame <= _MAX_FRAME else 1,
        float(values[0, 1]),
        values[:, 2:].reshape(len(values), len(labels), 3) * metres(header["Units"], where=name, key="Units"),
        (*notes, *rate_notes),
    )


def _labels(line: str) -> list[str]:
    """Marker labels from the line of column labels; each is above the first of its three columns."""
    cells = line.split("\t") if "\t" in line else line.split()
    return [label for label in map(printable, cells[2:]) if label]


def _rows(lines: list[tuple[int, str]], columns: int, name: str) -> tuple[list[list[str]], int]:
    """Cells of the data rows, and the line number of the first row; blank cells at a row's end may be absent."""
    rows, first = [], 0
    for number_, line in lines:
        cells = line.split("\t") if "\t" in line else line.split()
        while len(cells) > columns and not cells[-1].strip():
            cells.pop()
        if len(cells) > columns or len(cells) < 2 or ((len(cells) - 2) % 3 and cells[-1].strip()):
            problem = (
                f"line {number_} has {len(cells)} columns, but frame, time and the {(columns - 2) // 3} labelled "
                f"markers need {columns}"
            )
            raise AcquisitionError(problem, where=name, remedy="Export it again with three columns for each label")
        first = first or number_
        rows.append(cells + [""] * (columns - len(cells)))
    if not rows:
        raise AcquisitionError("holds no frame", where=name, remedy=EXPORT_AGAIN)
    return rows, first


def _counts_notes(header: dict[str, str], labels: tuple[str, ...], frames: int, name: str) -> list[Note]:
    """Warnings on counts in the header that differ from the data.

    Raises:
        AcquisitionError: there are fewer frames than the header says.
    """
    said = number(header["NumFrames"], f"{name}, NumFrames")
    if frames < said:
        problem = f"holds {frames} of the {said:g} frames given in its header, so it was cut short"
        raise AcquisitionError(problem, where=name, remedy=f"{EXPORT_AGAIN}, or correct NumFrames")
    notes = []
    for key, count in (("NumFrames", frames), ("NumMarkers", len(labels))):
        if number(header[key], f"{name}, {key}") != count:
            text = f"{key} in the header is {header[key]}, but the file holds {count}, which are used: correct it"
            notes.append(Note("warning", "header", text))
    return notes


def _rate(header: dict[str, str], time: np.ndarray, name: str) -> tuple[float, list[Note]]:
    """Frames per second from the header, which is exact if the times are rounded; otherwise from the times.

    Raises:
        AcquisitionError: the two contradict each other.
    """
    said, shown = number(header["DataRate"], f"{name}, DataRate"), even_rate(time, name)
    if abs(said - shown) <= _MAX_RATE_ERROR * shown:
        exact = abs(said - shown) * (len(time) - 1) < 0.5 * shown
        return (said if exact else shown), []
    problem = (
        f"DataRate in the header is {said:g} Hz, but the times are {1000.0 / shown:.2f} ms apart, which makes "
        f"{shown:.4g} Hz (limit {100 * _MAX_RATE_ERROR:g} %)"
    )
    raise AcquisitionError(problem, where=name, remedy="Correct DataRate or the times: velocities depend on them")
