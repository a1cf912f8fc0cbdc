"""Content of a C3D file, read by ezc3d after a check of its bytes: parameters, points (NaN in gaps), analog signals."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.acquisition.layout import Layout, check_layout
from pipeline.acquisition.parameter_section import BLOCK, EXPORT_AGAIN
from pipeline.errors import AcquisitionError


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
    """

    name: str
    layout: Layout
    groups: dict[str, dict[str, Any]]
    spelling: dict[tuple[str, str], str]
    points: np.ndarray
    analog: np.ndarray

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
        for key in _continued(name, self.groups.get(group, {})):
            value = self.groups[group][key]
            if isinstance(value, list):
                found += [entry.strip(" \0\t\r\n") for entry in value]
        return found

    def text(self, group: str, name: str) -> str:
        """First entry of a text parameter, or an empty text."""
        return next(iter(self.texts(group, name)), "")

    def channel_names(self, channels: np.ndarray) -> list[str]:
        """Labels of some analog channels, by their positions from 0; their numbers where they have none."""
        labels = self.texts("ANALOG", "LABELS")
        return [labels[c] if c < len(labels) and labels[c] else f"number {c + 1}" for c in channels]


def _continued(name: str, group: dict[str, Any]) -> Iterator[str]:
    """A list parameter holds at most 255 entries; further ones are in NAME2, NAME3, ..."""
    suffix = 1
    while (key := name if suffix == 1 else f"{name}{suffix}") in group:
        yield key
        suffix += 1


def read_c3d(path: Path, content: bytes) -> C3DFile:
    """Read a C3D file whose bytes are ``content``.

    Raises:
        AcquisitionError: the file cannot be what it claims, or the C3D library refuses it.
    """
    layout = check_layout(path.name, content)
    source = _load(path, content, layout)
    groups = {
        group.upper(): {name.upper(): entry["value"] for name, entry in members.items() if name != "__METADATA__"}
        for group, members in source["parameters"].items()
    }
    spelling = {
        (group.upper(), name.upper()): name for group, members in source["parameters"].items() for name in members
    }
    points, analog = _points(path.name, source, layout), _analog(path.name, source, layout)
    return C3DFile(path.name, layout, groups, spelling, points, analog)


def _load(path: Path, content: bytes, layout: Layout) -> Any:
    import ezc3d  # heavy, and only a step that reads a C3D file needs it

    try:
        if layout.channels and ("ANALOG", "RATE") not in layout.names:
            with tempfile.TemporaryDirectory() as folder:
                completed = Path(folder) / "completed.c3d"
                completed.write_bytes(_with_analog_rate(path.name, content, layout))
                return ezc3d.c3d(str(completed))
        return ezc3d.c3d(str(path))
    except (OSError, RuntimeError, ValueError, IndexError, TypeError, OverflowError, MemoryError) as error:
        reason = " ".join(str(error).split())
        raise AcquisitionError(f"the C3D library refuses it ({reason})", where=path.name, remedy=EXPORT_AGAIN) from None


def _with_analog_rate(file_name: str, content: bytes, layout: Layout) -> bytes:
    """The file with the ANALOG:RATE that its header implies; without it the library drops all analog samples."""
    end, rate = layout.parameters_end, layout.rate * layout.samples_per_frame
    entry = struct.pack("<bb4sHbBfBb", 4, layout.groups["ANALOG"], b"RATE", 9, 4, 0, rate, 0, 0)
    (data_start,) = struct.unpack_from("<H", content, 16)
    if end + len(entry) > (data_start - 1) * BLOCK:
        raise AcquisitionError("ANALOG:RATE is missing", where=file_name, remedy=EXPORT_AGAIN)
    completed = bytearray(content)
    if layout.last_pointer:
        struct.pack_into("<H", completed, layout.last_pointer, end - layout.last_pointer)
    completed[end : end + len(entry)] = entry
    return bytes(completed)


def _points(file_name: str, source: Any, layout: Layout) -> np.ndarray:
    raw = source["data"]["points"]
    if raw.shape[1] != layout.points or raw.shape[2] < layout.frames:
        raise AcquisitionError(
            f"{raw.shape[1]} points in {raw.shape[2]} frames could be read, "
            f"but {layout.points} in {layout.frames} are declared",
            where=file_name,
            remedy=EXPORT_AGAIN,
        )
    points = np.ascontiguousarray(raw[:3, :, : layout.frames].transpose(2, 1, 0))
    points[~np.isfinite(points).all(axis=-1)] = np.nan  # the library gives NaN where the residual is negative
    return points


def _analog(file_name: str, source: Any, layout: Layout) -> np.ndarray:
    analog = source["data"]["analogs"][0].T
    expected = (layout.frames * layout.samples_per_frame, layout.channels)
    if not layout.channels:
        return np.zeros((0, 0))
    if analog.shape[1] != expected[1] or len(analog) < expected[0]:
        raise AcquisitionError(
            f"analog data of {analog.shape} samples and channels could be read, but {expected} are declared",
            where=file_name,
            remedy=EXPORT_AGAIN,
        )
    return np.ascontiguousarray(analog[: expected[0]])
