"""Sets aside what a damaged file belongs to, so that the next run computes it again."""

from __future__ import annotations

import shutil
from pathlib import Path

from pipeline.results import DamagedFileError

SUFFIX = ".damaged"


def set_aside(error: DamagedFileError) -> str:
    """Rename the stage's folder in which a damaged file lies, and say so in one sentence.

    The workflow's record knows folders: where one is missing, its session's stage is computed again.
    """
    folder = error.path.parent
    aside = folder.with_name(folder.name + SUFFIX)
    _move(folder, aside)
    return f"{error}; its folder was set aside as {aside}"


def _move(folder: Path, aside: Path) -> None:
    try:
        shutil.rmtree(aside, ignore_errors=True)
        folder.rename(aside)
    except FileNotFoundError:  # another job found it first
        return
