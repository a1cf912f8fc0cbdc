"""Where the files are that ship with the package: Snakefile, marker sets, norms, skeleton, templates, profiles.

In a checkout they stand beside the package, where the repository's root is itself a study; a wheel has a copy within.
"""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parents[1]
_IN_WHEEL = _PACKAGE / "home"  # setup.py writes it

HOME = _IN_WHEEL if _IN_WHEEL.is_dir() else _PACKAGE.parent
"""The folder of the Snakefile."""

MARKER_SETS = HOME / "config/marker_sets"
"""Those that ship."""


def check_home(home: Path = HOME) -> None:
    """Raise ConfigError where the workflow cannot run: a brace in the path of an input stands for a wildcard."""
    if set("{}") & set(str(home)):
        remedy = "Install the program in a folder without braces"
        raise ConfigError(
            "has a brace in its path, which Snakemake takes for a wildcard", where=str(home), remedy=remedy
        )
