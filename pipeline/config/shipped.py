"""Location of the files shipped with the package: Snakefile, marker sets, norms, skeleton, templates, profiles.

In a checkout they are next to the package, and the repository's root is itself a study; a wheel contains a copy.
"""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parents[1]
_IN_WHEEL = _PACKAGE / "home"  # setup.py writes it

HOME = _IN_WHEEL if _IN_WHEEL.is_dir() else _PACKAGE.parent
"""The folder of the Snakefile."""

MARKER_SETS = HOME / "config/marker_sets"
"""Folder of the shipped marker sets."""


def check_home(home: Path = HOME) -> None:
    """Raise ConfigError if the workflow cannot run in this folder: a brace in an input's path means a wildcard."""
    if set("{}") & set(str(home)):
        remedy = "Install the program in a folder without braces"
        raise ConfigError("has a brace in its path, which is a wildcard for Snakemake", where=str(home), remedy=remedy)
