"""Which paths the commands accept."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.errors import ConfigError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
"""Of a norm or of weights, and so of their file."""


def check_utf8(*paths: Path) -> None:
    """Raise ConfigError where a path is not UTF-8, in which tables and pages are written."""
    for path in paths:
        try:
            str(path).encode()
        except UnicodeEncodeError:
            raise ConfigError("its name is not UTF-8 text", where=str(path), remedy="Rename it") from None


def new_file(folder: Path, name: str, suffix: str) -> Path:
    """The path of a file that a command is to write under a name that its user gave.

    Raises:
        ConfigError: the name is no name of a file, or the file exists.
    """
    if not NAME.fullmatch(name):
        raise ConfigError('may have letters, digits, "_" and "-" only', where=name, remedy="Choose another name")
    path = folder / f"{name}{suffix}"
    if path.exists():
        raise ConfigError("exists already", where=str(path), remedy="Choose another name, or delete it")
    return path
