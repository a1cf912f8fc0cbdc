"""Write the reference of the configuration from its schema, so that the two cannot differ."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pipeline.config.rows import Comparison, Prediction, Subject, Trial
from pipeline.config.settings import Configuration
from pipeline.config.tasks import (
    ArmLink,
    ArmLoad,
    ArmTask,
    ArmWeights,
    LiftTaskFile,
    Repetition,
    TaskBody,
    WalkTaskFile,
)

BEGIN, END = "<!-- reference: begin -->", "<!-- reference: end -->"

_IN_TASKS: dict[type[BaseModel], str] = {
    ArmTask: "arm",
    ArmLink: "arm, each of links",
    ArmLoad: "arm, load",
    ArmWeights: "arm, weights",
    LiftTaskFile: "lift",
    Repetition: "lift, repeat",
    WalkTaskFile: "walk",
    TaskBody: "lift or walk, body",
}
"""Sections of a task's file, and their places in it."""

_LIMITS = {"gt": "above", "ge": "at least", "lt": "below", "le": "at most"}


def reference_markdown() -> str:
    """The reference as Markdown: a table for each section of config.yaml and for each of the tables."""
    parts = ["## config.yaml"]
    for name, field in Configuration.model_fields.items():
        parts += [f"### {name}", _summary(field.annotation), _table(field.annotation, "Key")]
    tables = {"subjects": Subject, "trials": Trial, "comparisons": Comparison, "predictions": Prediction}
    for name, model in tables.items():
        parts += [f"## {name}.tsv", _summary(model), _table(model, "Column")]
    parts += ["## tasks/*.yaml", "A task that `gait predict FILE` solves, of one of three kinds (docs/howto/task.md)."]
    for section, place in _IN_TASKS.items():
        parts += [f"### {place}", _summary(section), _table(section, "Key")]
    return "\n\n".join(parts)


def setting_units() -> Iterator[tuple[str, str]]:
    """Dotted path and unit of each setting of config.yaml that has one."""
    for section, outer in Configuration.model_fields.items():
        for name, field in getattr(outer.annotation, "model_fields", {}).items():
            extra = field.json_schema_extra or {}
            if isinstance(extra, dict) and extra.get("unit"):
                yield f"{section}.{name}", str(extra["unit"])


def with_reference(text: str) -> str:
    """A document with the reference between its two marks replaced. Raises ValueError if a mark is missing."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{reference_markdown()}\n\n{END}{after}"


def _summary(model: Any) -> str:
    return cleandoc(model.__doc__ or "")


def _table(model: Any, first: str) -> str:
    rows = [[first, "Unit", "Default", "Allowed", "Meaning"], ["---"] * 5]
    for name, field in model.model_fields.items():
        extra = field.json_schema_extra or {}
        meaning = (field.description or "").replace("|", "\\|")
        rows.append([f"`{name}`", str(extra.get("unit", "")), _default(field), _allowed(field), meaning])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if field.default in (None, "", {}, ()):
        return ""
    if isinstance(field.default, tuple):
        return f"`[{', '.join(map(str, field.default))}]`"
    return f"`{field.default}`"


def _allowed(field: FieldInfo) -> str:
    choices = [f"`{choice}`" for choice in _choices(field.annotation)]
    limits = [
        f"{word} {getattr(item, key):g}"
        for item in (*field.metadata, *_metadata(field.annotation))
        for key, word in _LIMITS.items()
        if hasattr(item, key)
    ]
    return ", ".join(choices + limits)


def _metadata(annotation: Any) -> Iterator[Any]:
    """Limits of the members of a union."""
    for member in get_args(annotation):
        for item in getattr(member, "__metadata__", ()):
            yield from getattr(item, "metadata", (item,))


def _choices(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    elif not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        for inner in get_args(annotation):
            yield from _choices(inner)


def main(path: Path) -> None:
    """Replace the reference in a document."""
    path.write_text(with_reference(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
