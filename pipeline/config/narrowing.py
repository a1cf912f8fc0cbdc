"""The part of the configuration that a step uses, as text that its rule hands over."""

from __future__ import annotations

import json

from pydantic_core import to_jsonable_python


def settings_json(**parts: object) -> str:
    """JSON object of the named parts, the same text for the same values; models become objects."""
    return json.dumps(to_jsonable_python(parts), sort_keys=True, separators=(",", ":"))
