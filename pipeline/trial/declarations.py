"""Declarations of what each field of a result holds (quantity, unit, axes, frame), and the notes on a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

NoteKind = Literal["info", "assumed", "estimated", "filled", "left out", "warning", "refusal"]


@dataclass(frozen=True)
class Quantity:
    """Annotates a field that holds an array or scalar: what it is, its units, named dimensions and frame.

    No two dimensions of an array may share a name: xarray refuses such an array.
    """

    long_name: str
    units: str
    dims: tuple[str, ...] = ()
    frame: str = ""


@dataclass(frozen=True)
class Axis:
    """Annotates a field that labels a dimension: a tuple of names, or an array such as time."""

    dim: str
    long_name: str
    units: str = ""


T = TypeVar("T")

BySide = Annotated[dict[str, T], Axis("side", "side")]
BySegment = Annotated[dict[str, T], Axis("segment", "segment")]
ByJoint = Annotated[dict[str, T], Axis("joint", "joint")]
ByLegJoint = Annotated[dict[str, T], Axis("leg_joint", "joint of the leg")]
ByAngle = Annotated[dict[str, T], Axis("angle", "joint, pelvis or foot")]
ByPoint = Annotated[dict[str, T], Axis("point", "point of the body")]


def of_curves(long_name: str) -> Quantity:
    """The quantity of an array of all sides' curves over the gait cycle."""
    return Quantity(long_name, "see variable_units", ("side", "variable", "percent"))


@dataclass(frozen=True)
class Note:
    """One sentence about a result: what was found, assumed, filled or not used, how much, why, and what to do."""

    kind: NoteKind
    subject: str
    text: str
