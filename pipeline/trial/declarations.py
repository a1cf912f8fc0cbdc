"""How stages declare what they hold, and the notes that travel with every result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NoteKind = Literal["info", "assumed", "estimated", "filled", "left out", "warning"]


@dataclass(frozen=True)
class Quantity:
    """Annotates a field that holds an array (or scalar): what it is, its units, named dimensions and frame.

    Two dimensions of one array never share a name: xarray refuses such an array.
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
    """Something the reader of a result must know: what was chosen, guessed, filled or left out, and why."""

    kind: NoteKind
    subject: str
    text: str
