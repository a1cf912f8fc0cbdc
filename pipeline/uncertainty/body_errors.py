"""Errors of the body: markers off their landmarks, hip centres off their regression, wrong subject values.

All are independent, each of one standard deviation. A wand with a measured rotation offset has the offset's error and
none of its own. A marker of the left leg and one of the right are moved by the same error, since neither affects the
other leg.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.config import Subject, UncertaintySettings
from pipeline.conventions import SIDES
from pipeline.uncertainty.attachment import PELVIS
from pipeline.uncertainty.sources import ANKLE_CENTRE, HIP_CENTRE, KNEE_AXIS

_SOURCE = {"thigh": KNEE_AXIS, "shank": ANKLE_CENTRE, "foot": ANKLE_CENTRE}
"""Source of the errors of a segment's markers, by the segment's row of the inertia table."""


@dataclass(frozen=True)
class BodyPerturbation:
    """One error of one standard deviation, which is added to the markers and subject values as measured.

    Attributes:
        source: source of the error.
        shifts: by marker, (3,) m in the axes of the segment to which it is attached.
        values: by subject value, the amount added to it, in SI.
    """

    source: str
    shifts: Mapping[str, np.ndarray] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)


def body_errors(
    marker_set: MarkerSet, attached_to: Mapping[str, str], values: Mapping[str, float], settings: UncertaintySettings
) -> Iterator[BodyPerturbation]:
    """All independent errors of a body.

    Args:
        marker_set: definitions of points and segments.
        attached_to: segment of each marker.
        values: the subject's values.
        settings: standard deviations.
    """
    pelvis = [label for label, segment in attached_to.items() if segment == PELVIS]
    for axis in np.eye(3):
        # An error of the regression moves the hip centres in the pelvis, as shifting all its markers together does.
        yield BodyPerturbation(HIP_CENTRE, dict.fromkeys(pelvis, settings.hip_centre * axis))
        for label in pelvis:
            yield BodyPerturbation(HIP_CENTRE, {label: settings.placement * axis})
    placed = {
        label: segment for label, segment in attached_to.items() if label not in _measured_wands(marker_set, values)
    }
    for source in (KNEE_AXIS, ANKLE_CENTRE):
        sides = [
            [label for label, s in placed.items() if s.startswith(side) and _source(marker_set, s) == source]
            for side in SIDES
        ]
        for pair in zip_longest(*sides):
            for axis in np.eye(3):
                yield BodyPerturbation(source, {label: settings.placement * axis for label in pair if label})
    for name, (source, sd) in _value_errors(marker_set, attached_to, settings).items():
        named = [name.format(side=side) for side in SIDES]
        changes = {value: _within(marker_set, value, values[value], sd) for value in named if value in values}
        yield BodyPerturbation(
            source, values={value: change for value, change in changes.items() if value in Subject.units()}
        )


def combined(errors: Sequence[BodyPerturbation], amounts: np.ndarray) -> BodyPerturbation:
    """All of these errors at once, each times its amount (N,)."""
    shifts: dict[str, np.ndarray] = {}
    values: dict[str, float] = {}
    for error, amount in zip(errors, amounts, strict=True):
        for label, shift in error.shifts.items():
            shifts[label] = shifts.get(label, np.zeros(3)) + amount * shift
        for name, change in error.values.items():
            values[name] = values.get(name, 0.0) + amount * change
    return BodyPerturbation("all", shifts, values)


def _source(marker_set: MarkerSet, segment: str) -> str:
    return HIP_CENTRE if segment == PELVIS else _SOURCE[marker_set.segments[segment].table]


def _measured_wands(marker_set: MarkerSet, values: Mapping[str, float]) -> set[str]:
    """Wands with a known rotation offset: it was measured with the wands in place, so only its own error counts."""
    chords = [point.chord for point in marker_set.points.values() if point.chord]
    return {chord.wand for chord in chords if chord.rotation and values.get(chord.rotation)}


def _within(marker_set: MarkerSet, name: str, value: float, change: float) -> float:
    """The change, or its opposite if the change would leave the range of the value."""
    return change if value + change <= marker_set.subject_values[name].maximum else -change


def _value_errors(
    marker_set: MarkerSet, attached_to: Mapping[str, str], settings: UncertaintySettings
) -> dict[str, tuple[str, float]]:
    """Source and standard deviation (SI) of the values that chords and turned frames use, by name with "{side}"."""
    errors: dict[str, tuple[str, float]] = {}
    offset = float(np.radians(settings.offset))
    for point in marker_set.points.values():
        if point.chord and point.chord.marker in attached_to:
            source = _source(marker_set, attached_to[point.chord.marker])
            errors[_unsided(point.chord.width)] = (source, settings.width)
            if point.chord.rotation:
                errors[_unsided(point.chord.rotation)] = (source, offset)
    segments = {segment.frame: name for name, segment in marker_set.segments.items()}
    for frame in marker_set.frames.values():
        if frame.turned and frame.turned.frame in segments:
            errors[_unsided(frame.turned.by)] = (_source(marker_set, segments[frame.turned.frame]), offset)
    return errors


def _unsided(name: str) -> str:
    stem, _, side = name.rpartition("_")
    return f"{stem}_{{side}}" if side in SIDES else name
