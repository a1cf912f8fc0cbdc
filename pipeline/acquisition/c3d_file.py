"""Content of a C3D file in its own units: parameters, points (NaN in gaps), scaled analog signals and segment poses.

ezc3d (Michaud and Begon 2021, JOSS 6, 2911) reads the data from plain copies of what passed the checks of the layout.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.acquisition.layout import Layout, read_layout
from pipeline.acquisition.parameter_section import FileBytes, ParameterSection
from pipeline.acquisition.plain_copy import plain_copies
from pipeline.acquisition.units import metres
from pipeline.trial import Note


@dataclass(frozen=True)
class C3DFile:
    """The content of a C3D file, in the file's own units and axes.

    Attributes:
        name: base name of the file, for messages.
        layout: checked layout.
        parameters: as stored.
        points: (T, N, 3) in POINT:UNITS; NaN where a point was not seen.
        analog: (Ta, C) scaled by GEN_SCALE, SCALE and OFFSET.
        poses: (T, S, 4, 4) homogeneous matrices of S segments, the first of each frame, as stored.
        notes: what was corrected or assumed.
    """

    name: str
    layout: Layout
    parameters: ParameterSection
    points: np.ndarray
    analog: np.ndarray
    poses: np.ndarray
    notes: tuple[Note, ...]

    @property
    def analog_rate(self) -> float:
        """Samples per second of each analog channel, Hz; 0 without analog data."""
        return self.layout.rate * self.layout.samples_per_frame

    @property
    def metres(self) -> float:
        """Metres in a unit of length of the file, POINT:UNITS. Raises AcquisitionError if the unit is unknown."""
        return metres(self.text("POINT", "UNITS"), where=self.name)

    def numbers(self, group: str, name: str) -> np.ndarray:
        """Values of a numeric parameter as floats in the file's shape; empty if absent or not numeric."""
        return self.parameters.array(group, name)

    def texts(self, group: str, name: str) -> list[str]:
        """Entries of a text parameter without surrounding blanks, its continuations (LABELS2, ...) appended."""
        return self.parameters.texts(group, name)

    def texts_of(self, group: str, name: str, count: int) -> list[str]:
        """The first ``count`` entries of a text parameter; blank where it has fewer."""
        return [*self.texts(group, name), *[""] * count][:count]

    def text(self, group: str, name: str) -> str:
        """First entry of a text parameter, or an empty text."""
        return next(iter(self.texts(group, name)), "")

    def channel_names(self, channels: np.ndarray) -> list[str]:
        """Labels of analog channels given by their indices from 0; the number of a channel without a label."""
        labels = self.texts_of("ANALOG", "LABELS", self.layout.channels)
        return [labels[c] or f"number {c + 1}" for c in channels]


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
    points[~np.isfinite(points).all(axis=-1)] = np.nan
    analog = analog.reshape(-1, layout.channels) if layout.channels else np.zeros((0, 0))
    return C3DFile(file_name, layout, parameters, points, analog, poses, (*layout.notes, *notes))


def _read_by_library(copy: bytes, file: FileBytes) -> Any:
    import ezc3d  # heavy, and only a stage that reads a C3D file needs it

    with tempfile.NamedTemporaryFile(suffix=".c3d") as temporary:
        temporary.write(copy)
        temporary.flush()
        try:
            return ezc3d.c3d(temporary.name)
        except (OSError, RuntimeError, ValueError, IndexError, TypeError, OverflowError) as error:
            raise file.error(f"the C3D library refuses it ({' '.join(str(error).split())})") from None
