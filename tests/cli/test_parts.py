"""`gait norm` takes the healthy walks alone and says of whom they are; `gait predict` adds rows; `gait open` a page."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import norm_from
from pipeline.cli import exports, main, norm, parts_of_study
from pipeline.trial import GaitSummary
from pipeline.workflow import audit
from tests.small_study import write_files, write_study

PERCENT = np.linspace(0.0, 100.0, 51)
WAVE = 20.0 * np.sin(2.0 * np.pi * PERCENT / 100.0)
SUBJECTS = "subject\tsex\tage_years\tdiagnosis\n" + "".join(
    f"S{number}\t{'fm'[number % 2]}\t{20 + number}\t{'cerebral palsy' * (number == 6)}\n" for number in range(1, 9)
)
TRIALS = "trial\tsubject\tkind\tfile\n" + "".join(f"w\tS{number}\twalk\tw{number}.c3d\n" for number in range(1, 9))


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_study(tmp_path, TRIALS, SUBJECTS, "study: {title: Here}\n")


def test_a_norm_is_of_the_healthy_walks_that_are_not_refused(study: Path, monkeypatch, capsys) -> None:
    """Subjects 1 to 5 have offsets of -2 to 2 degrees, sides 1 degree to either side; 6 to 8 would move the mean."""

    def stored(path: Path, kind: type) -> object:
        number = int(path.parts[-4][1:])
        assert kind is GaitSummary
        offset = float(number - 3) if number <= 5 else 50.0
        sides = {side: {"knee_flexion": WAVE + offset + way} for side, way in (("left", -1.0), ("right", 1.0))}
        for own in sides.values():
            own["hip_power"] = WAVE if number <= 4 else np.nan * WAVE
        speed = np.nan if number == 8 else 0.4
        return SimpleNamespace(speed=speed, percent=PERCENT, mean=sides, norm_mean=dict.fromkeys(sides["left"]))

    monkeypatch.setattr(norm, "read_stage", stored)
    monkeypatch.setattr(norm, "why_left_out", lambda session, walk: "left leg: upside down" * ("S7" in session.parts))
    assert main(["norm", "ours", str(study)]) == 0
    told = capsys.readouterr().out
    assert "S6/1/w: diagnosis: cerebral palsy" in told
    assert "S7/1/w: left leg: upside down" in told
    assert "S8/1/w: its dimensionless speed" in told
    assert "curves known for fewer than 5 subjects at some speed: hip_power" in " ".join(told.split())
    assert "5 subjects (3 male, 2 female; 21 to 25 years), 5 walks" in " ".join(told.split())
    content = json.loads((study / "config/norms/ours.json").read_text())
    band = norm_from(content, "ours").band("knee_flexion", 0.4, PERCENT)
    np.testing.assert_allclose(band.mean, WAVE, atol=0.01)  # how well the norm's spline follows the wave
    np.testing.assert_allclose(band.sd, np.sqrt(2.5), atol=0.01)
    assert main(["norm", "ours", str(study)]) == 2
    assert "already exists" in capsys.readouterr().err
    assert main(["norm", "plain", str(study), "--condition", ""]) == 0, "walks whose condition is blank"
    assert main(["norm", "shod", str(study), "--condition", "shod"]) == 2
    assert "S1/1/w: condition blank" in capsys.readouterr().out


STALE = [
    "norm ours .",
    "collect out .",
    "export . x --as bids",
    "export data/results/S1/1/w w.xyz",
    "weights . own S1/1/nowhere",
]


@pytest.mark.parametrize("command", STALE)
def test_results_out_of_date_are_told_though_the_command_fails(command, study: Path, monkeypatch, capsys) -> None:
    for module in (audit, exports):
        monkeypatch.setattr(module, "outdated", lambda study, session=None: "the results are not up to date")
    monkeypatch.chdir(study)
    assert main(command.split()) != 0
    assert "warning: " in (told := capsys.readouterr().err)
    assert "the results are not up to date" in " ".join(told.split())


LOADS = "file\tforces\nw.trc\tw_grf.mot"


@pytest.mark.parametrize(
    ("target", "table", "refused"),
    [
        ("w.c3d", "file\nw.c3d", True),
        ("w.xml", LOADS, True),
        ("w_grf.xml", LOADS, True),
        ("w.h5", LOADS, False),
        (".", LOADS, False),
    ],
)
def test_an_export_never_replaces_a_recording(tmp_path: Path, monkeypatch, capsys, target, table, refused) -> None:
    """The table of external loads, w_grf.mot, is written with w.xml and w_grf.xml only."""
    head, row = table.split("\n")
    write_study(tmp_path, f"trial\tsubject\tkind\t{head}\nw\tAnn\twalk\t{row}\n")
    monkeypatch.chdir(tmp_path)
    for name in row.split("\t"):
        Path(name).write_text("measured")
    Path("disk").mkdir()
    Path("data").mkdir()
    Path("data/results").symlink_to(tmp_path / "disk")
    assert main(["export", "data/results/Ann/1/w", target]) == 2
    assert ("is a recording of the study" in (told := capsys.readouterr().err)) == refused, told


def test_the_study_is_found_from_within_its_linked_results(tmp_path: Path, monkeypatch, capsys) -> None:
    """A shell keeps the path on which it entered a linked folder in PWD, which also may be of another folder."""
    write_study(tmp_path / "study", "tiral\n")
    (tmp_path / "disk/Ann/1").mkdir(parents=True)
    (tmp_path / "study/data").mkdir()
    (tmp_path / "study/data/results").symlink_to(tmp_path / "disk")
    monkeypatch.chdir(tmp_path / "study/data/results/Ann/1")
    for entered, is_found in ((tmp_path / "study/data/results/Ann/1", True), (tmp_path, False), ("", False)):
        monkeypatch.setenv("PWD", str(entered))
        assert main(["export", "walk", "walk.mat"]) == 2
        assert ("whether the results are up to date is not known" in capsys.readouterr().err) == is_found


def test_an_export_replaces_no_file_while_the_tables_do_not_say_which_are_recordings(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    write_study(tmp_path, "tiral\n")
    (tmp_path / "w.c3d").write_text("measured")
    monkeypatch.chdir(tmp_path)
    assert main(["export", "data/results/Ann/1/w", "w.c3d"]) == 2
    assert "w.c3d: may be a recording" in capsys.readouterr().err
    assert main(["export", "data/results/Ann/1/w", "new.c3d"]) == 2
    assert "whether the results are up to date is not known" in capsys.readouterr().err


def test_an_export_of_no_trial_is_told(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("/", "walk", "data/results/Ann/1/walk"):
        assert main(["export", place, "w.h5"]) == 2
        assert "Traceback" not in capsys.readouterr().err


def test_predicted_walks_are_added_to_the_table_once(study: Path, monkeypatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(parts_of_study, "run_study", lambda root, cores, targets, options: asked.append(targets) or 0)
    table = study / "config/predictions.tsv"
    table.write_text("prediction\tsubject\tsession\ttrial\tpreset\nslow\tS1\t1\tw\thuman")  # without an end of line
    for _ in range(2):
        assert main(["predict", str(study), "S1/1/w", "S2/1/w", "S2/1/w", "--cores", "1"]) == 0
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    assert rows[1:] == [["slow", "S1", "1", "w", "human"], ["w", "S2", "1", "w", ""]]
    assert asked == 2 * [["reports/S1/1/predictions", "reports/S2/1/predictions"]]


@pytest.mark.parametrize("before", [None, "prediction\tsubject\ttrial\nslow\tS1\tw\n"])
def test_a_walk_that_cannot_be_predicted_leaves_the_study_as_it_was(study: Path, monkeypatch, capsys, before) -> None:
    """The study would not run with a row whose subject has no sex."""
    monkeypatch.setattr(parts_of_study, "run_study", lambda root, cores, targets, options: 0)
    table, subjects = study / "config/predictions.tsv", study / "config/subjects.tsv"
    if before:
        table.write_text(before)
    people = subjects.read_text()
    header, *rows = [line.split("\t") for line in people.splitlines()]
    for row in rows:
        if row[0] == "S2":
            row[header.index("sex")] = ""
    subjects.write_text("\n".join("\t".join(row) for row in [header, *rows]) + "\n")
    assert main(["predict", str(study), "S2/1/w", "--cores", "1"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "subject 'S2' has no sex" in told
    assert "Nothing was added" in told
    assert (table.read_text() if table.exists() else None) == before
    subjects.write_text(people)
    assert main(["predict", str(study), "S2/1/w", "--cores", "1"]) == 0
    assert "S2" in table.read_text()


def test_a_report_is_opened_where_there_is_one(study: Path, monkeypatch, capsys) -> None:
    opened: list[str] = []
    monkeypatch.setattr("typer.launch", opened.append)
    assert main(["open", str(study)]) == 2
    assert "Make it with: gait run" in capsys.readouterr().err
    write_files(study, ["reports/index.html"])
    assert main(["open", str(study)]) == 0
    assert opened == [(study / "reports/index.html").resolve().as_uri()]
