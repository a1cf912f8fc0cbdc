"""Common parts of all configuration models: strict frozen sections, and fields with a description and a unit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}"
"""Pattern of a name that is a valid file name on every system."""

NAME_RULE = 'may contain only letters, digits, "_" and "-", at most 80, the first a letter or digit'
"""What a message says of a name that does not match the pattern."""

Identifier = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]
"""A name that is a valid file name on every system: letters, digits, "_" and "-", at most 80 characters."""

Direction = Literal["+x", "-x", "+y", "-y", "+z", "-z"]
"""A direction along an axis of the laboratory, as in the C3D file."""

Side = Literal["left", "right"]


class Section(BaseModel):
    """A part of config.yaml: refuses unknown keys, values of a wrong type, NaN and infinity."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Row(BaseModel):
    """A row of a table: numbers are read from the text of the cells; a blank cell takes the default."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def setting(default: Any, description: str, unit: str = "", **limits: Any) -> Any:
    """A documented field; required if the default is `...`."""
    return Field(default, description=description, json_schema_extra={"unit": unit}, **limits)
