"""Recording from a TRC file and a storage file of ground reactions, in SI units and in G; nothing filtered or filled.

The ground reactions come without plate geometry: corners are missing, and moments refer to a point of the floor.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import compress
from pathlib import Path

import numpy as np

from pipeline.acquisition.lab_axes import AxisOverrides, axis_above_floor, lab_to_global
from pipeline.acquisition.markers import far_notes, joined_markers, seen_positions, unprefixed
from pipeline.acquisition.part import frames_of
from pipeline.acquisition.storage import Storage, read_storage
from pipeline.acquisition.storage_forces import GroundReaction, ground_reactions
from pipeline.acquisition.trc import MarkerTable, read_trc
from pipeline.errors import AcquisitionError
from pipeline.math3d import Wrench, unit
from pipeline.trial import ForcePlate, Note, Part, RawTrial

NO_PLATE = 0
"""Plate type of a ground reaction whose plate is not known."""

_MAX_TILT = np.cos(np.radians(30.0))
"""Cosine of the largest angle between the vertical and the sum of a walk's ground reactions."""

_SAME_INSTANT = 0.05
"""Fraction of a sampling interval: samples closer than this to the instants of the markers' clock are not
interpolated."""


def read_marker_file(
    path: Path,
    content: bytes,
    forces: Path | None,
    forces_content: bytes,
    name: str,
    overrides: AxisOverrides,
    part: Part | None = None,
) -> RawTrial:
    """Recording from a TRC file, with the ground reactions of a storage file if there is one.

    Args:
        path, content: the TRC file.
        forces, forces_content: the storage file; None and empty bytes without one.
        name: trial name.
        overrides: which laboratory axes are up and progression.
        part: the part of the recording that is the trial; all of it if not given.

    Raises:
        AcquisitionError: a file is malformed or contradicts itself or the other one.
    """
    markers = read_trc(path.name, content)
    notes = list(markers.notes)
    reactions: list[GroundReaction] = []
    rate, samples = 0.0, 0
    if forces is not None:
        storage = read_storage(forces.name, forces_content)
        markers, cropped = _common_time(markers, storage, path.name, forces.name)
        notes += cropped
    frames, part_notes = frames_of(part, len(markers.positions_L), markers.rate, path.name)
    notes += part_notes
    markers = _only_frames(markers, frames)
    if forces is not None:
        rate, samples = storage.rate, int((len(markers.positions_L) - 1) / markers.rate * storage.rate + 1.5)
        found = ground_reactions(storage, forces.name)
        reactions = [_on_clock(reaction, storage, markers.start, samples) for reaction in found]
        notes.append(_origin_note(found, forces.name))
    labels, of_object, more = unprefixed(markers.labels, markers.positions_L, where=path.name)
    labels, stored_L = list(compress(labels, ~of_object)), markers.positions_L[:, ~of_object]
    names, positions_L, copies = joined_markers(labels, seen_positions(stored_L))
    notes += [*more, *copies, *far_notes(labels, stored_L)]
    total = sum((np.nansum(reaction.force_L, axis=0) for reaction in reactions), np.zeros(3))
    floor = np.median([reaction.point_L for reaction in reactions], axis=0) if reactions else np.zeros(3)
    R_GL, axis_notes = lab_to_global(
        positions_L,
        {0: unit(total)} if reactions else {},
        floor,
        ("", ""),
        overrides,
        rate=markers.rate,
        where=path.name,
    )
    above = axis_above_floor(positions_L, np.zeros(3))
    for up in (R_GL[1], R_GL[1] if above is None else above):
        if reactions and unit(total) @ up < _MAX_TILT:
            raise AcquisitionError(
                f"its ground reactions point along {np.round(unit(total), 2).tolist()} in the markers' axes, in which "
                f"up is {np.round(up, 2).tolist()}",
                where=forces.name if forces else "",
                remedy="Export forces (on the subject) and markers in the same axes",
            )
    return RawTrial(
        name=name,
        file_name=path.name,
        sha256=hashlib.sha256(content + forces_content).hexdigest(),
        first_frame=markers.first_frame,
        rate=markers.rate,
        analog_rate=rate,
        marker_names=names,
        analog_names=(),
        analog_units=(),
        time=np.arange(len(positions_L)) / markers.rate,
        analog_time=np.arange(samples) / (rate or 1.0),
        markers_G=positions_L @ R_GL.T,
        analog=np.zeros((samples, 0)),
        analog_plate=np.zeros(0, dtype=int),
        R_GL=R_GL,
        plates=tuple(_in_global(number, reaction, R_GL) for number, reaction in enumerate(reactions, start=1)),
        events=(),
        parameters={},
        model_outputs={},
        notes=(*notes, *axis_notes),
    )


