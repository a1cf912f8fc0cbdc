"""Numbers in the text tables of OpenSim and related programs (.trc, .mot, .sto), and the rate of their times."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence

import numpy as np

from pipeline.errors import AcquisitionError

EXPORT_AGAIN = "Export it again"

_MAX_UNEVEN = 0.2
"""Fraction of a sampling interval: largest deviation of a time from even spacing, apart from its rounding."""

_MIN_SAMPLES = 2


def text_lines(content: bytes, where: str) -> list[str]:
    """Lines of a text file, without a byte-order mark.

    Raises:
        AcquisitionError: the file is empty or not text.
    """
    if not content.strip():
        raise AcquisitionError("the file is empty", where=where, remedy=EXPORT_AGAIN)
    if b"\0" in content:
        raise AcquisitionError("the file is not text, so its extension is wrong", where=where)
    return decoded(content.removeprefix(BOM_UTF8)).splitlines()


def decoded(text: bytes) -> str:
    """A text in UTF-8 or, if it is not, in Windows-1252, in which different bytes give different characters.

    >>> decoded("µV".encode()), decoded("µV".encode("latin-1"))
    ('µV', 'µV')
    """
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("cp1252", errors="backslashreplace")


def printable(text: str) -> str:
    """A label without surrounding blanks, with unprintable characters replaced as in C3D labels."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text.strip())


def number(cell: str, where: str) -> float:
    """A cell as a number; NaN where it is blank, or holds "NaN" or "null".

    Raises:
        AcquisitionError: it holds something else.
    """
    text = cell.strip()
    if text.lower() in ("", "nan", "null", "-nan", "nan(ind)"):
        return np.nan
    try:
        value = float(text)
    except ValueError:
        remedy = f"{EXPORT_AGAIN}, with decimal points instead of commas" if "," in text else EXPORT_AGAIN
        raise AcquisitionError(f"holds {text[:30]!r}, not a number", where=where, remedy=remedy) from None
    return value if np.isfinite(value) else np.nan


def table(rows: Sequence[Sequence[str]], first_line: int, where: str) -> np.ndarray:
    """Rows of cells as numbers (T, n).

    Raises:
        AcquisitionError: a cell holds no number.
    """
    try:  # the whole table at once; only tables with blank cells need the slower way
        return np.array(rows, dtype=float)
    except ValueError:
        return np.array(
            [
                [number(cell, f"{where}, line {first_line + k}, column {c + 1}") for c, cell in enumerate(row)]
                for k, row in enumerate(rows)
            ]
        )


def even_rate(time: np.ndarray, where: str) -> float:
    """Samples per second of an evenly spaced time column (T,), s, whose values may be rounded.

    The rate is a whole number if one is within the rounding.

    Raises:
        AcquisitionError: fewer than two samples, or times that are missing, do not increase or are not evenly spaced.
    """
    if len(time) < _MIN_SAMPLES:
        raise AcquisitionError(f"holds {len(time)} samples, too few for a rate", where=where, remedy=EXPORT_AGAIN)
    bad = np.flatnonzero(~np.isfinite(time[:-1]) | ~(np.diff(time) > 0.0))
    if len(bad):
        problem = f"time goes from {time[bad[0]]:g} to {time[bad[0] + 1]:g} s in row {bad[0] + 2}, but must increase"
        raise AcquisitionError(problem, where=where, remedy=EXPORT_AGAIN)
    interval = (time[-1] - time[0]) / (len(time) - 1)
    off = np.abs(time - time[0] - interval * np.arange(len(time)))
    worst = int(off.argmax())
    if off[worst] > max(_MAX_UNEVEN * interval, _decimals(time)):
        problem = (
            f"time {time[worst]:g} s in row {worst + 1} is {1000.0 * off[worst]:.1f} ms off even spacing by "
            f"{1000.0 * interval:.2f} ms (limit {_MAX_UNEVEN:g} of that)"
        )
        raise AcquisitionError(problem, where=where, remedy="Export it resampled at one rate, without lost frames")
    whole = max(1, round(1.0 / interval))
    return (
        float(whole) if abs(len(time) - 1 - (time[-1] - time[0]) * whole) < _decimals(time) * whole else 1.0 / interval
    )


def _decimals(time: np.ndarray) -> float:
    """The decimal place, s, to which times are rounded; at least a microsecond."""
    return next((10.0**-n for n in range(6) if np.abs(time - np.round(time, n)).max() < 1e-9), 1e-6)
