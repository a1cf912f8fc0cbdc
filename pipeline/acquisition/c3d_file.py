"""Content of a C3D file in its own units: parameters, points (NaN in gaps) and scaled analog signals.

After the C3D file format user guide (Motion Lab Systems), "The 3D point data section" and "The analog data section".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.acquisition.layout import Layout, read_layout
from pipeline.acquisition.parameter_section import ParameterSection, continued
from pipeline.trial import Note


@dataclass(frozen=True)
class C3DFile:
    """The content of a C3D file, in the file's own units and axes.

    Attributes:
        name: base name of the file, for messages.
        layout: checked layout.
        groups: parameter values by group and name in capitals: lists of texts, or arrays, first index fastest in file.
        spelling: each parameter's name as the file spells it, by group and name in capitals.
        points: (T, N, 3) in POINT:UNITS; NaN where a point was not seen.
        analog: (Ta, C) scaled by GEN_SCALE, SCALE and OFFSET.
        notes: what was corrected or assumed.
    """

    name: str
    layout: Layout
    groups: dict[str, dict[str, Any]]
    spelling: dict[tuple[str, str], str]
    points: np.ndarray
    analog: np.ndarray
    notes: tuple[Note, ...]

    @property
    def analog_rate(self) -> float:
        """Samples per second of each analog channel, Hz; 0 without analog data."""
        return self.layout.rate * self.layout.samples_per_frame

    def numbers(self, group: str, name: str) -> np.ndarray:
        """Values of a numeric parameter as floats in the file's shape; empty where absent or not numeric."""
        value = self.groups.get(group, {}).get(name)
        return np.asarray(value, dtype=float) if isinstance(value, np.ndarray) else np.zeros(0)

    def integer(self, group: str, name: str, default: int = 0) -> int:
        """First value of a numeric parameter, or the default."""
        values = self.numbers(group, name).ravel()
        return int(values[0]) if values.size and np.isfinite(values[0]) else default

    def texts(self, group: str, name: str) -> list[str]:
        """Entries of a text parameter without surrounding blanks, its continuations (LABELS2, ...) appended."""
        found: list[str] = []
        for key in continued(name, self.groups.get(group, {})):
            value = self.groups[group][key]
            if isinstance(value, list):
                found += value
        return found

    def text(self, group: str, name: str) -> str:
        """First entry of a text parameter, or an empty text."""
        return next(iter(self.texts(group, name)), "")

    def channel_names(self, channels: np.ndarray) -> list[str]:
        """Labels of some analog channels, by their positions from 0; their numbers where they have none."""
        labels = self.texts("ANALOG", "LABELS")
        return [labels[c] if c < len(labels) and labels[c] else f"number {c + 1}" for c in channels]


def read_c3d(file_name: str, content: bytes) -> C3DFile:
    """Read a C3D file whose bytes are ``content``.

    Raises:
        AcquisitionError: the file cannot be what it claims.
    """
    layout, parameters = read_layout(file_name, content)
    groups: dict[str, dict[str, Any]] = {}
    for group, name in parameters.entries:
        groups.setdefault(group, {})[name] = parameters.values(group, name)
    spelling = {key: entry.spelling for key, entry in parameters.entries.items()}
    unsigned = "UNSIGNED" in list(groups.get("ANALOG", {}).get("FORMAT", []))
    width = 4 * layout.points + layout.channels * layout.samples_per_frame
    count = layout.frames * width
    if layout.is_integer:
        words = parameters.format.integers(content, layout.start, count)
    else:
        words = parameters.format.reals(content, layout.start, count)
    words = words.reshape(layout.frames, width)
    points = _points(words[:, : 4 * layout.points].reshape(layout.frames, layout.points, 4), layout.scale)
    counts = words[:, 4 * layout.points :].reshape(layout.frames * layout.samples_per_frame, layout.channels)
    analog, notes = _analog(counts, parameters, unsigned)
    return C3DFile(file_name, layout, groups, spelling, points, analog, (*layout.notes, *notes))


def _points(words: np.ndarray, scale: float) -> np.ndarray:
    """Positions (T, N, 3) from x, y, z and the residual (T, N, 4); a negative residual marks a point not seen."""
    with np.errstate(invalid="ignore"):  # a damaged real number may be a signalling NaN
        points = words[..., :3].astype(float)
    if scale > 0.0:
        points *= scale
    points[(words[..., 3] < 0) | ~np.isfinite(points).all(axis=-1)] = np.nan
    return points


def _analog(counts: np.ndarray, parameters: ParameterSection, unsigned: bool) -> tuple[np.ndarray, list[Note]]:
    """Signals (Ta, C) = (counts - OFFSET) * SCALE * GEN_SCALE; without SCALE or OFFSET a channel keeps its counts.

    Counts and OFFSET are signed 16-bit integers unless ANALOG:FORMAT is UNSIGNED.
    """
    channels, notes = counts.shape[1], []
    if not channels:
        return np.zeros((0, 0)), []
    factors = {}
    for name, default in (("OFFSET", 0.0), ("SCALE", 1.0)):
        given = parameters.numbers("ANALOG", name)[:channels]
        factors[name] = np.concatenate([given, np.full(channels - len(given), default)])
        if len(given) < channels:
            text = (
                f"ANALOG:{name} has {len(given)} values for {channels} channels, so that the other channels are taken "
                f"with {default:g}: correct it in the recording software"
            )
            notes.append(Note("assumed", "analog", text))
    general = parameters.number("ANALOG", "GEN_SCALE", 1.0)
    with np.errstate(invalid="ignore", over="ignore"):  # damaged numbers; a plate that has them is left out
        values, offset = counts.astype(float), factors["OFFSET"]
        if unsigned:
            offset = offset % 65536.0
            values = values % 65536.0 if counts.dtype.kind == "i" else values
        return (values - offset) * factors["SCALE"] * general, notes
