"""Content of a C3D file in its own units, read by ezc3d: parameters, points (NaN in gaps) and scaled analog signals.

ezc3d (Michaud and Begon 2021, JOSS 6, 2911) reads plain copies of what passed the checks of the layout.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.acquisition.layout import Layout, read_layout
from pipeline.acquisition.parameter_section import FileBytes, continued
from pipeline.acquisition.plain_copy import plain_copies
from pipeline.trial import Note


@dataclass(frozen=True)
class C3DFile:
    """The content of a C3D file, in the file's own units and axes.

    Attributes:
        name: base name of the file, for messages.
        layout: checked layout.
        groups: parameter values by group and name in capitals: lists of texts, or arrays with the first index fastest
            in the file; parameters that describe the storage of the data are those of the plain copy.
        spelling: each parameter's name as the file spells it, by group and name in capitals.
        points: (T, N, 3) in POINT:UNITS; NaN where a point was not seen.
        analog: (Ta, C) scaled by GEN_SCALE, SCALE and OFFSET.
        poses: (T, S, 4, 4) homogeneous matrices of S segments, the first of each frame, as stored.
        notes: what was corrected or assumed.
    """

    name: str
    layout: Layout
    groups: dict[str, dict[str, Any]]
    spelling: dict[tuple[str, str], str]
    points: np.ndarray
    analog: np.ndarray
    poses: np.ndarray
    notes: tuple[Note, ...]

    @property
    def analog_rate(self) -> float:
        """Samples per second of each analog channel, Hz; 0 without analog data."""
        return self.layout.rate * self.layout.samples_per_frame

    def numbers(self, group: str, name: str) -> np.ndarray:
        """Values of a numeric parameter as floats in the file's shape; empty if absent or not numeric."""
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
        """Labels of analog channels given by their indices from 0; the number of a channel without a label."""
        labels = self.texts("ANALOG", "LABELS")
        return [labels[c] if c < len(labels) and labels[c] else f"number {c + 1}" for c in channels]


def read_c3d(file_name: str, content: bytes) -> C3DFile:
    """Read a C3D file whose bytes are ``content``, with ezc3d.

    Raises:
        AcquisitionError: the file cannot be what it declares, or ezc3d refuses it.
    """
    layout, parameters = read_layout(file_name, content)
    copies, notes = plain_copies(layout, parameters)
    points = np.empty((layout.frames, layout.points, 3))
    analog = np.empty((layout.frames, layout.samples_per_frame, layout.channels))
    segments, every = (layout.poses.segments, layout.poses.samples_per_frame) if layout.poses else (0, 1)
    poses = np.empty((layout.frames, segments, 4, 4))
    found: dict[str, Any] = {}
    for frames, copy in copies:
        source = _read_by_library(copy, parameters.file)
        positions, signals = source["data"]["points"][:3].transpose(2, 1, 0), source["data"]["analogs"][0].T
        if positions.shape != points[frames].shape or signals.size != analog[frames].size:
            raise parameters.file.error(
                f"the C3D library reads points {positions.shape} and signals {signals.shape}, but "
                f"{points[frames].shape} and {analog[frames].shape} are stored"
            )
        points[frames], analog[frames] = positions, signals.reshape(analog[frames].shape)
        if segments:
            poses[frames] = source["data"]["rotations"][..., ::every].transpose(3, 2, 0, 1)
        found = source["parameters"]  # the same in all copies
    points[~np.isfinite(points).all(axis=-1)] = np.nan
    groups: dict[str, dict[str, Any]] = {group: {} for group, _ in parameters.entries}
    for group, name in parameters.entries:
        if name in found.get(group, {}):
            groups[group][name] = _plain(found[group][name])
    spelling = {key: entry.spelling for key, entry in parameters.entries.items()}
    analog = analog.reshape(-1, layout.channels) if layout.channels else np.zeros((0, 0))
    return C3DFile(file_name, layout, groups, spelling, points, analog, poses, (*layout.notes, *notes))


def _read_by_library(copy: bytes, file: FileBytes) -> Any:
    import ezc3d  # heavy, and only a stage that reads a C3D file needs it

    with tempfile.NamedTemporaryFile(suffix=".c3d") as temporary:
        temporary.write(copy)
        temporary.flush()
        try:
            return ezc3d.c3d(temporary.name)
        except (OSError, RuntimeError, ValueError, IndexError, TypeError, OverflowError) as error:
            raise file.error(f"the C3D library refuses it ({' '.join(str(error).split())})") from None


def _plain(parameter: dict[str, Any]) -> list[str] | np.ndarray:
    """Texts stripped of blanks, with unprintable characters replaced; or numbers as floats, bytes as unsigned."""
    value = parameter["value"]
    if isinstance(value, np.ndarray):
        return (value % 256 if parameter["type"] == 1 else value).astype(float)
    texts = [text.encode(errors="surrogateescape").decode(errors="replace").strip(" \0\t\r\n") for text in value]
    return ["".join(c if c.isprintable() else "\ufffd" for c in text) for text in texts]
