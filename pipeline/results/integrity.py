"""Digest of a results file in the HDF5 user block, so that a file that changed after it was written is never read.

The user block is the part of an HDF5 file before its first byte of data, which HDF5 libraries skip. It holds one line
of text, the SHA-256 of all that follows.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from pipeline.errors import ResultsError

USER_BLOCK = 512
"""Size of the user block, bytes: the smallest that HDF5 allows."""

_TITLE = b"gait-pipeline results, SHA-256 of what follows these 512 bytes: "


class DamagedFileError(ResultsError):
    """A results file does not have the contents that were written.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        super().__init__(problem, where=str(path), remedy="Run the workflow again: it is computed anew")


def seal(path: Path) -> None:
    """Write the digest of an HDF5 file's contents into its user block."""
    with path.open("r+b") as file:
        file.seek(USER_BLOCK)
        digest = hashlib.file_digest(file, "sha256").hexdigest().encode()
        file.seek(0)
        file.write((_TITLE + digest + b"\n").ljust(USER_BLOCK, b"\0"))


def verified_digest(path: Path) -> str:
    """Hexadecimal SHA-256 of a results file's contents, which are those that were written.

    Raises:
        DamagedFileError: they are not, or the file has no digest.
        OSError: there is no such file, or it cannot be read.
    """
    status = path.stat()
    return _verified_digest(path, status.st_size, status.st_mtime_ns, status.st_ino)


@lru_cache(maxsize=256)
def _verified_digest(path: Path, *_status: int) -> str:
    """Once for each state of a file: a stage reads a file's status and its parts one after another."""
    with path.open("rb") as file:
        block = file.read(USER_BLOCK)
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if not block.startswith(_TITLE):
        raise DamagedFileError(path, "is damaged or not a results file of this program: it has no digest")
    written = block[len(_TITLE) :].rstrip(b"\n\0").decode("ascii", errors="replace")
    if written != found:
        raise DamagedFileError(
            path, f"is damaged: its contents have the digest {found[:12]}, {written[:12]} was written"
        )
    return found
