"""The part of the configuration that a step uses, as text that its rule hands over."""

from __future__ import annotations

import json

from pydantic_core import to_jsonable_python


def settings_json(**parts: object) -> str:
    """JSON object of the named parts, the same text for the same values; models become objects."""
    return as_json(parts, sort_keys=True)


def as_json(value: object, sort_keys: bool = False) -> str:
    """JSON text of any value, in its own order by default; models become objects."""
    return json.dumps(to_jsonable_python(value), sort_keys=sort_keys, separators=(",", ":"))
