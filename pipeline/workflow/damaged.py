"""Sets aside the folder of a damaged file, so that the next run computes it again."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from pipeline.results import DamagedFileError

SUFFIX = ".damaged"


def set_aside(error: DamagedFileError) -> str:
    """Rename the folder of the stage in which a damaged file lies, and report it in one sentence.

    The workflow keeps records of folders: if one is missing, its session's stage is computed again.
    """
    return f"{error}; its folder was set aside as {set_aside_path(error.path.parent)}"


def set_aside_path(path: Path) -> Path:
    """Rename a folder or file, replacing one set aside there before; the new name."""
    aside = path.with_name(path.name + SUFFIX)
    with suppress(FileNotFoundError):  # another job found it first
        if aside.is_dir():
            shutil.rmtree(aside, ignore_errors=True)
        path.replace(aside)
    return aside
