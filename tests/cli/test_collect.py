"""The tables of studies that are parts of one are joined; what is not complete or stands twice is refused."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from pipeline import open_study
from pipeline.cli import main
from pipeline.cli.status import Status
from pipeline.results.tables import write_tables
from pipeline.results.tables.frames import frame
from tests.small_study import write_study


def study(root: Path, subject: str) -> Path:
    """A study without the skeleton whose only walk has one event."""
    trials = f"trial\tsubject\tkind\tfile\nw\t{subject}\twalk\tw.c3d\n"
    write_study(root, trials, f"subject\n{subject}\n", "whole_body: {enabled: false}\n")
    tables = root / f"data/results/{subject}/1/tables"
    tables.mkdir(parents=True)
    row = {"subject": subject, "session": "1", "trial": "w", "side": "left", "event": "initial contact", "time": 0.5}
    files = [tables / f"study_events.{kind}" for kind in ("parquet", "csv")]
    write_tables(files, [{"study_events": frame("study_events", [row])}], header=False)
    (root / "data/results/verdict.txt").write_text("the only trial is complete\n")
    return root


def test_tables_of_two_studies_are_joined(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    parts = [study(tmp_path / name, name) for name in ("Ann", "Bob")]
    assert main(["collect", str(tmp_path / "all"), *map(str, parts)]) == Status.COMPLETE
    assert "study_events.parquet" in capsys.readouterr().out
    events = open_study(tmp_path / "all")["events"]
    assert events.subject.tolist() == ["Ann", "Bob"]
    text = pd.read_csv(tmp_path / "all/study_events.csv")
    assert (text.subject.tolist(), text.time.tolist()) == (["Ann", "Bob"], [0.5, 0.5])
    assert not (tmp_path / "all/study_times.parquet").exists()
    assert main(["collect", str(tmp_path / "all"), *map(str, parts)]) == Status.NOT_STARTED
    assert "already exists" in capsys.readouterr().err


def test_other_settings_and_a_subject_of_two_studies_are_named(tmp_path: Path, capsys) -> None:
    one, other, same = (study(tmp_path / name, name) for name in ("Ann", "Bob", "Cid"))
    assert main(["collect", str(tmp_path / "alike"), str(one), str(same)]) == Status.COMPLETE
    assert "different settings" not in capsys.readouterr().err
    (other / "config/config.yaml").write_text("whole_body: {enabled: false}\nloads: {axes: joint}\n")
    for table in ("subjects", "trials"):
        path = other / f"config/{table}.tsv"
        path.write_text(path.read_text().replace("Bob", "Ann"))
    trials = other / "config/trials.tsv"
    trials.write_text("trial\tsubject\tsession\tkind\tfile\nw\tAnn\tpost\twalk\tw.c3d\n")
    (other / "data/results/Ann/post").mkdir(parents=True)
    (other / "data/results/Bob/1/tables").rename(other / "data/results/Ann/post/tables")
    assert main(["collect", str(tmp_path / "all"), str(one), str(other)]) == Status.COMPLETE
    told = " ".join(capsys.readouterr().err.split())
    assert "different settings, and values that depend on them are not comparable: loads.axes distal and joint" in told
    assert f"subject 'Ann' is in {one} and {other}, and is one person in the joined tables" in told


def test_a_session_twice_and_an_incomplete_study_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    one, other = study(tmp_path / "one", "Ann"), study(tmp_path / "other", "Ann")
    assert main(["collect", str(tmp_path / "all"), str(one), str(other)]) == Status.NOT_STARTED
    assert "has the session Ann/1 of" in capsys.readouterr().err
    assert main(["collect", str(tmp_path / "all"), str(one), str(one)]) == Status.NOT_STARTED, "rows would count twice"
    assert "has the session Ann/1 of" in capsys.readouterr().err
    (other / "data/results/verdict.txt").unlink()
    assert main(["collect", str(tmp_path / "all"), str(one), str(other)]) == Status.NOT_STARTED
    assert "is not complete. Run it: gait run; a trial that cannot be computed is left out if its kind" in " ".join(
        capsys.readouterr().err.split()
    )
    assert main(["collect", str(tmp_path / "all"), str(one), str(tmp_path)]) == Status.NOT_STARTED
    assert not (tmp_path / "all").exists()


def test_tables_of_another_version_of_the_program_are_not_joined_to_shifted_columns(tmp_path, capsys) -> None:
    one, other = study(tmp_path / "one", "Ann"), study(tmp_path / "other", "Bob")
    path = other / "data/results/Bob/1/tables/study_events.parquet"
    pd.read_parquet(path).drop(columns="left_out").to_parquet(path, index=False)
    assert main(["collect", str(tmp_path / "all"), str(one), str(other)]) == Status.NOT_STARTED
    told = " ".join(capsys.readouterr().err.split())
    assert f"{path}: has other columns than the tables of this program: another version wrote it" in told
    assert "gait run" in told
    assert not list((tmp_path / "all").glob("study_*"))


def test_a_session_that_was_added_since_the_run_is_not_left_out_silently(tmp_path: Path, capsys) -> None:
    part = study(tmp_path / "part", "Ann")
    for name, row in (("subjects", "Bob\n"), ("trials", "w\tBob\twalk\tx.c3d\n")):
        with (part / f"config/{name}.tsv").open("a") as table:
            table.write(row)
    assert main(["collect", str(tmp_path / "all"), str(part)]) == Status.NOT_STARTED
    assert "has no results of the session Bob/1" in capsys.readouterr().err
    assert not (tmp_path / "all").exists()