def _common_time(
    markers: MarkerTable, storage: Storage, marker_file: str, force_file: str
) -> tuple[MarkerTable, list[Note]]:
    """The markers in the frames that the forces cover, and a note if frames are dropped.

    Otherwise a foot would seem to come to the ground where the forces begin.
    """
    count = len(next(iter(storage.columns.values())))
    begin, end = storage.start, storage.start + (count - 1) / storage.rate
    time = markers.start + np.arange(len(markers.positions_L)) / markers.rate
    frames = np.flatnonzero((time >= begin - 0.5 / storage.rate) & (time <= end + 0.5 / storage.rate))
    if len(frames) < 2:
        problem = (
            f"covers {begin:.3f} to {end:.3f} s, but the markers of {marker_file} cover {time[0]:.3f} to "
            f"{time[-1]:.3f} s"
        )
        raise AcquisitionError(problem, where=force_file, remedy="Export both from one trial and with one clock")
    if len(frames) == len(time):
        return markers, []
    text = (
        f"{force_file} covers {begin:.3f} to {end:.3f} s of the markers' {time[0]:.3f} to {time[-1]:.3f} s, so "
        f"{len(time) - len(frames)} frames are not used: export the forces of the whole trial"
    )
    kept = _only_frames(markers, slice(int(frames[0]), int(frames[-1]) + 1))
    return kept, [Note("warning", "ground reactions", text)]


def _only_frames(markers: MarkerTable, frames: slice) -> MarkerTable:
    return replace(
        markers,
        first_frame=markers.first_frame + frames.start,
        start=markers.start + frames.start / markers.rate,
        positions_L=markers.positions_L[frames],
    )


def _on_clock(reaction: GroundReaction, storage: Storage, start: float, samples: int) -> GroundReaction:
    """The reaction resampled from the first frame, at ``start`` s; NaN after the last stored sample."""
    at = (start - storage.start) * storage.rate + np.arange(samples)
    nearest = np.round(at).astype(int)
    if abs(at[0] - nearest[0]) < _SAME_INSTANT:
        at = nearest.astype(float)
    stored = np.arange(len(reaction.force_L))

    def resampled(values: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(at, stored, column, right=np.nan) for column in values.T], axis=1)

    return replace(reaction, force_L=resampled(reaction.force_L), moment_L=resampled(reaction.moment_L))


def _origin_note(reactions: list[GroundReaction], file: str) -> Note:
    named = ", ".join(
        f"{number}{f' ({reaction.name})' if reaction.name else ''}"
        for number, reaction in enumerate(reactions, start=1)
    )
    text = (
        f"ground reactions {named or 'without any load'} from {file}, numbered like plates; corners of the plates are "
        "not known, so a foot beyond a plate's edge cannot be detected"
    )
    return Note("info", "ground reactions", text)


def _in_global(number: int, reaction: GroundReaction, R_GL: np.ndarray) -> ForcePlate:
    load = Wrench(reaction.force_L @ R_GL.T, reaction.moment_L @ R_GL.T, R_GL @ reaction.point_L)
    return ForcePlate(number, NO_PLATE, np.full((4, 3), np.nan), load)
