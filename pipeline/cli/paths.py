"""Which paths the commands accept."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import ConfigError


def check_utf8(*paths: Path) -> None:
    """Raise ConfigError where a path is not UTF-8, in which tables and pages are written."""
    for path in paths:
        try:
            str(path).encode()
        except UnicodeEncodeError:
            raise ConfigError("its name is not UTF-8 text", where=str(path), remedy="Rename it") from None
