"""Lists of checksums: sha256sum reads them, and what is not as it was written is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline.results import SUMS, ChecksumError, read_sums, seal_folder

FOLDER = Path("data/results/Ann/day 1/raw")


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    FOLDER.mkdir(parents=True)
    for name in ("w.h5", "it's $HOME.h5", ".hidden"):
        (FOLDER / name).write_bytes(name.encode())
    seal_folder(FOLDER)
    return FOLDER / SUMS


def test_the_list_has_all_files_of_the_folder_by_their_paths(sealed: Path) -> None:
    assert set(read_sums(sealed)) == {FOLDER / "w.h5", FOLDER / "it's $HOME.h5"}
    before = sealed.read_bytes()
    seal_folder(FOLDER)
    assert sealed.read_bytes() == before


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="there is no sha256sum")
def test_sha256sum_checks_it(sealed: Path) -> None:
    check = ["sha256sum", "--check", "--strict", str(sealed)]
    assert subprocess.run(check, capture_output=True).returncode == 0
    (FOLDER / "w.h5").write_bytes(b"another")
    assert subprocess.run(check, capture_output=True).returncode != 0


@pytest.mark.parametrize("damage", [lambda b: b[:-1], lambda b: b[:-20], lambda b: b"x" + b, lambda b: b"\xff\xfe"])
def test_a_damaged_list_is_refused(sealed: Path, damage) -> None:
    sealed.write_bytes(damage(sealed.read_bytes()))
    with pytest.raises(ChecksumError):
        read_sums(sealed)


def test_a_missing_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ChecksumError, match="cannot be read"):
        read_sums(tmp_path / SUMS)
