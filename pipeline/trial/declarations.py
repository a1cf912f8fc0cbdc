"""Declarations of what each field of a result holds (quantity, unit, axes, frame), and the notes on a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True)
class Note:
    """One sentence about a result: what was found, assumed, filled or not used, how much, why, and what to do."""

    kind: NoteKind
    subject: str
    text: str
