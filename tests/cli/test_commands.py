"""A study is drafted from a folder of C3D files; only values that no file contains are left to fill in."""

from __future__ import annotations

import errno
import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from pipeline.cli import draft, main
from pipeline.cli.check import describe
from pipeline.cli.checklist import checklist
from pipeline.config import HOME, load_study
from pipeline.errors import AcquisitionError, ConfigError
from pipeline.math3d import Wrench
from pipeline.provenance import PACKAGE_ROOT
from pipeline.trial import Event, ForcePlate, Note, RawTrial
from tests.recordings import recording_of
from tests.small_study import write_files, write_study


def recording(travel: float, striding: float = 0.0) -> RawTrial:
    """Four markers that travel together, over which the lower two, the feet, move forwards and backwards."""
    frames = 50
    markers = np.random.default_rng(2).normal(size=(1, 4, 3)).repeat(frames, axis=0)
    markers[:, :, 1] = [0.9, 0.9, 0.05, 0.04]
    markers[:, :, 0] += np.linspace(0, travel, frames)[:, None]
    markers[:, 2:, 0] += 0.5 * striding * np.sin(np.linspace(0.0, 6.3, frames))[:, None]
    markers[3] = np.nan
    markers[5:30, 1] = np.nan
    load = Wrench(np.full((frames, 3), 700.0), np.zeros(3), np.zeros(3))
    return recording_of(
        dict(zip(("LASI", "RASI", "LHEE", "RHEE"), markers.swapaxes(0, 1), strict=True)),
        name="t",
        analog_rate=100.0,
        analog_time=np.arange(frames) / 100,
        plates=(ForcePlate(1, 2, np.zeros((4, 3)), load),),
        events=(Event(0.1, "left", "initial contact", "file"),),
        parameters={"Height": 1580.0},
        notes=(Note("assumed", "axes", "up is Z"),),
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def read(path: Path, forces: Path | None = None) -> RawTrial:
        if "broken" in path.name:
            raise AcquisitionError("is empty", where=path.name)
        return recording(0.05) if "stand" in path.stem else recording(2.0, 0.6)

    monkeypatch.setattr(draft, "read_trial", read)
    names = ("stand 1.c3d", "walk.C3D", "Walk.c3d", "broken.c3d", "note.txt")
    return write_files(tmp_path / "files", [f"Ann B/{name}" for name in names])


def test_a_draft_needs_only_the_sex_to_be_a_good_study(folder: Path, tmp_path: Path, capsys) -> None:
    study, home = tmp_path / "study", tmp_path / "home"
    assert main(["new", str(study), "--from", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "sex of Ann_B: in no file; until it is in subjects.tsv, the legs have the mean" in told
    assert "undecided, and skipped until 'kind' is filled in" in told
    assert "cannot be read: is empty" in told
    assert main(["check", str(study), "--tables"]) == 0
    assert "skipped, because its kind is blank in trials.tsv: Ann_B/1/broken" in capsys.readouterr().out
    assert main(["check", str(study)]) == 1, "the files are empty"
    told = capsys.readouterr().out
    assert "3 of 3 trials will fail" in told
    assert "Ann_B/1: stand_1, Walk, walk_2 at ingest" not in told, "each file has a reason of its own, with its name"
    assert "  Ann_B/1: stand_1 at ingest: " in told
    write_files(home / "config", ["marker_sets/plug_in_gait.yaml", "norms/schwartz2008.json"])
    table = study / "config/subjects.tsv"
    table.write_text(table.read_text().replace("Ann_B\t\t", "Ann_B\tf\t"))
    drafted = load_study(study, home)
    trials = drafted.trials
    assert drafted.skipped == (("Ann_B", "1", "broken"),)
    assert not any(trial.notes for trial in trials.values()), "reports show remarks: they are the laboratory's own"
    assert {key[:2] for key in trials} == {("Ann_B", "1")}
    kinds = {key.trial: trial.kind for key, trial in trials.items()}
    assert kinds == {"Walk": "walk", "walk_2": "walk", "stand_1": "static"}


def test_of_two_static_trials_that_of_most_markers_is_named_and_a_draft_passes_the_check() -> None:
    rows = [("w", "walk", 3, "a"), ("s1", "static", 5, "a"), ("s2", "static", 4, "a"), ("w", "walk", 3, "b")]
    rows += [("s1", "static", 4, "b"), ("s2", "static", 4, "b"), ("w", "walk", 3, "c"), ("s", "static", 4, "c")]
    drafts = [
        draft.Draft(name, "S", session, "", kind, f"{name}.c3d", "", "", labels=labels)
        for name, kind, labels, session in rows
    ]
    chosen = list(draft.with_statics(drafts))
    assert [row.static for row in chosen if row.kind == "walk"] == ["s1", "s2", ""]
    told = "\n".join(checklist(Path("study"), chosen))
    assert "static trials of S/a: s1 (5 markers), s2 (4 markers); s1 is used, the one with most markers" in told
    assert "s2 is used, the last by file name" in told
    assert "[x] static trial of S/c: s" in told
    assert "no marker set fits w, s1, s2" in told


def test_a_walk_has_the_marker_set_of_its_static_trial_where_its_labels_match_that_too() -> None:
    """A walk of Plug-in Gait with CGM2's labels needs no alignment device, which its static trial has."""
    static = draft.Draft("s", "S", "", "a", "static", "s.c3d", "plug_in_gait", "", fits=("plug_in_gait",))
    walk = draft.Draft("w", "S", "", "a", "walk", "w.c3d", "cgm2", "", fits=("cgm2", "plug_in_gait"))
    other = draft.Draft("v", "S", "", "b", "walk", "v.c3d", "helen_hayes", "", fits=("helen_hayes",))
    chosen = list(draft.with_sets_of_statics([static, walk, other]))
    assert [row.marker_set for row in chosen] == ["plug_in_gait", "plug_in_gait", "helen_hayes"]
    assert "plug_in_gait like its static trial s" in chosen[1].remark


def test_folders_within_a_subject_s_are_its_sessions_and_conditions(tmp_path: Path) -> None:
    owners = {
        "w.c3d": ("all", "", ""),
        "Ann/w.c3d": ("Ann", "", ""),
        "Ann/ses-01/w.c3d": ("Ann", "ses-01", ""),
        "Ann/2024-05-31/w.c3d": ("Ann", "2024-05-31", ""),
        "Ann/visit 2/w.c3d": ("Ann", "visit_2", ""),
        "Ann/barefoot/w.c3d": ("Ann", "", "barefoot"),
        "Ann/May/with orthosis/w.c3d": ("Ann", "May", "with_orthosis"),
        "Ann/pre/shod/fast/w.c3d": ("Ann", "pre", "shod_fast"),
    }
    assert {name: draft.owner_of(tmp_path / "all" / name, tmp_path / "all") for name in owners} == owners


@pytest.mark.parametrize(
    ("session", "day"),
    [
        *[(name, "2024-05-31") for name in ("2024-05-31", "20240531", "2024-05-31_baseline", "20240531-after")],
        *[(name, "") for name in ("2024-13-31", "12345678", "202405311", "pre")],
    ],
)
def test_a_session_whose_name_begins_with_its_day_has_it_as_date(session: str, day: str) -> None:
    row = draft.Draft("w", "Ann", session, "", "walk", "w.c3d", "", "")
    assert draft.cells(row, "").get("date", "") == day


def test_visits_are_drafted_and_compared_in_the_order_in_which_they_took_place(folder: Path, tmp_path: Path) -> None:
    visits = {
        "Ann": ["pre", "post"],
        "Bob": ["before surgery", "after surgery"],
        "Cal": ["visit2", "visit10"],
        "Dan": ["28.11.2024", "03.02.2025"],
        "Eve": ["baseline", "2024-05-31", "follow-up 1"],
        "Fay": ["1/barefoot", "1/AFO"],
    }
    places = [f"{subject}/{visit}/walk.c3d" for subject, names in visits.items() for visit in names]
    write_files(tmp_path / "visits", places)
    drafts = draft.draft_study(tmp_path / "study", tmp_path / "visits")
    study = load_study(tmp_path / "study", HOME)
    compared = [
        (row.subject, *("/".join(filter(None, group)) for group in (row.first, row.second)))
        for row in study.comparisons
    ]
    assert compared == [
        (subject, *(visit.replace(" ", "_").replace(".", "_") for visit in (first, second)))
        for subject, names in visits.items()
        for first, second in pairwise(names)
    ]
    told = "\n".join(checklist(tmp_path / "study", drafts))
    assert "visits of Ann, in the order in which they are compared: pre, post; if it is wrong, fill in 'date'" in told


def test_the_order_of_visits_is_to_check_only_if_the_table_lacks_a_date() -> None:
    def told(*visits: str, **before: bool) -> str:
        drafts = [draft.Draft("w", "Ann", visit, "", "walk", "w.c3d", "", "") for visit in visits]
        return "\n".join(line for line in checklist(Path("study"), drafts, (), {"Ann": before}) if "visits of" in line)

    assert not told("2024-05-31_baseline", "20241130-after")
    assert not told("2024-05-31", first=True)
    assert "compared: 2024-13-31, 2024-05-31;" in told("2024-13-31", "2024-05-31")
    assert "compared: first, later;" in told("later", first=True), "dates count only if all visits have one"
    assert not told("first", "2024-05-31", first=True), "more walks of a visit that has a date"


def test_trials_of_two_sessions_may_have_one_name(folder: Path, tmp_path: Path) -> None:
    source = write_files(tmp_path / "visits", ["Cal/day1/walk.c3d", "Cal/day2/walk.c3d"])
    rows = [(row.subject, row.session, row.trial) for row in draft.draft_study(tmp_path / "study", source)]
    assert rows == [("Cal", "day1", "walk"), ("Cal", "day2", "walk")]


def test_a_folder_that_cannot_be_opened_is_named(tmp_path, monkeypatch, capsys) -> None:
    def refusing(folder, scandir=os.scandir):
        if Path(folder).name == "locked":
            raise PermissionError(errno.EACCES, "Permission denied", str(folder))
        return scandir(folder)

    (tmp_path / "locked").mkdir()
    (tmp_path / "walk.c3d").touch()
    monkeypatch.setattr(os, "scandir", refusing)
    assert [path.name for path in draft._recordings(tmp_path)] == ["walk.c3d"]
    assert f"{tmp_path / 'locked'}: cannot be opened (Permission denied)" in capsys.readouterr().err
    assert not list(draft._recordings(tmp_path / "nowhere"))
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("recordings", "others"),
    [
        (["other.TRC", "walk.c3d"], ["walk.trc", "walk_grf.mot", "notes.txt"]),  # the TRC file is the same trial
        (["anna/1.c3d", "w.c3d"], ["._w.c3d", "__MACOSX/._w.c3d", ".Trashes/old.c3d", "anna/._s.trc"]),  # of macOS
    ],
)
def test_files_beside_recordings_are_no_recordings(tmp_path, recordings: list[str], others: list[str]) -> None:
    write_files(tmp_path, [*recordings, *others])
    assert sorted(str(path.relative_to(tmp_path)) for path in draft._recordings(tmp_path)) == recordings


def test_files_of_another_body_mass_in_one_session_are_marked() -> None:
    """An orthosis weighs 2 kg; a file without a mass, and another session, say nothing."""
    rows = [("a", "1", 60.0), ("b", "1", 62.0), ("c", "1", np.nan), ("d", "1", 74.0), ("e", "2", 74.0)]
    drafts = [draft.Draft(name, "S1", session, "", "walk", "", "", "ok", mass) for name, session, mass in rows]
    remarks = {found.trial: found.remark for found in draft.with_differing_masses(drafts)}
    assert remarks.pop("d") == "ok; 74 kg, but 60 kg in a: is this the same person?"
    assert set(remarks.values()) == {"ok"}


@pytest.mark.parametrize("names", [("Anna 1", "Anna_1"), ("Anna/pre 1", "Anna/pre_1")])
def test_folders_of_two_people_or_visits_never_become_one(names: tuple[str, str], tmp_path: Path) -> None:
    write_files(tmp_path, [f"{name}/walk.c3d" for name in names])
    with pytest.raises(ConfigError, match="would both be named"):
        draft.recordings(tmp_path, tmp_path / "study")


def test_a_draft_that_a_full_disk_stopped_can_be_made_again(folder: Path, tmp_path: Path, monkeypatch) -> None:
    written = Path.write_text

    def full(path: Path, *args: object, **kwargs: object) -> int:
        if "trials" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(path, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", full)
    assert main(["new", str(tmp_path / "study"), "--from", str(folder)]) == 3
    monkeypatch.setattr(Path, "write_text", written)
    assert main(["new", str(tmp_path / "study"), "--from", str(folder)]) == 0


@pytest.mark.parametrize("name", ["walk {2}.c3d", "wa\tlk.c3d", "wa\nlk.c3d"])
def test_names_that_the_tables_would_refuse_are_refused_before_anything_is_written(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, [f"Ann/{name}"])
    with pytest.raises(ConfigError, match="brace or a control character"):
        draft.draft_study(tmp_path / "study", tmp_path)
    assert not (tmp_path / "study").exists()


def test_recordings_are_found_from_a_study_in_a_linked_folder(tmp_path: Path) -> None:
    (tmp_path / "on/a/drive").mkdir(parents=True)
    (tmp_path / "link").symlink_to("on/a/drive")
    assert draft.in_table(tmp_path / "files/walk.c3d", tmp_path / "link/study") == "../../../../files/walk.c3d"
    assert draft.in_table(tmp_path / "link/s/data/raw/walk.c3d", tmp_path / "link/s") == "walk.c3d"
    assert draft.in_table(tmp_path / "link/files/walk.c3d", tmp_path / "link/s") == "../files/walk.c3d", "in one folder"


def test_commands_to_copy_have_the_folder_in_quotation_marks(folder: Path, tmp_path: Path, capsys) -> None:
    study = tmp_path / "my study"
    assert main(["new", str(study), "--from", str(folder)]) == 0
    told = capsys.readouterr().out
    assert f"`gait predict '{study}' SUBJECT/SESSION/WALK`" in told
    assert f"then: gait run '{study}'" in told


def test_names_without_latin_letters_are_told_apart_and_the_same_each_time() -> None:
    first, second = draft.slug("张伟"), draft.slug("李娜")
    assert first != second
    assert first == draft.slug("张伟")
    assert all(re.fullmatch(r"unnamed_[0-9a-f]{6}", name) for name in (first, second))


def test_a_trial_in_which_the_feet_do_not_move_under_the_body_is_static() -> None:
    assert draft.guess_kind(recording(0.1)) == ("static", "the feet move 0.00 m under the body")
    assert draft.guess_kind(recording(2.0, 0.6)) == ("walk", "the feet move 0.52 m under the body")
    assert draft.guess_kind(recording(0.0, 0.6))[0] == "walk", "on a treadmill"
    unseen = replace(recording(0.5), markers_G=np.full((50, 4, 3), np.nan))
    assert draft.guess_kind(unseen) == ("static", "no marker is seen")


def test_the_description_names_markers_gaps_plates_events_and_notes() -> None:
    text = "\n".join(describe(recording(2.0)))
    for part in (
        "50 frames at 100 Hz",
        "4 markers: LASI",
        "RASI 52%",
        "LHEE 2%",
        "plate 1: type 2, maximum vertical force 700 N",
        "0.100 s: left initial contact, from file",
        "Height 1580",
        "assumed: axes: up is Z",
    ):
        assert part in text


def test_names_that_are_not_utf8_are_refused_in_words(folder: Path, tmp_path: Path, capsys) -> None:
    os.rename(folder / "Ann B/walk.C3D", os.fsencode(folder / "Ann B") + b"/w\xff.c3d")
    assert main(["new", str(tmp_path / "s"), "--from", str(folder)]) == 2
    assert "w\\udcff.c3d: its name is not UTF-8 text. Rename it" in capsys.readouterr().err
    study = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    study.mkdir()
    assert main(["run", str(study)]) == 2
    assert "not UTF-8" in capsys.readouterr().err


def test_labels_of_a_file_cannot_control_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    hostile = replace(recording(2.0), marker_names=("\x1b]0;x\x07", "RASI", "LHEE", "[red]\udc80"))
    monkeypatch.setattr("pipeline.acquisition.read_trial", lambda path, forces: hostile)
    assert main(["check", "file.c3d"]) == 0
    told = capsys.readouterr().out
    assert "\\x1b]0;x\\x07" in told
    assert "[red]\\udc80" in told
    assert not {"\x1b", "\x07"} & set(told)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("un", ["unlock"]), ("k", ["knees"]), ("run --co", ["--cores"]), ("weight", ["weights"]), ("x", [])],
)
def test_a_shell_completes_commands_and_options(typed: str, offered: list[str], monkeypatch, capsys) -> None:
    assert completed(typed, monkeypatch, capsys) == offered


def completed(typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What bash is offered at the end of ``gait`` and the typed words."""
    words = f"gait {typed}"
    environment = {"_GAIT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    return capsys.readouterr().out.split()


def test_a_marker_set_is_checked_to_its_last_name_before_a_job_starts(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    study = tmp_path / "study"
    write_study(study, config="anatomy: {marker_set: mine}\n")
    text = (HOME / "config/marker_sets/plug_in_gait.yaml").read_text(encoding="utf-8")
    assert "segment: upper_thorax" in text
    mine = text.replace("segment: upper_thorax", "segment: uper_thorax")
    write_files(study / "config/marker_sets", {"mine.yaml": mine})
    for command in ("check", "run"):
        assert main([command, str(study)]) != 0
        told = capsys.readouterr()
        assert "mine.yaml" in told.err
        assert "'uper_thorax', which is not a segment of the skeleton; did you mean 'upper_thorax'" in told.err
        assert "ready" not in told.out


def test_names_of_files_are_utf8_in_a_locale_of_another_encoding(tmp_path) -> None:
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(PACKAGE_ROOT)}
    (tmp_path / "Prüfung.c3d").write_text("no recording")
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "check", "Prüfung.c3d"],
        cwd=tmp_path,
        env={**os.environ, **locale},
        capture_output=True,
    )
    assert done.stderr.decode().startswith("Prüfung.c3d: the file has 12 bytes")
    assert done.returncode == 2


def test_names_that_the_encoding_of_the_output_lacks_are_escaped(tmp_path, monkeypatch) -> None:
    """As in a file to which Windows redirects the output; the tables were written, then a traceback followed."""
    write_files(tmp_path / "files", ["\N{CJK UNIFIED IDEOGRAPH-7A7A}.c3d"])
    output = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", output)
    assert main(["new", str(tmp_path / "study"), "--from", str(tmp_path / "files")]) == 0
    output.flush()
    assert rb"files/\u7a7a.c3d (cannot be read: the file is empty" in output.buffer.getvalue()
