"""Turns what a schema finds wrong into sentences with the place, the value, the limit and the nearest known name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from pipeline.errors import ConfigError

Location = tuple[str | int, ...]


class Problems:
    """Collects all that is wrong before anything is refused."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, where: str, problem: str) -> None:
        """Note one problem."""
        self._lines.append(f"{where}: {problem}")

    def add_all(self, error: ValidationError, model: type[BaseModel], place: Callable[[Location], str]) -> None:
        """Note everything that a schema found; ``place`` says in words where a key path is."""
        for item in error.errors(include_url=False):
            self.add(place(item["loc"]), _sentence(item, model))

    def raise_if_any(self) -> None:
        """Raise ConfigError with one line for each problem, if there is any."""
        if len(self._lines) == 1:
            raise ConfigError(self._lines[0])
        if self._lines:
            raise ConfigError("\n  ".join([f"{len(self._lines)} problems in the study's configuration:", *self._lines]))


def nearest(name: object, known: Iterable[str]) -> str:
    """A suggestion: the known name most like this one, or else all known names."""
    names = sorted(known)
    close = difflib.get_close_matches(str(name).lower(), [n.lower() for n in names], n=1, cutoff=0.6)
    if close:
        return f"did you mean '{next(n for n in names if n.lower() == close[0])}'?"
    return f"known are {', '.join(names) or 'none'}"


def _sentence(item: Mapping[str, Any], model: type[BaseModel]) -> str:
    *above, key = item["loc"] or ("",)
    owner = _model_at(model, above)
    if item["type"] == "extra_forbidden":
        return f"unknown key '{key}'; {nearest(key, _keys(owner))}"
    if item["type"] == "missing":
        return f"'{key}' is missing" + _explanation(owner, key)
    message = str(item["msg"]).removeprefix("Value error, ").replace("Input should", "should")
    if item["type"] == "value_error":
        return message
    if item["type"] == "string_pattern_mismatch":
        message = 'may have letters, digits, "_" and "-" only, at most 80'
    if item["type"] == "literal_error" and isinstance(item["input"], str):
        choices = [choice.strip("' ") for choice in item["ctx"]["expected"].replace(" or ", ", ").split(",")]
        message += f"; {nearest(item['input'], choices)}" if "did you mean" in nearest(item["input"], choices) else ""
    return f"'{key}' {message}; it is {item['input']!r}" + _explanation(owner, key)


def _explanation(owner: type[BaseModel] | None, key: str | int) -> str:
    field = owner.model_fields.get(str(key)) if owner else None
    if field is None or not field.description:
        return ""
    extra = field.json_schema_extra
    unit = extra.get("unit") if isinstance(extra, dict) else ""
    return f" ({field.description.rstrip('.')}{f', in {unit}' if unit else ''})"


def _model_at(model: type[BaseModel], path: Iterable[str | int]) -> type[BaseModel] | None:
    found: type[BaseModel] | None = model
    for key in path:
        fields = {field.alias or name: field for name, field in found.model_fields.items()} if found else {}
        if str(key) in fields:
            found = next(_models_in(fields[str(key)].annotation), None)
        # Any other key is a name or a position inside a mapping or list, whose models were found already.
    return found


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _keys(model: type[BaseModel] | None) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()] if model else []
