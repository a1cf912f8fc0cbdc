"""Read a marker set's file, merged with the sets that it extends, and check every name in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.references import undefined_names
from pipeline.config import MARKER_SETS, extended_files, load_yaml, merged, yaml_content
from pipeline.errors import ConfigError

SKELETON_DEPTH = 2
"""Depth of merging: the section ``skeleton`` has sections of its own."""


def load_marker_set(path: Path) -> MarkerSet:
    """Read and check a marker set.

    Args:
        path: YAML file; the set that it extends is in the same folder or ships with the pipeline.

    Raises:
        ConfigError: lists everything that is wrong: not YAML, an unknown key (with the nearest known one), a missing or
            contradictory entry, a reference to something undefined, a set to extend that does not exist.
    """
    shown = f"marker set {path.name}"

    def completed(content: Any) -> Any:
        if not isinstance(content, dict):
            return content
        bases = [yaml_content(base, f"marker set {base.name}") for base in extended_files(path, MARKER_SETS, shown)[1:]]
        if not all(isinstance(base, dict) for base in bases):
            raise ConfigError("extends a file that is not a mapping of keys to values", where=shown)
        return merged([{"name": path.stem} | content, *bases], {"skeleton": SKELETON_DEPTH})

    found = load_yaml(path, shown, MarkerSet, completed)
    if problems := list(undefined_names(found)):
        raise ConfigError("\n  ".join(problems), where=shown)
    return found
