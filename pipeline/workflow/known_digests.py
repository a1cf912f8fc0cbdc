"""Digests of files, computed again only if a file's size, times or place on the disk have changed.

A program cannot set the time of a change of the file's entry (ctime), so a file replaced by one of the same size and
time is read again too. The record is only a shortcut: without it, or if it is not as it was written, every file is
read.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from pipeline.provenance import file_digest
from pipeline.whole_files import write_text

RECORD = ".digests"
"""Name of the record in a folder of results."""

State = tuple[int, int, int, int]


class KnownDigests:
    """The digests of a session's files, or of a study's.

    Names in the record, which is in ``folder``, and this folder are relative to ``root``, the study's.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self._root, self._path = root, root / folder / RECORD
        self._before = _read(self._path)
        self._now: dict[str, list[int | str]] = {}

    def digest(self, path: Path) -> str:
        """Hexadecimal SHA-256 of a file, given relative to the study's folder. Raises OSError if it cannot be read."""
        name = path.as_posix()
        state = state_of(os.path.join(self._root, name))
        *before, known = self._before.get(name, [""])
        found = str(known) if known and tuple(before) == state else file_digest(self._root / path)
        self._now[name] = [*state, found]
        return found

    def digests(self) -> list[tuple[str, str]]:
        """Names and digests of all files requested so far."""
        return [(name, str(entry[-1])) for name, entry in self._now.items() if len(entry) > 1]

    def was_noted(self, name: str, value: str) -> bool:
        """Whether a word was noted when the record was written."""
        return self._before.get(name) == [value]

    def note(self, name: str, value: str) -> None:
        """Store a word with the digests."""
        self._now[name] = [value]

    def save(self) -> None:
        """Store the requested digests if they changed; a full or read-only disk only costs the shortcut."""
        if self._now == self._before:
            return
        text = json.dumps(self._now, sort_keys=True, separators=(",", ":"))
        keep(self._path, f"{_checksum(text)}\n{text}")


def keep(path: Path, text: str) -> None:
    """Write a record, completely or not at all; a full or read-only disk only costs the shortcut."""
    with suppress(OSError):
        write_text(path, text)


def state_of(path: Path | str) -> State:
    """Size, times and place of a file, which change with its contents. Raises OSError if there is none."""
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def contents(paths: Iterable[Path | str]) -> str:
    """One digest of the names and contents of files; a missing file counts as missing."""
    found = []
    for path in map(Path, paths):
        try:
            found.append((path.name, file_contents(path)))
        except OSError:
            found.append((path.name, ""))
    return combined(found)


def file_contents(path: Path) -> str:
    """Digest of a file that several sessions read. Raises OSError if it cannot be read."""
    return _digest(path, state_of(path))


def combined(digests: Iterable[tuple[str, str]]) -> str:
    """One digest of names and digests."""
    return hashlib.sha256(json.dumps(sorted(digests)).encode()).hexdigest()


@lru_cache(maxsize=1024)
def _digest(path: Path, _state: State) -> str:
    """Cached, since every session requests the files of the configuration."""
    return file_digest(path)


def _read(path: Path) -> dict[str, list[int | str]]:
    try:
        checksum, _, text = path.read_text(encoding="utf-8").partition("\n")
        return json.loads(text) if checksum == _checksum(text) else {}
    except (OSError, ValueError):
        return {}


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
