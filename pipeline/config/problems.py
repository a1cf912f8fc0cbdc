"""Turn a schema's validation errors into sentences with the place, the value, the limit and the nearest known name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from pipeline.config.fields import NAME, NAME_RULE
from pipeline.errors import ConfigError

Location = tuple[str | int, ...]

M = TypeVar("M", bound=BaseModel)

DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
"""A number with a decimal comma, as written by spreadsheet programs in many countries."""

MAX_SHOWN = 80
"""Largest number of characters of a wrong value that a message shows."""


class Problems:
    """Collects all problems, so that they are reported together."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, where: str, problem: str) -> None:
        """Record one problem."""
        self._lines.append(f"{where}: {problem}")

    def add_all(self, error: ValidationError, model: type[BaseModel], place: Callable[[Location], str]) -> None:
        """Record everything that a schema found; ``place`` turns a key path into words."""
        for item in error.errors(include_url=False):
            self.add(place(item["loc"]), _sentence(item, model))

    def raise_if_any(self) -> None:
        """Raise ConfigError with one line for each problem, if there is any."""
        if len(self._lines) == 1:
            raise ConfigError(self._lines[0])
        if self._lines:
            raise ConfigError("\n  ".join([f"{len(self._lines)} problems:", *self._lines]))


def validated(model: type[M], values: Mapping[str, Any], where: str) -> M:
    """Values as a model, for callers without a file. Raises ConfigError with all problems."""
    problems = Problems()
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        problems.add_all(error, model, lambda location: ".".join([where, *map(str, location[:-1])]))
    problems.raise_if_any()
    raise AssertionError("a refused model has a reason")


def nearest(name: object, known: Iterable[str]) -> str:
    """A suggestion: the most similar known name, or otherwise all known names."""
    names = sorted(known)
    close = difflib.get_close_matches(str(name).lower(), [n.lower() for n in names], n=1, cutoff=0.6)
    if close:
        return f"did you mean '{next(n for n in names if n.lower() == close[0])}'?"
    return f"known are {', '.join(names) or 'none'}"


def _sentence(item: Mapping[str, Any], model: type[BaseModel]) -> str:
    if not item["loc"]:
        return (
            str(item["msg"]).removeprefix("Value error, ")
            if item["type"] == "value_error"
            else "should be a mapping of keys to values"
        )
    *above, key = item["loc"]
    if key == "[key]":  # of an entry whose key is wrong
        *above, key = above
    owner = _model_at(model, above)
    if item["type"] == "extra_forbidden":
        known = owner.model_fields if owner else {}
        return f"unknown key '{key}'; {nearest(key, (field.alias or name for name, field in known.items()))}"
    if item["type"] == "missing":
        return f"'{key}' is missing" + _explanation(owner, key)
    hint = ""
    message = re.sub("^(Value error, |(Input|String) (?=should))", "", str(item["msg"]))
    if item["type"] == "value_error":
        return message
    if item["type"] in ("model_type", "dict_type"):
        message = "should be a mapping of keys to values"
    if item["type"] == "string_pattern_mismatch" and item["ctx"]["pattern"] == f"^{NAME}$":
        message = NAME_RULE
    if DECIMAL_COMMA.fullmatch(str(item["input"])):
        message = "should be a number with a decimal point"
    if item["type"] == "literal_error" and isinstance(item["input"], str):
        choices = [choice.strip("' ") for choice in item["ctx"]["expected"].replace(" or ", ", ").split(",")]
        suggestion = nearest(item["input"], choices)
        hint = f"; {suggestion}" if "did you mean" in suggestion else ""
    return f"'{key}' {message}; it is {_shown(item['input'])}{hint}" + _explanation(owner, key)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}... ({len(text)} characters)"


def _explanation(owner: type[BaseModel] | None, key: str | int) -> str:
    field = owner.model_fields.get(str(key)) if owner else None
    if field is None or not field.description:
        return ""
    extra = field.json_schema_extra
    unit = extra.get("unit") if isinstance(extra, dict) else ""
    return f" ({field.description.rstrip('.')}{f', in {unit}' if unit else ''})"


def _model_at(model: type[BaseModel], path: Iterable[str | int]) -> type[BaseModel] | None:
    annotation: Any = model
    for key in path:
        annotation = _entry_at(annotation, key)
    return next((kind for kind in _alternatives(annotation) if _is_model(kind)), None)


def _entry_at(annotation: Any, key: str | int) -> Any:
    """Annotation of the value under a key of a model, or of an entry of a mapping or sequence."""
    for kind in _alternatives(annotation):
        if _is_model(kind):
            return next((f.annotation for name, f in kind.model_fields.items() if key in (name, f.alias)), None)
        if get_origin(kind) in (dict, tuple, list):
            return get_args(kind)[1 if get_origin(kind) is dict else 0]
    return None


def _alternatives(annotation: Any) -> list[Any]:
    """The annotation itself, or the members of a union, without `Annotated` metadata."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _alternatives(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return [kind for member in get_args(annotation) for kind in _alternatives(member)]
    return [annotation]


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
