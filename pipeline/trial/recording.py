"""A recording as read from a file, in SI units and in G: nothing filtered, nothing filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial.declarations import Axis, Note, Quantity


@dataclass(frozen=True)
class Event:
    """An initial contact or a foot off.

    Attributes:
        time: s from the first frame of the trial.
        side: "left" or "right".
        kind: "initial contact" or "foot off".
        source: where it comes from, such as "plate 2", "file" or "markers".
    """

    time: Annotated[float, Quantity("time from the first frame", "s")]
    side: str
    kind: str
    source: str


@dataclass(frozen=True)
class Part:
    """A part of a recording.

    Attributes:
        begin: s from the recording's first frame.
        end: s from the recording's first frame; None for the recording's end.
    """

    begin: float
    end: float | None = None

    def __str__(self) -> str:
        return f"{self.begin:g}-{'' if self.end is None else f'{self.end:g}'}"


@dataclass(frozen=True)
class ForcePlate:
    """One plate: its corners, and the load that it exerts on the subject, unfiltered, at the analog rate.

    Attributes:
        number: 1-based, as in the file.
        type: C3D force-platform type (1 to 7); 0 for a ground reaction whose plate is not known.
        corners_G: (4, 3) m, in G, in the file's order; NaN if they are not known.
        wrench: load on the subject; its moment refers to one fixed point: the centre of the plate's surface or, if the
            plate is not known, a point of the floor.
    """

    number: int
    type: int
    corners_G: Annotated[np.ndarray, Quantity("plate corners", "m", ("corner", "xyz"), "G")]
    wrench: Annotated[Wrench, Quantity("load on the subject", "N, Nm, m", ("analog_time", "xyz"), "G")]


@dataclass(frozen=True)
class ModelOutput:
    """A quantity computed by the laboratory's software and stored among the points, exactly as stored."""

    units: str
    values: Annotated[np.ndarray, Quantity("model output", "as stored", ("time", "component"))]


@dataclass(frozen=True)
class MarkersAndPlates:
    """The part of a recording that motion and loads are computed from; it can be read alone.

    Attributes:
        name: trial name, the file's stem unless the study names it.
        rate, analog_rate: Hz; analog_rate is 0 if there are no analog data.
        time: (T,) s from the first frame.
        analog_time: (Ta,) s from the first frame.
        marker_names: K names, unique; parts before a colon (subject prefixes) are removed.
        markers_G: (T, K, 3) m; NaN where the marker was not seen.
        plates: force plates in the file's order.
    """

    name: str
    rate: float
    analog_rate: float
    marker_names: Annotated[tuple[str, ...], Axis("marker", "marker label")]
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    analog_time: Annotated[np.ndarray, Axis("analog_time", "time from the first frame", "s")]
    markers_G: Annotated[np.ndarray, Quantity("marker positions", "m", ("time", "marker", "xyz"), "G")]
    plates: Annotated[tuple[ForcePlate, ...], Axis("plate", "number of the plate in the file's order")]

    def marker(self, name: str) -> np.ndarray:
        """Positions (T, 3) of one marker, m, in G. Raises KeyError if the trial has no such marker."""
        try:
            return self.markers_G[:, self.marker_names.index(name)]
        except ValueError:
            raise KeyError(name) from None


@dataclass(frozen=True)
class RawTrial(MarkersAndPlates):
    """A recording in SI units and in G, otherwise as the file has it: nothing filtered, nothing filled.

    Attributes:
        file_name: base name of the file.
        sha256: hexadecimal digest of the file, together with the separate file of forces if there is one.
        first_frame: the file's number of the first frame, counted from 1.
        analog_names, analog_units: of the C analog channels.
        analog: (Ta, C) in the channels' units. analog_plate: (C,) number of each channel's plate, 0 for none.
        events: as stored in the file, in order of time.
        parameters: numeric subject parameters by name, such as LLegLength, in the file's units (Plug-in Gait: mm,
            degrees, kg); a zero there often means "not given".
        model_outputs: by label; points of objects beside the subject are among them.
        R_GL: (3, 3) rotation that maps the laboratory's axes to G.
        notes: what the reader chose, corrected or could not use.
    """

    file_name: str
    sha256: str
    first_frame: int
    analog_names: Annotated[tuple[str, ...], Axis("channel", "analog channel label")]
    analog_units: tuple[str, ...]
    analog: Annotated[np.ndarray, Quantity("analog signals", "see analog_units", ("analog_time", "channel"))]
    analog_plate: Annotated[np.ndarray, Quantity("plate that the channel belongs to, 0 for none", "1", ("channel",))]
    R_GL: Annotated[np.ndarray, Quantity("rotation from laboratory axes to G", "1", ("row", "column"), "G")]
    events: tuple[Event, ...]
    parameters: dict[str, float]
    model_outputs: Annotated[dict[str, ModelOutput], Axis("output", "label of the output")]
    notes: tuple[Note, ...]
