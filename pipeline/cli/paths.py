"""Paths and names that the commands accept."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.config import Study, TrialKey, nearest
from pipeline.config.fields import NAME, NAME_RULE
from pipeline.errors import ConfigError


def check_utf8(*paths: Path) -> None:
    """Raise ConfigError if a path is not UTF-8, the encoding of tables and pages."""
    for path in paths:
        try:
            str(path).encode()
        except UnicodeEncodeError:
            raise ConfigError("its name is not UTF-8 text", where=str(path), remedy="Rename it") from None


def new_file(folder: Path, name: str, suffix: str) -> Path:
    """The path of a new file with a name that the user gave.

    Raises:
        ConfigError: the name is not a valid file name, or the file exists.
    """
    if not re.fullmatch(NAME, name):
        raise ConfigError(NAME_RULE, where=name, remedy="Choose another name")
    path = folder / f"{name}{suffix}"
    if path.exists():
        raise ConfigError("already exists", where=str(path), remedy="Choose another name, or delete it")
    return path


def walk_named(study: Study, name: str) -> TrialKey:
    """The walk of a study with the name SUBJECT/SESSION/WALK. Raises ConfigError if there is none."""
    known = {str(trial.key): trial.key for trial in study.walks}
    if name not in known:
        raise ConfigError(f"no walk '{name}'; {nearest(name, known)}", where=str(study.root))
    return known[name]
