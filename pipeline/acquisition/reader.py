"""Recording from a C3D or TRC file, in SI units and in G: markers, plates, events, parameters; nothing filtered."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from pipeline.acquisition.c3d_file import C3DFile, read_c3d
from pipeline.acquisition.lab_axes import AxisOverrides, lab_to_global
from pipeline.acquisition.marker_file import read_marker_file
from pipeline.acquisition.part import frames_of, only_frames
from pipeline.acquisition.plate_declaration import channel_table
from pipeline.acquisition.plate_scale import scale_notes
from pipeline.acquisition.platforms import LabPlate, read_plates
from pipeline.acquisition.points import sort_points
from pipeline.acquisition.stored_events import read_events
from pipeline.acquisition.subject import read_parameters
from pipeline.errors import AcquisitionError
from pipeline.math3d import Wrench
from pipeline.trial import ForcePlate, Part, RawTrial

_NO_OVERRIDES = AxisOverrides()


FILE_KINDS = (".c3d", ".trc")
"""File name endings, in lower case, that are read as recordings."""


def read_trial(
    path: str | Path,
    *,
    forces: str | Path | None = None,
    name: str | None = None,
    overrides: AxisOverrides = _NO_OVERRIDES,
    part: Part | None = None,
) -> RawTrial:
    """Read a recording: markers, plates, events and parameters, in SI units and in G, nothing filtered or filled.

    >>> from pipeline.acquisition import read_trial
    >>> walk = read_trial("data/demo/walk.c3d")
    >>> walk.rate, len(walk.plates), walk.marker("LKNE").shape[1]  # Hz, plates, coordinates in m
    (100.0, 4, 3)

    Args:
        path: a C3D file, or a TRC file.
        forces: storage file (.mot, .sto) with the ground reactions of a TRC file.
        name: trial name; the file's stem if not given.
        overrides: which laboratory axes are up and progression, if the file's own evidence is wrong.
        part: the part of the recording that is the trial; all of it if not given. Progression is found from the part,
            the unloaded readings of the plates from the whole recording.

    Returns:
        The recording; its notes name every choice, correction and omission.

    Raises:
        AcquisitionError: a file cannot be read or contradicts itself; the message says what is wrong and what to do.
    """
    path = Path(path)
    content = _bytes_of(path)
    if path.suffix.lower() == ".trc":
        loads = Path(forces) if forces is not None else None
        loads_content = _bytes_of(loads) if loads is not None else b""
        return read_marker_file(path, content, loads, loads_content, name or path.stem, overrides, part)
    if forces is not None:
        problem = f"is a C3D file, which has its own forces, so {Path(forces).name} is not needed"
        raise AcquisitionError(problem, where=path.name, remedy="Leave the column 'forces' of trials.tsv blank")
    file = read_c3d(path.name, content)
    points = sort_points(file)
    lab_plates, plate_notes = read_plates(file, points.positions_L)
    events, event_notes = read_events(file)
    parameters = read_parameters(file)
    mass = next((value for key, value in parameters.items() if key.lower() == "bodymass"), 0.0)
    plate_notes += scale_notes([plate.force_L @ plate.up_L for plate in lab_plates], mass, file.analog_rate)
    centres = [plate.corners_L.mean(axis=0) for plate in lab_plates]
    frames, part_notes = frames_of(part, file.layout.frames, file.layout.rate, path.name)
    R_GL, axis_notes = lab_to_global(
        points.positions_L[frames],
        {plate.number: plate.up_L for plate in lab_plates},
        np.median(centres, axis=0) if centres else np.zeros(3),
        (file.text("POINT", "X_SCREEN"), file.text("POINT", "Y_SCREEN")),
        overrides,
        rate=file.layout.rate,
        where=path.name,
    )
    whole = RawTrial(
        name=name or path.stem,
        file_name=path.name,
        sha256=hashlib.sha256(content).hexdigest(),
        first_frame=file.layout.first_frame,
        rate=file.layout.rate,
        analog_rate=file.analog_rate,
        marker_names=points.names,
        analog_names=tuple(file.texts_of("ANALOG", "LABELS", file.layout.channels)),
        analog_units=tuple(file.texts_of("ANALOG", "UNITS", file.layout.channels)),
        time=np.arange(file.layout.frames) / file.layout.rate,
        analog_time=np.arange(len(file.analog)) / (file.analog_rate or 1.0),
        markers_G=points.positions_L @ R_GL.T,
        analog=file.analog,
        analog_plate=_plate_of_channels(file),
        R_GL=R_GL,
        plates=tuple(_in_global(plate, R_GL) for plate in lab_plates),
        events=events,
        parameters=parameters,
        model_outputs=points.outputs,
        notes=(*file.notes, *part_notes, *points.notes, *axis_notes, *plate_notes, *event_notes),
    )
    return only_frames(whole, frames) if part else whole


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise AcquisitionError(
            f"the file cannot be opened ({error.strerror})", where=str(path), remedy="Check its name and permissions"
        ) from None


def _in_global(plate: LabPlate, R_GL: np.ndarray) -> ForcePlate:
    corners_G = plate.corners_L @ R_GL.T
    wrench = Wrench(plate.force_L @ R_GL.T, plate.moment_L @ R_GL.T, corners_G.mean(axis=0))
    return ForcePlate(plate.number, plate.type, corners_G, wrench)


def _plate_of_channels(file: C3DFile) -> np.ndarray:
    """Number of the plate that uses each analog channel, (C,); 0 for none."""
    plate_of = np.zeros(file.layout.channels, dtype=int)
    declared = np.atleast_2d(channel_table(file))
    for number, channels in enumerate(declared.T[: file.parameters.integer("FORCE_PLATFORM", "USED", 0)], start=1):
        own = channels[np.isfinite(channels) & (channels >= 1) & (channels <= len(plate_of))].astype(int)
        plate_of[own - 1] = number
    return plate_of
