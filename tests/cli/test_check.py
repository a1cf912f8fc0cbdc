"""The check says before a run what the run would: a defect of the program is no failed trial, a height has its unit."""

from __future__ import annotations

import functools
import importlib
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.cli import draft, main
from pipeline.cli.draft import copy_remarks
from pipeline.synthetic import standing, walk
from tests.acquisition.there_and_back import write_there_and_back
from tests.small_study import write_files, write_study
from tests.studies.bench import FIRST_DAY, make_bench


@pytest.mark.parametrize(
    ("stage", "named"),
    [("ingest", "2 of 2 trials will be incomplete"), ("inverse_dynamics", "1 of 2 trials will be incomplete")],
)
def test_the_check_tells_a_defect_of_the_program_from_a_failed_trial(
    stage: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = importlib.import_module(f"pipeline.stages.{stage}")

    @functools.wraps(module.run)
    def planted(*_args: object, **_named: object) -> None:
        raise ValueError("planted")

    monkeypatch.setattr(module, "run", planted)
    assert main(["check", str(make_bench(tmp_path, FIRST_DAY).study)]) == 1
    told = capsys.readouterr().out
    assert f"{named} because of a defect of the program; please report it" in told
    assert f"w at {stage.replace('_', ' ')}: a defect of the program, ValueError: planted" in told
    assert "will fail" not in told


def test_walks_that_are_one_recording_are_named_unless_they_are_parts_of_it(tmp_path: Path, capsys) -> None:
    recordings = {"a": "one", "copy": "one", "b": "other", "still": "same", "again": "same"}
    write_files(tmp_path / "data/raw", {f"{name}.c3d": text for name, text in recordings.items()})
    rows = [("a", "1", "walk", "a", ""), ("a", "2", "walk", "copy", ""), ("gone", "2", "walk", "gone", "")]
    rows += [("there", "1", "walk", "b", "0-2"), ("back", "1", "walk", "b", "2-")]
    rows += [("still", "1", "static", "still", ""), ("still", "2", "static", "again", "")]
    lines = [f"{name}\tAnn\t{session}\t{kind}\t{file}.c3d\t{part}" for name, session, kind, file, part in rows]
    write_study(tmp_path, "\n".join(["trial\tsubject\tsession\tkind\tfile\tpart", *lines]))
    assert main(["check", str(tmp_path)]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if "the same recording" in line]
    assert told == ["Ann/2/a: the same recording as Ann/1/a: delete one of both rows, or its strides count twice"]


def test_only_files_of_one_size_are_read_to_find_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walks = {name: (tmp_path / name, None) for name in ("one", "two", "other", "absent")}
    for name, content in (("one", "walk"), ("two", "walk"), ("other", "longer")):
        walks[name][0].write_text(content)
    read: list[str] = []
    monkeypatch.setattr(draft, "file_digest", lambda path: read.append(path.name) or path.read_text())
    assert set(copy_remarks(walks)) == {"two"}
    assert read == ["one", "two"]


@pytest.mark.parametrize(("of_mm", "told"), [(0.1, "176 cm are 1.76 m"), (0.001, "1.76 m would be in it")])
def test_a_height_in_cm_or_m_where_files_have_mm_is_told_with_the_value_that_it_may_be(
    of_mm: float, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "files/Ann").mkdir(parents=True)
    for trial in (standing(), walk()):
        values = trial.subject.parameters()
        subject = replace(trial.subject, other_parameters=values | {"Height": of_mm * values["Height"]})
        replace(trial, subject=subject).write(tmp_path / f"files/Ann/{trial.name}.c3d")
    assert main(["new", str(tmp_path / "study"), "--from", str(tmp_path / "files")]) == 0
    assert main(["check", str(tmp_path / "study")]) == 1
    assert told in capsys.readouterr().out


def test_a_walk_there_and_back_is_foreseen_and_ready_when_each_way_is_a_trial(tmp_path: Path, capsys) -> None:
    files, study = tmp_path / "files/Ann", tmp_path / "study"
    files.mkdir(parents=True)
    standing().write(files / "static.c3d")
    write_there_and_back(files / "both.c3d", walk(), walk("walk_back", first_side="right", back=True))
    assert main(["new", str(study), "--from", str(files.parent)]) == 0
    assert main(["check", str(study)]) == 1
    told = capsys.readouterr().out
    assert "1 of 1 walks will be refused, because their results are not plausible" in told
    found = re.search(r"the same file and ([\d.]+-[\d.]+) and ([\d.]+-) in the column 'part'", told)
    assert found
    table = study / "config/trials.tsv"
    header, *rows = [row.split("\t") for row in table.read_text().splitlines()]
    whole = next(dict(zip(header, row, strict=True)) for row in rows if "walk" in row)
    ways = [whole | {"trial": name, "part": part} for name, part in zip(("there", "back"), found.groups(), strict=True)]
    kept = [dict(zip(header, row, strict=True)) for row in rows if "walk" not in row]
    lines = ["\t".join([*header, *(["part"] if "part" not in header else [])])]
    lines += ["\t".join(row.get(name, "") for name in lines[0].split("\t")) for row in (*kept, *ways)]
    table.write_text("\n".join(lines) + "\n")
    assert main(["check", str(study)]) == 0
    assert "2 walks, 1 static trial" in capsys.readouterr().out
