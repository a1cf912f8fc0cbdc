"""Files that get their final names only when they are complete; until then they have hidden names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """A path to write next to each file; all get the files' names at the end of the block, none after an error.

    The paths have the files' suffixes and hidden names that no other process uses. Missing folders are created.

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
    """Files of a folder that match a pattern, sorted, without hidden ones.

    A file is hidden if its name, or that of a folder above it, begins with a dot: it is still being written, or was
    added by macOS on a shared drive (``._walk.c3d``, ``.DS_Store``).
    """
    found = (path for path in folder.glob(pattern) if path.is_file())
    return sorted(path for path in found if not any(part[0] == "." for part in path.relative_to(folder).parts))


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 with ``\\n`` line endings, completely or not at all."""
    write_texts({path: text})


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write the text of each file in the same way, all of them or none."""
    with written_whole(*texts) as beside:
        for path, text in zip(beside, texts.values(), strict=True):
            path.write_text(text, encoding="utf-8", newline="\n")
