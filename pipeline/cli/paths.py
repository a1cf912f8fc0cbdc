"""Paths and names that the commands accept."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.errors import ConfigError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
"""Name of a norm or of weights, and so of their file."""


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
    if not NAME.fullmatch(name):
        raise ConfigError('may contain only letters, digits, "_" and "-"', where=name, remedy="Choose another name")
    path = folder / f"{name}{suffix}"
    if path.exists():
        raise ConfigError("already exists", where=str(path), remedy="Choose another name, or delete it")
    return path
