"""Digests are computed again where anything of a file's state differs, and only there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.provenance import file_digest
from pipeline.workflow import known_digests
from pipeline.workflow.known_digests import RECORD, KnownDigests, contents

FILE, OTHER = Path("a.bin"), b"other content"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that were read in full."""
    names: list[str] = []

    def counted(path: Path) -> str:
        names.append(path.name)
        return file_digest(path)

    monkeypatch.setattr(known_digests, "file_digest", counted)
    return names


def digest(root: Path) -> str:
    known = KnownDigests(root, Path())
    found = known.digest(FILE)
    known.save()
    return found


def test_a_file_is_read_once_while_it_stays_as_it_is(tmp_path: Path, read: list[str]) -> None:
    (tmp_path / FILE).write_bytes(b"first content")
    first = digest(tmp_path)
    assert digest(tmp_path) == first == file_digest(tmp_path / FILE)
    assert read == ["a.bin"]


def test_a_file_of_the_same_size_and_time_is_read_again(tmp_path: Path, read: list[str]) -> None:
    path = tmp_path / FILE
    path.write_bytes(b"first content")
    before, status = digest(tmp_path), path.stat()
    path.write_bytes(OTHER)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert digest(tmp_path) == file_digest(path) != before
    (tmp_path / "b.bin").write_bytes(b"third content")
    os.replace(tmp_path / "b.bin", path)  # as a program does that writes whole files
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert digest(tmp_path) == file_digest(path)


@pytest.mark.parametrize("damage", [lambda b: b[:-3], lambda b: b.replace(b"1", b"2"), lambda b: b"[" * 9999])
def test_a_damaged_record_is_not_believed(tmp_path: Path, read: list[str], damage) -> None:
    (tmp_path / FILE).write_bytes(b"first content")
    first = digest(tmp_path)
    record = tmp_path / RECORD
    record.write_bytes(damage(record.read_bytes()))
    assert digest(tmp_path) == first
    assert read == ["a.bin", "a.bin"]


def test_the_contents_of_files_are_one_digest_with_their_names_and_absence(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("x")
    absent = contents([one, two])
    two.write_text("")
    empty = contents([one, two])
    two.write_text("y")
    one.touch()
    assert len({absent, empty, contents([one, two]), contents([one])}) == 4
    os.utime(one, (1e9, 1e9))
    before = contents([one, two])
    os.utime(two, (4e9, 4e9))
    assert contents([two, one]) == before, "neither times nor order count"
