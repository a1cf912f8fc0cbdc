"""Digest appended to a results file, so that a file that changed after it was written is never read.

HDF5 libraries read the end of a file's contents from its first bytes and ignore what follows. One line of text is
appended there, with the SHA-256 of everything before it. A program that changes the file removes the line or leaves a
wrong digest.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from pipeline.errors import ResultsError

_TITLE = b"\ngait-pipeline results, SHA-256 of what precedes this line: "
_HEXADECIMAL = 2 * hashlib.sha256().digest_size
_LINE = len(_TITLE) + _HEXADECIMAL + 1
"""Size of the line with the digest, bytes."""

_PIECE = 1 << 20
"""Amount of a file that is read at once, bytes."""


class DamagedFileError(ResultsError):
    """A results file, at its path, does not have the contents that were written."""

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        super().__init__(problem, where=str(path), remedy="Run the workflow again: it will be recomputed")

    def __reduce__(self) -> tuple[type[DamagedFileError], tuple[Path, str]]:
        return type(self), (self.path, self.problem)


def seal(path: Path) -> None:
    """Append the digest of an HDF5 file's contents to the file."""
    with path.open("r+b") as file:
        digest = _digest(file, path.stat().st_size)
        file.write(_TITLE + digest.encode() + b"\n")


def verified_digest(path: Path) -> str:
    """Check a results file against its digest; return the SHA-256 of its contents, hexadecimal.

    Raises:
        DamagedFileError: the contents are not those that were written, or the file has no digest.
        OSError: there is no such file, or it cannot be read.
    """
    status = path.stat()
    return _verified_digest(path, status.st_size, status.st_mtime_ns, status.st_ino)


@lru_cache(maxsize=256)
def _verified_digest(path: Path, size: int, *_status: int) -> str:
    """Cached for each state of a file, since a stage reads a file's status and its parts one after another."""
    with path.open("rb") as file:
        found = _digest(file, size - _LINE)
        line = file.read()
    if not (line.startswith(_TITLE) and line.endswith(b"\n") and len(line) == _LINE):
        raise DamagedFileError(path, "is damaged, or not a results file of this version: it has no digest")
    written = line[len(_TITLE) : -1].decode("ascii", errors="replace")
    if written != found:
        raise DamagedFileError(path, f"is damaged: its contents have the digest {found[:12]} instead of {written[:12]}")
    return found


def _digest(file: BinaryIO, size: int) -> str:
    """Hexadecimal SHA-256 of the first bytes of a file; the file's position is then at their end."""
    digest = hashlib.sha256()
    while piece := file.read(max(0, min(_PIECE, size - file.tell()))):
        digest.update(piece)
    return digest.hexdigest()
