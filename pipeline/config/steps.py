"""Readers of cells in trials.tsv with the study's decisions: part of the recording, feet, events and steps."""

from __future__ import annotations

import re
from collections.abc import Callable
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


def read_feet(cell: object) -> object:
    """Read plate-to-foot assignments such as "2:right; 1:left"; numbers and feet are checked afterwards."""

    def read(part: str) -> tuple[str, str]:
        plate, foot = _pair(part, "feet", "PLATE:FOOT, such as 2:right")
        return plate, foot

    parts = _parts(cell, read)
    if parts is None:
        return cell
    for plate, _ in parts:
        if [other for other, _ in parts].count(plate) > 1:
            raise ValueError(f"column 'feet': plate {plate} is given twice")
    return dict(parts)


def read_events(cell: object) -> object:
    """Read events such as "left initial contact 0.52; left foot off 1.18"."""

    def read(part: str) -> GivenEvent:
        found = EVENT.fullmatch(" ".join(part.split()))
        if not found:
            form = "SIDE EVENT SECONDS, such as left initial contact 0.52 or right foot off 1.18"
            raise ValueError(f"column 'events': '{part}' is not of the form {form}")
        return GivenEvent(found[1], found[2], float(found[3]))  # type: ignore[arg-type]

    parts = _parts(cell, read)
    return cell if parts is None else tuple(sorted(parts, key=lambda event: event.time))


def read_contacts(column: str) -> Callable[[object], object]:
    """Reader of a column's contacts such as "2:1.35", the contact with plate 2 at 1.35 s."""

    def read(part: str) -> PlateContact:
        form = "PLATE:SECONDS, such as 2:1.35"
        plate, time = _pair(part, column, form)
        if not re.fullmatch(r"\d+(?:\.\d*)?", time):
            raise ValueError(f"column '{column}': '{part}' is not of the form {form}")
        return PlateContact(int(plate), float(time))

    def read_cell(cell: object) -> object:
        parts = _parts(cell, read)
        return cell if parts is None else tuple(parts)

    return read_cell


def read_curves(cell: object) -> object:
    """Read curves such as "left hip_rotation; right knee_adduction"; their names are checked later."""

    def read(part: str) -> tuple[str, str]:
        side, _, name = part.partition(" ")
        if side not in ("left", "right") or not re.fullmatch(r"\w+", name.strip()):
            raise ValueError(f"column 'kept_curves': '{part}' is not of the form SIDE CURVE, such as left hip_rotation")
        return side, name.strip()

    parts = _parts(cell, read)
    return cell if parts is None else tuple(parts)


def _parts(cell: object, read: Callable[[str], T]) -> list[T] | None:
    """The parts of a cell between semicolons; None if it is not text but a value already read."""
    return [read(part.strip()) for part in cell.split(";")] if isinstance(cell, str) else None


def _pair(part: str, column: str, form: str) -> tuple[str, str]:
    """A plate's number, and the text after the colon."""
    plate, colon, value = (piece.strip() for piece in part.partition(":"))
    if not colon or not plate.isdecimal():
        raise ValueError(f"column '{column}': '{part}' is not of the form {form}")
    if int(plate) == 0:
        raise ValueError(f"column '{column}': plate 0 does not exist; plates count from 1")
    return plate, value
