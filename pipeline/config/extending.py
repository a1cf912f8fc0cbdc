"""YAML files that contain only the differences from another one, named under ``extends``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.config.files import yaml_content
from pipeline.config.problems import nearest
from pipeline.errors import ConfigError
from pipeline.whole_files import files_in

EXTENDS = "extends"


def extended_files(path: Path, shipped: Path, shown: str) -> list[Path]:
    """The file, ``shown`` by this name in messages, and those that it extends, also indirectly, the nearest first.

    A file that it extends is in the same folder, or in that of the shipped files.

    Raises:
        ConfigError: a file cannot be read, or an extended file does not exist or is circular.
    """
    files = [path]
    while (name := _base(files[-1], shown)) is not None:
        folders = list(dict.fromkeys((path.parent, shipped)))
        found = next((f for folder in folders if (f := folder / f"{name}.yaml") not in files and f.is_file()), None)
        if found is None:
            there = {file.stem for folder in folders for file in files_in(folder, "*.yaml")}
            known = there - {file.stem for file in files}
            text = f"'{EXTENDS}' names '{name}', which is not another file there; {nearest(name, known)}"
            raise ConfigError(text, where=files[-1].name)
        files.append(found)
    return files


def merged(contents: list[dict[str, Any]], depths: Mapping[str, int]) -> dict[str, Any]:
    """The content of a file merged over those that it extends.

    Args:
        contents: of the files, the nearest first.
        depths: by section, the number of levels on which entries are replaced one by one (1 if a section is not named).
            An entry replaces the one of its name as a whole; an entry without a value removes it.
    """
    found: dict[str, Any] = {}
    for content in reversed(contents):
        own = {key: value for key, value in content.items() if key != EXTENDS}
        sections = {key: _on_top(found.get(key), value, depths.get(key, 1)) for key, value in own.items()}
        found = {**found, **sections}
    return found


def _on_top(below: Any, above: Any, depth: int) -> Any:
    if depth == 0 or not isinstance(below, dict) or not isinstance(above, dict):
        return above
    entries = {**below, **{key: _on_top(below.get(key), value, depth - 1) for key, value in above.items()}}
    return {key: value for key, value in entries.items() if value is not None}


def _base(path: Path, shown: str) -> str | None:
    content = yaml_content(path, shown)
    name = content.get(EXTENDS) if isinstance(content, dict) else None
    if name is not None and not isinstance(name, str):
        raise ConfigError(f"'{EXTENDS}' should be the name of a file without .yaml; it is {name!r}", where=path.name)
    return name
