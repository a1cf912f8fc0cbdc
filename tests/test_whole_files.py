"""Files appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.whole_files import files_in, write_text, written_whole


def test_after_an_error_all_files_are_as_before_and_nothing_is_left_beside_them(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "deep/other.csv.gz"
    one.write_text("as before")

    def fill_the_disk() -> None:
        with written_whole(one, other) as beside:
            for path in beside:
                path.write_text("half of it")
            raise OSError("disk is full")

    with pytest.raises(OSError, match="disk is full"):
        fill_the_disk()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [one]
    assert one.read_text() == "as before"


def test_files_take_their_names_at_the_end_with_their_suffixes_until_then(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "deep/other.csv.gz"
    with written_whole(one, other) as beside:
        for path, final in zip(beside, (one, other), strict=True):
            assert path.parent == final.parent
            assert path.suffix == final.suffix
            path.write_text(final.name)
            assert not final.exists()
    assert [path.read_text() for path in (one, other)] == ["one.csv", "other.csv.gz"]
    assert not any(path.exists() for path in beside)


def test_files_in_a_folder_are_neither_hidden_ones_nor_those_still_being_written(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yaml", "._a.yaml", "other.txt", "folder.yaml/c.yaml", ".hidden/d.yaml"):
        write_text(tmp_path / name, "")
    with written_whole(tmp_path / "e.yaml") as (beside,):
        beside.write_text("half")
        assert [path.name for path in files_in(tmp_path, "*.yaml")] == ["a.yaml", "b.yaml"]
    assert files_in(tmp_path / "missing", "*.yaml") == []


def test_text_is_utf8_with_plain_line_ends(tmp_path: Path) -> None:
    write_text(tmp_path / "new/list.txt", "Gehgeschwindigkeit für alle\nzwei\n")
    assert (tmp_path / "new/list.txt").read_bytes() == "Gehgeschwindigkeit für alle\nzwei\n".encode()
