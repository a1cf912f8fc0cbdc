"""Schema of the skeleton's file: chains of joints, anthropometry and limits, all checked strictly.

Angles are in degrees. A length is a number of metres or a sum of multiples of named lengths, "neck + 0.5 cranium".
Unknown keys, missing keys, unknown names and wrong types are refused with the key's path and the nearest known name.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pipeline.config import load_yaml, nearest
from pipeline.errors import ConfigError

Sex = Literal["male", "female"]
Length = float | str
Direction = Literal["+x", "-x", "+y", "-y", "+z", "-z"]
Three = Annotated[list[Length], Field(min_length=3, max_length=3)]
Numbers3 = Annotated[list[float], Field(min_length=3, max_length=3)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=True)


class BySex(_Strict):
    """One number for each sex."""

    male: float
    female: float


class RadiiBySex(_Strict):
    """Radii of gyration about sagittal, transverse and longitudinal axis for each sex."""

    male: Numbers3
    female: Numbers3


class NamedLength(BySex):
    """A length of the reference subjects, m."""

    source: str


class BodyTable(_Strict):
    """A row of the inertia table: fractions of body mass, of the span and of the published length."""

    source: str
    span: str
    length: BySex
    mass: BySex
    com: BySex
    radii: RadiiBySex


class Range(_Strict):
    """Limits of a coordinate, degrees or m, and maximum torque or force per kg of body mass."""

    lower: float
    upper: float
    torque: float
    source: str | list[str]
    note: str = ""


class Origin(_Strict):
    """Start of a branch: position from the parent's link origin, and the joint frame's axes, all at q = 0."""

    at: Three
    axes: Annotated[list[Direction], Field(min_length=3, max_length=3)]


class BodyOnLink(_Strict):
    """A body on a link: position of its proximal end from the joint, direction to its distal end, share of mass."""

    name: str
    at: Three
    along: Direction
    slice: Annotated[list[float], Field(min_length=2, max_length=2)] = [0.0, 1.0]


class MassOnLink(_Strict):
    """Mass (kg), centre of mass (m) and inertia xx yy zz xy xz yz (kg m^2) about it, in the link frame."""

    mass: float
    com: Numbers3
    inertia: Annotated[list[float], Field(min_length=6, max_length=6)]


class Joint(_Strict):
    """A row of the Denavit-Hartenberg table with the body or mass on its link."""

    name: str
    kind: Literal["R", "P"]
    theta: float
    d: Length
    a: Length
    alpha: float
    origin: Origin | None = None
    range: str | None = None
    segment: str | None = None
    body: BodyOnLink | None = None
    link: MassOnLink | None = None


class Chain(_Strict):
    """Joints in series; the first is a child of the joint ``from``. A mirrored chain is followed by its image."""

    name: str
    parent: Annotated[str | None, Field(alias="from")] = None
    mirror: dict[str, str] = {}
    joints: Annotated[list[Joint], Field(min_length=1)]


class Frozen(_Strict):
    """Joints locked at zero in the active model, and the reason."""

    reason: str
    joints: list[str]


class SubjectDefinition(_Strict):
    """Mass (kg), height (m) and sex."""

    mass: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    height: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    sex: Sex


class SkeletonDefinition(_Strict):
    """The whole skeleton file."""

    format: Literal[1]
    subject: SubjectDefinition | None = None
    reference_height: BySex | None = None
    sources: dict[str, str] = {}
    lengths: dict[str, NamedLength] = {}
    bodies: dict[str, BodyTable] = {}
    ranges: dict[str, Range] = {}
    chains: Annotated[list[Chain], Field(min_length=1)]
    frozen: Frozen | None = None

    def length(self, value: Length, sex: Sex, scale: float, where: str) -> float:
        """A length in m: a number unchanged, or a sum of named lengths of the sex, scaled.

        Raises:
            ConfigError: the text is not a sum of multiples of known lengths.
        """
        if isinstance(value, (int, float)):
            return float(value)
        terms = list(_TERM.finditer(value))
        if not terms or "".join(term.group() for term in terms) != value:
            raise ConfigError(
                f"{value!r} is not a length", where=where, remedy="Give metres, or a sum such as '-0.5 thigh + shank'"
            )
        total = 0.0
        for term in terms:
            sign, factor, name = term.groups()
            found = self.lookup("lengths", name, where)
            total += (-1 if sign == "-" else 1) * float(factor or 1) * scale * getattr(found, sex)
        return total

    def lookup(self, table: Literal["lengths", "bodies", "ranges"], name: str, where: str) -> BaseModel:
        """An entry of a table by name. Raises ConfigError with the nearest known name."""
        entries = getattr(self, table)
        if name not in entries:
            raise ConfigError(f"{name!r} is not among the {table}", where=where, remedy=nearest(name, entries))
        return entries[name]


_TERM = re.compile(r"\s*([+-])?\s*(\d+(?:\.\d+)?)?\s*([a-z_]+)\s*")


def read_definition(path: Path | str) -> SkeletonDefinition:
    """Read and check a skeleton's file.

    Raises:
        ConfigError: the file is missing, is not YAML or breaks the schema.
    """
    path = Path(path)
    return load_yaml(path, f"skeleton {path.name}", SkeletonDefinition)
