"""Files that take their final names only when they are whole; until then their names are hidden ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """A path to write beside each file; all take the files' names at the end of the block, none after an error.

    The paths have the files' suffixes and hidden names that no other process has. Missing folders are made.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "walks/list.txt"
    >>> with written_whole(file) as (beside,):
    ...     _ = beside.write_text("walk 1")
    ...     file.exists()
    False
    >>> file.read_text()
    'walk 1'
    """
    beside = tuple(path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}") for path in paths)
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        yield beside
        for own, path in zip(beside, paths, strict=True):
            os.replace(own, path)
    finally:
        for own in beside:
            own.unlink(missing_ok=True)


def files_in(folder: Path, pattern: str) -> list[Path]:
    """Files of a folder that match a pattern, in order, without those whose names begin with a dot.

    These are files that are still being written, and what macOS adds on shared drives (``._walk.c3d``, ``.DS_Store``).
    """
    return sorted(path for path in folder.glob(pattern) if path.name[0] != "." and path.is_file())


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 with ``\\n`` at the ends of its lines, whole or not at all."""
    with written_whole(path) as (beside,):
        beside.write_text(text, encoding="utf-8", newline="\n")
