"""Recordings are added to a study below the rows that it has."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.cli import add, draft, main
from pipeline.config import HOME, load_study
from pipeline.errors import AcquisitionError
from tests.small_study import write_files as files

from .test_commands import recording

STORED = {"stand": "static", "walk": "walk"}
"""Kinds of the first visit's trials."""


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of Ann, with a static trial and a walk before treatment; mass and height stand in the contents of the files."""

    def read(path: Path, forces: Path | None = None):
        if "broken" in path.name:
            raise AcquisitionError("is empty", where=path.name)
        mass, height = (float(word) for word in path.read_text().split()[:2])
        found = recording(0.05) if "stand" in path.stem else recording(2.0, 0.6)
        return replace(found, parameters={"Bodymass": mass, "Height": height})

    monkeypatch.setattr(draft, "read_trial", read)
    monkeypatch.setattr(add, "read_trial", read)
    files(tmp_path / "first", {"Ann/pre/stand.c3d": "60 1600 a", "Ann/pre/walk.c3d": "60 1600 b"})
    assert main(["new", str(tmp_path / "study"), "--from", str(tmp_path / "first")]) == 0
    return tmp_path / "study"


def added(study: Path, source: Path, *more: str) -> int:
    return main(["add", str(study), "--from", str(source), *more])


def keys(study: Path) -> set[tuple[str, ...]]:
    return {tuple(key) for key in load_study(study, HOME).trials}


def test_a_second_visit_stands_below_rows_that_stay_byte_for_byte(study: Path, tmp_path: Path, capsys) -> None:
    subjects, trials = (study / "config" / f"{name}.tsv" for name in ("subjects", "trials"))
    typed = subjects.read_text().replace("Ann\t\t", "Ann\tf\t")
    subjects.write_text(typed)
    before = trials.read_bytes().replace(b"\n", b"\r\n")
    trials.write_bytes(before)
    source = files(tmp_path / "second", {"Ann/post/stand.c3d": "61 1600 c", "Ann/post/orthosis/walk.c3d": "61 1600 d"})
    assert added(study, source) == 0
    told = capsys.readouterr().out
    assert "added: 2 trials, 1 new session (Ann/post)" in told
    assert "visits of Ann, in the order in which they are compared: pre, post;" in told
    assert "sex of Ann" not in told
    assert "apart" not in told, "1 kg is no other person"
    assert trials.read_bytes().startswith(before)
    assert subjects.read_text() == typed
    assert keys(study) == {
        *(("Ann", "pre", name) for name in ("stand", "walk")),
        *(("Ann", "post", name) for name in ("stand", "walk")),
    }
    assert load_study(study, HOME).trials["Ann", "post", "walk"].condition == "orthosis"
    assert added(study, source) == 0
    assert "nothing to add: the study already has all 2 recordings" in capsys.readouterr().out


def test_a_walk_added_to_a_visit_has_the_static_trial_of_the_visit(study: Path, tmp_path: Path, capsys) -> None:
    assert added(study, files(tmp_path / "more", {"Ann/pre/late.c3d": "60 1600 e"})) == 0
    told = capsys.readouterr().out
    assert "[x] static trial of Ann/pre: stand, which the study has already" in told
    assert "calibrate themselves" not in told
    assert load_study(study, HOME).static_of(load_study(study, HOME).trials["Ann", "pre", "late"]).trial == "stand"
    assert added(study, files(tmp_path / "other", {"Ann/post/late.c3d": "60 1600 f"})) == 0
    assert "[ ] static trial of Ann/post: none; walks calibrate themselves" in capsys.readouterr().out


def test_a_copy_of_a_recording_is_left_out_and_a_name_that_is_taken_gets_a_number(study, tmp_path, capsys) -> None:
    source = files(tmp_path / "more", {"Ann/pre/again.c3d": "60 1600 b", "Ann/pre/Walk.c3d": "60 1600 new"})
    assert added(study, source) == 0
    told = capsys.readouterr().out
    assert "left out: 1 recording that the study already has" in told
    assert "session pre of Ann already had trials" in told
    assert ("Ann", "pre", "Walk_2") in keys(study)


def test_a_static_trial_that_was_copied_from_another_visit_is_added_with_the_walks(study: Path, tmp_path: Path) -> None:
    copied = {"Ann/post/stand.c3d": "60 1600 a", "Ann/post/again.c3d": "60 1600 b"}
    others = {"Bob/pre/stand.c3d": "60 1600 a", "Bob/pre/walk.c3d": "60 1600 e"}
    alone = files(tmp_path / "alone", copied)
    before = keys(study)
    assert added(study, alone) == 0
    assert keys(study) == before, "copies alone are no visit"
    source = files(tmp_path / "more", copied | others | {"Ann/post/walk.c3d": "60 1600 d"})
    for _ in range(2):
        assert added(study, source) == 0
        assert keys(study) - before == {("Ann", "post", "stand"), ("Ann", "post", "walk"), ("Bob", "pre", "walk")}


def test_tables_that_a_spreadsheet_wrote_are_read_as_by_check(study: Path, tmp_path: Path, capsys) -> None:
    """With a byte-order mark, blanks around cells, blank columns and rows, and without columns that were blank."""
    table = "trial \tsubject\t kind\tsession\tfile\t\t"
    rows = [f"{name}\tAnn \t{kind}\tpre \t ../first/Ann/pre/{name}.c3d \t\t" for name, kind in STORED.items()]
    (study / "config/trials.tsv").write_bytes("\r\n".join(["\ufeff", table, *rows, "\t\t\t\t\t\t", ""]).encode())
    known = keys(study)
    assert added(study, tmp_path / "first") == 0
    assert "nothing to add: the study already has all 2 recordings" in capsys.readouterr().out
    assert added(study, files(tmp_path / "more", {"Ann/pre/orthosis/walk.c3d": "60 1600 new"})) == 0
    assert keys(study) == known | {("Ann", "pre", "walk_2")}
    assert load_study(study, HOME).trials["Ann", "pre", "walk_2"].condition == "orthosis"


def test_a_folder_may_be_of_one_subject(study: Path, tmp_path: Path) -> None:
    assert added(study, files(tmp_path / "new/Ann", {"post/walk.c3d": "60 1600 e"})) == 0
    assert (
        added(study, files(tmp_path / "card", {"walk.c3d": "60 1600 f"}), "--subject", "Ann", "--session", "late") == 0
    )
    assert {("Ann", "post", "walk"), ("Ann", "late", "walk")} <= keys(study)


def test_visits_in_the_folder_of_one_subject_are_added_in_the_order_of_time(study: Path, tmp_path: Path) -> None:
    names = ("post", "before", "visit10", "visit2")
    source = files(tmp_path / "Ann", {f"{name}/walk.c3d": f"60 1600 {name}" for name in names})
    assert added(study, source) == 0
    visits = dict.fromkeys(key.session for key in load_study(study, HOME).trials.values())
    assert list(visits) == ["pre", "before", "visit2", "visit10", "post"]


def test_another_body_is_told_with_both_values(study: Path, tmp_path: Path, capsys) -> None:
    assert added(study, files(tmp_path / "second", {"Ann/post/walk.c3d": "70 1700 g"})) == 0
    told = capsys.readouterr().out
    assert "body mass 60 kg in session pre and 70 kg in session post (walk, added), 17 % apart (limit 5 %)" in told
    assert "height 1600 mm in session pre and 1700 mm in session post (walk, added), 6 % apart (limit 2 %)" in told


def test_a_new_subject_is_added_and_one_that_cannot_be_read_left_blank(study: Path, tmp_path: Path) -> None:
    source = files(tmp_path / "other", {"Bob/walk.c3d": "80 1800 h", "Bob/broken.c3d": ""})
    assert added(study, source) == 0
    now = load_study(study, HOME)
    assert set(now.subjects) == {"Ann", "Bob"}
    assert now.skipped == (("Bob", "1", "broken"),)


def test_columns_that_a_table_lacks_are_added(study: Path, tmp_path: Path) -> None:
    trials = study / "config/trials.tsv"
    trials.write_text("trial\tsubject\tkind\tfile\nwalk\tAnn\twalk\t../first/Ann/pre/walk.c3d\n")
    assert added(study, files(tmp_path / "second", {"Ann/post/walk.c3d": "60 1600 i"})) == 0
    assert trials.read_text().splitlines()[0].split("\t")[:5] == ["trial", "subject", "kind", "file", "session"]
    assert keys(study) == {("Ann", "1", "walk"), ("Ann", "post", "walk")}


def test_nothing_changes_where_the_tables_would_not_be_valid(study: Path, tmp_path: Path, capsys) -> None:
    """A second static trial of the session leaves open which one calibrates the walk that is there."""
    before = (study / "config/trials.tsv").read_bytes()
    assert added(study, files(tmp_path / "late", {"Ann/pre/stand again.c3d": "60 1600 j"})) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "has 2 static trials for this walk" in told
    assert "Nothing was added: correct the tables first, or name another visit with --session" in told
    assert (study / "config/trials.tsv").read_bytes() == before


def test_an_unreadable_file_is_left_blank_and_copies_are_told(study: Path, tmp_path: Path, capsys) -> None:
    source = files(tmp_path / "next", {"Ann/post/1.c3d": "60 1600 e", "Bob/pre/2.c3d": "60 1600 e"})
    (source / "Ann/post/broken.c3d").symlink_to(tmp_path / "nowhere.c3d")
    assert added(study, source) == 0
    assert {("Ann", "post", "1"), ("Bob", "pre", "2")} <= keys(study)
    assert load_study(study, HOME).skipped == (("Ann", "post", "broken"),)
    told = capsys.readouterr().out
    assert "the same recording as Ann/post/1" in told
    capsys.readouterr()
    again = files(tmp_path / "again", {"Ann/post/copy.c3d": "60 1600 e", "Ann/post/3.c3d": "60 1600 f"})
    assert added(study, again) == 0
    assert f"already has: {again / 'Ann/post/copy.c3d'}" in capsys.readouterr().out


def test_folders_of_two_people_that_are_one_name_in_the_tables_are_refused(study: Path, tmp_path: Path, capsys) -> None:
    name = "M\N{LATIN SMALL LETTER U WITH DIAERESIS}ller"
    assert added(study, files(tmp_path / "one", {f"{name}/1.c3d": "60 1600 g"})) == 0
    other = files(tmp_path / "other", {"M\N{LATIN SMALL LETTER O WITH DIAERESIS}ller/2.c3d": "60 1600 h"})
    before = keys(study)
    assert added(study, other) == 2
    assert "would be of M_ller, whose recordings are in" in capsys.readouterr().err
    assert keys(study) == before
    assert added(study, other / "M\N{LATIN SMALL LETTER O WITH DIAERESIS}ller", "--subject", "M_ller") == 0
    of_a_mac = files(tmp_path / "mac", {f"{unicodedata.normalize('NFD', name)}/3.c3d": "60 1600 i"})
    assert added(study, of_a_mac) == 0
    assert added(study, files(tmp_path / "named", {"M_ller/4.c3d": "60 1600 j"})) == 0
    assert {subject for subject, *_ in keys(study)} == {"Ann", "M_ller"}
