"""Markers of a C3D file, separated from the model outputs among its points by the file's lists and by names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.c3d_file import C3DFile
from pipeline.acquisition.markers import far_notes, joined_markers, seen_positions, unprefixed
from pipeline.acquisition.segment_poses import points_of_poses
from pipeline.trial import ModelOutput, Note

_OUTPUT_LISTS = {"ANGLES": "ANGLE", "FORCES": "FORCE", "MOMENTS": "MOMENT", "POWERS": "POWER", "SCALARS": "SCALAR"}
_AXIS_LETTERS = "OALP"

_PLUG_IN_GAIT_POINTS = re.compile(r"CentreOfMass(Floor)?|[LR](HJC|KJC|AJC|SJC|EJC|WJC)", re.IGNORECASE)
"""Centre of mass and joint centres, which Plug-in Gait and the Oxford Foot Model write among the points."""

_OXFORD_FOOT_ANGLES = re.compile(r"[LR](HFTBA|FFHFA|HXFFA)")
_OXFORD_FOOT_POINTS = re.compile(
    r"[LR]((FOF|HDF|HLX)[0-3]|TIB[1-3]|HE1|ANK1|D1M0|KAX|PROXFF|HFplantar|ArchHeight|ViconLegLength)|proj[LR](KAX|TIB)"
)
"""Virtual points of the Oxford Foot Model (Stebbins et al. 2006), recognised if its angles are stored too."""


@dataclass(frozen=True)
class Points:
    """Markers and model outputs, both in the file's axes.

    Attributes:
        names: K marker names, unique, without subject prefix.
        positions_L: (T, K, 3) m, in the laboratory's axes; NaN where not seen.
        outputs: model outputs, and points of objects, by label, as stored.
        notes: what was joined, renamed, not used or separated.
    """

    names: tuple[str, ...]
    positions_L: np.ndarray
    outputs: dict[str, ModelOutput]
    notes: tuple[Note, ...]


def sort_points(file: C3DFile) -> Points:
    """Separate markers from model outputs by the file's lists and by names, and from points of objects.

    A point is a model output if the file lists it as one (POINT:TYPE_GROUPS, ANGLES, FORCES, ...), if it belongs to
    four names ending in O, A, L and P (origin and axes of a segment), if its name starts with ``*`` (an unnamed
    trajectory), if its name is that of a Plug-in Gait point, or if the file stores angles of the Oxford Foot Model and
    the name is that of one of its points. Points of an object beside the subject (`unprefixed`) are kept like these.
    Everything else is a marker.

    Raises:
        AcquisitionError: the length unit is unknown, or there are points of several subjects.
    """
    labels, of_object, notes = _labels(file)
    units = _output_units(file, labels)
    outputs: dict[str, ModelOutput] = {}
    markers: list[int] = []
    for index, label in enumerate(labels):
        if label in units or of_object[index]:
            unit = units.get(label, file.text("POINT", "UNITS"))
            outputs.setdefault(label, ModelOutput(unit, file.points[:, index]))
        else:
            markers.append(index)
    to_metres = file.metres if markers else 1.0
    of_poses, pose_points, pose_notes = points_of_poses(file)
    own = [*(labels[index] for index in markers), *of_poses]
    positions = np.concatenate([to_metres * file.points[:, markers], pose_points], axis=1)
    names, stacked, copies_notes = joined_markers(own, seen_positions(positions))
    notes += [*pose_notes, *copies_notes, *_output_notes(labels, units, file), *far_notes(own, positions)]
    return Points(names, stacked, outputs, tuple(notes))


def _labels(file: C3DFile) -> tuple[list[str], np.ndarray, list[Note]]:
    """Labels of all stored points as `unprefixed` returns them; points without a label are numbered."""
    stored = file.texts_of("POINT", "LABELS", file.layout.points)
    notes = []
    nameless = stored.count("")
    if nameless:
        notes.append(
            Note("left out", "points", f"{nameless} of {file.layout.points} points have no label and are not used")
        )
    stored = [label or f"*nameless{index + 1}" for index, label in enumerate(stored)]
    labels, of_object, prefix_notes = unprefixed(stored, file.points, where=file.name)
    return labels, of_object, [*notes, *prefix_notes]


def _output_units(file: C3DFile, labels: list[str]) -> dict[str, str]:
    """Units of each label that is a model output."""
    length = file.text("POINT", "UNITS")
    groups = dict(_OUTPUT_LISTS)
    declared = file.texts("POINT", "TYPE_GROUPS")
    groups.update(zip(declared[::2], declared[1::2], strict=False))
    units: dict[str, str] = {}
    for plural, singular in groups.items():
        unit = file.text("POINT", f"{singular}_UNITS") or length
        units |= {label.split(":", 1)[-1]: unit for label in file.texts("POINT", plural)}
    present = set(labels)
    capitals = {label.upper() for label in labels}
    for label in present - units.keys():
        stem, last = label[:-1].upper(), label[-1:].upper()
        is_segment = len(stem) >= 2 and last in _AXIS_LETTERS and all(stem + c in capitals for c in _AXIS_LETTERS)
        if is_segment or label.startswith("*") or _PLUG_IN_GAIT_POINTS.fullmatch(label):
            units[label] = length
    if any(_OXFORD_FOOT_ANGLES.fullmatch(label) for label in units):
        units |= {label: length for label in present - units.keys() if _OXFORD_FOOT_POINTS.fullmatch(label)}
    return {label: unit for label, unit in units.items() if label in present}


def _output_notes(labels: list[str], units: dict[str, str], file: C3DFile) -> Iterator[Note]:
    listed = {name.split(":", 1)[-1] for plural in _OUTPUT_LISTS for name in file.texts("POINT", plural)}
    guessed = [label for label in dict.fromkeys(labels) if label in units and label not in listed and _is_named(label)]
    if guessed:
        text = f"taken as outputs of a model rather than markers, by their names: {', '.join(guessed)}"
        yield Note("assumed", "model outputs", text)
    unnamed = [label for label in labels if label.startswith("*")]
    if unnamed:
        yield Note("info", "model outputs", f"{len(unnamed)} unnamed trajectories (*) are not taken as markers")
    count = sum(label in units for label in labels) - len(guessed) - len(unnamed)
    if count:
        text = f"{count} points are outputs of a model by the file's own lists or by segment axes; kept as stored"
        yield Note("info", "model outputs", text)


def _is_named(label: str) -> bool:
    """Whether Plug-in Gait or the Oxford Foot Model uses this name for one of its points."""
    return (_PLUG_IN_GAIT_POINTS.fullmatch(label) or _OXFORD_FOOT_POINTS.fullmatch(label)) is not None
