"""Strict models: unknown keys are refused with the nearest known one, and all problems of a file are told at once."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.errors import ConfigError


class StrictModel(BaseModel):
    """Base of every configuration model: frozen, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Model = TypeVar("Model", bound=StrictModel)


def validate(model: type[Model], data: Mapping[str, Any], *, where: str) -> Model:
    """Return the checked model.

    Raises:
        ConfigError: everything that is wrong with ``data``, one line each.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = [_sentence(model, entry) for entry in error.errors()]
        raise ConfigError("; ".join(problems), where=where) from None


def _sentence(model: type[BaseModel], error: Any) -> str:
    path = [str(part) for part in error["loc"]]
    place = ".".join(path) or "file"
    if error["type"] == "extra_forbidden":
        near = get_close_matches(path[-1], _known_keys(model, path[:-1]), n=1, cutoff=0.5)
        hint = f", did you mean {near[0]!r}?" if near else ""
        return f"unknown key {place!r}{hint}"
    message = error["msg"].removeprefix("Value error, ")
    return f"{place}: {message} (got {error['input']!r:.80})" if error["type"] != "missing" else f"{place} is missing"


def _known_keys(model: type[BaseModel], path: list[str]) -> list[str]:
    """Field names (or aliases) of the model that stands at ``path`` inside ``model``."""
    for part in path:
        for name, field in model.model_fields.items():
            if part in (name, field.alias):
                nested = _models_in(field.annotation)
                if nested:
                    model = nested[0]
    return [field.alias or name for name, field in model.model_fields.items()]


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for part in getattr(annotation, "__args__", ()) for found in _models_in(part)]
