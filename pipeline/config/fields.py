"""What all configuration models share: strict frozen sections, and fields that carry a description and a unit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}"
"""Pattern of a name that is also a file name everywhere."""

NAME_RULE = 'may contain only letters, digits, "_" and "-", at most 80, the first a letter or digit'
"""What is wrong with a name that has another pattern."""

Identifier = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]
"""A name that is also a file name everywhere: letters, digits, "_" and "-", at most 80."""

Direction = Literal["+x", "-x", "+y", "-y", "+z", "-z"]
"""A direction along an axis of the laboratory, as the C3D file has it."""

Side = Literal["left", "right"]


class Section(BaseModel):
    """A part of config.yaml: refuses unknown keys, values of another type, NaN and infinity."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Row(BaseModel):
    """A row of a table, whose cells are text: numbers are read from it; a blank cell takes the default."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def setting(default: Any, description: str, unit: str = "", **limits: Any) -> Any:
    """A documented field; without a default if that is `...`."""
    return Field(default, description=description, json_schema_extra={"unit": unit}, **limits)
