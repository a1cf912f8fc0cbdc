"""The part of the configuration that a stage uses, as text that its rule passes on."""

from __future__ import annotations

import json

from pydantic_core import to_jsonable_python


def settings_json(**parts: object) -> str:
    """JSON object of the named parts; equal values give equal text; models become objects."""
    return as_json(parts, sort_keys=True)


def as_json(value: object, sort_keys: bool = False) -> str:
    """JSON text of any value, by default in its own order; models become objects."""
    return json.dumps(to_jsonable_python(value), sort_keys=sort_keys, separators=(",", ":"))
