"""Checksums of files, in the format of sha256sum: ``sha256sum -c FILE`` in the study's folder checks a list.

A list names its files by their paths relative to the study's folder, so that no file or folder can be mistaken for
another one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from pipeline.errors import ResultsError
from pipeline.provenance import file_digest
from pipeline.whole_files import write_text

SUMS = "SHA256SUMS"
"""Name of the list, within a folder, of all files of that folder."""

_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class ChecksumError(ResultsError):
    """A list of checksums is missing or was changed after it was written."""


def write_sums(listed: Path, files: Iterable[Path]) -> None:
    """Write the list of files, whole or not at all; their paths are relative to the study's folder, the current one."""
    lines = [f"{file_digest(path)}  {path.as_posix()}" for path in sorted(files)]
    write_text(listed, "".join(f"{line}\n" for line in lines))


def seal_folder(folder: Path) -> None:
    """Write a list of all files of a folder into it."""
    write_sums(folder / SUMS, listed_files(folder))


def listed_files(folder: Path) -> list[Path]:
    """Files of a folder except hidden ones and its list."""
    return [Path(entry.path) for entry in os.scandir(folder) if entry.name != SUMS and not entry.name.startswith(".")]


def read_sums(listed: Path) -> dict[Path, str]:
    """Digest of each file by its path relative to the study's folder.

    Raises:
        ChecksumError: there is no such list, or it was changed after it was written.
    """
    try:
        lines = listed.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ChecksumError("its list of checksums cannot be read", where=str(listed)) from error
    found = [_LINE.fullmatch(line) for line in lines[:-1]]
    if lines[-1] or not all(found):
        raise ChecksumError("is a list of checksums that changed after it was written", where=str(listed))
    return {Path(match[2]): match[1] for match in found if match}
