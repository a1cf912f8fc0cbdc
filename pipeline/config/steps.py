"""Readers of cells in trials.tsv with the study's decisions: part of the recording, feet, events and steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from pipeline.trial import Part

Foot = Literal["left", "right", "none"]

T = TypeVar("T")

EVENT = re.compile(r"(left|right) (initial contact|foot off) (\d+(?:\.\d*)?)")


@dataclass(frozen=True)
class GivenEvent:
    """An initial contact or foot off at a time, s from the first frame of the trial."""

    side: Literal["left", "right"]
    kind: Literal["initial contact", "foot off"]
    time: float


@dataclass(frozen=True)
class PlateContact:
    """The contact with a plate at a time, s from the first frame of the trial."""

    plate: int
    time: float


@dataclass(frozen=True)
class GivenSteps:
    """All that a study decides about the steps of one walk.

    Attributes:
        feet: foot on each plate, by plate number; "none" leaves the plate out.
        events: events that take precedence over those of plates, file and markers.
        rejected: contacts that are not used.
        kept: contacts that are averaged although their loads contradict the motion.
        kept_curves: sides and names of curves that are averaged although the walk shows that they are off.
    """

    feet: dict[int, Foot] = field(default_factory=dict)
    events: tuple[GivenEvent, ...] = ()
    rejected: tuple[PlateContact, ...] = ()
    kept: tuple[PlateContact, ...] = ()
    kept_curves: tuple[tuple[str, str], ...] = ()


def read_part(cell: object) -> object:
    """Read a part of a recording such as "0-3.5", or "4.2-" up to its end."""
    if not isinstance(cell, str):
        return cell
    found = re.fullmatch(r"(\d+(?:\.\d*)?)\s*-\s*(\d+(?:\.\d*)?)?", cell.strip())
    if not found:
        raise ValueError(f"column 'part': '{cell}' is not of the form BEGIN-END in seconds, such as 0-3.5, or 4.2-")
    part = Part(float(found[1]), float(found[2]) if found[2] else None)
    if part.end is not None and part.end <= part.begin:
        raise ValueError(f"column 'part': '{cell}' ends before it begins")
    return part


def _reader(read: Callable[[str], T], combine: Callable[[Iterable[T]], object] = tuple) -> Callable[[object], object]:
    """Reader of a cell with parts between semicolons; a value that is not text has been read already and is kept."""
    return lambda cell: combine([read(part.strip()) for part in cell.split(";")]) if isinstance(cell, str) else cell


def _feet(parts: Iterable[tuple[int, str]]) -> dict[int, str]:
    feet: dict[int, str] = {}
    for plate, foot in parts:
        if plate in feet:
            raise ValueError(f"column 'feet': plate {plate} is given twice")
        feet[plate] = foot
    return feet


def _event(part: str) -> GivenEvent:
    found = EVENT.fullmatch(" ".join(part.split()))
    if not found:
        form = "SIDE EVENT SECONDS, such as left initial contact 0.52 or right foot off 1.18"
        raise ValueError(f"column 'events': '{part}' is not of the form {form}")
    return GivenEvent(found[1], found[2], float(found[3]))  # type: ignore[arg-type]


def _curve(part: str) -> tuple[str, str]:
    side, _, name = part.partition(" ")
    if side not in ("left", "right") or not re.fullmatch(r"\w+", name.strip()):
        raise ValueError(f"column 'kept_curves': '{part}' is not of the form SIDE CURVE, such as left hip_rotation")
    return side, name.strip()


def _pair(part: str, column: str, form: str) -> tuple[int, str]:
    """A plate's number, and the text after the colon."""
    plate, colon, value = (piece.strip() for piece in part.partition(":"))
    if not colon or not plate.isdecimal():
        raise ValueError(f"column '{column}': '{part}' is not of the form {form}")
    if int(plate) == 0:
        raise ValueError(f"column '{column}': plate 0 does not exist; plates count from 1")
    return int(plate), value


def read_contacts(column: str) -> Callable[[object], object]:
    """Reader of a column's contacts such as "2:1.35", the contact with plate 2 at 1.35 s."""

    def read(part: str) -> PlateContact:
        form = "PLATE:SECONDS, such as 2:1.35"
        plate, time = _pair(part, column, form)
        if not re.fullmatch(r"\d+(?:\.\d*)?", time):
            raise ValueError(f"column '{column}': '{part}' is not of the form {form}")
        return PlateContact(plate, float(time))

    return _reader(read)


read_feet = _reader(lambda part: _pair(part, "feet", "PLATE:FOOT, such as 2:right"), _feet)
"""Read plate-to-foot assignments such as "2:right; 1:left"; numbers and feet are checked afterwards."""

read_events = _reader(_event, lambda events: tuple(sorted(events, key=lambda event: event.time)))
"""Read events such as "left initial contact 0.52; left foot off 1.18"."""

read_curves = _reader(_curve)
"""Read curves such as "left hip_rotation; right knee_adduction"; their names are checked later."""
