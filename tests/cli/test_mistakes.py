"""What users get wrong: each mistake is told in a line or few, with what is wrong and what to do, before any work."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.cli.app import app
from pipeline.config import HOME
from tests.small_study import write_files

Change = Callable[[Path], object]


def write(name: str, text: str) -> Change:
    """A file of the study with other text."""
    return lambda study: (study / name).write_text(text, encoding="utf-8")


def replaced(name: str, old: str, new: str) -> Change:
    """A file of the study with one word for another."""

    def change(study: Path) -> None:
        text = (study / name).read_text(encoding="utf-8")
        assert old in text
        (study / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def what_if(case: str, form: str = "stride") -> Change:
    """A what-if case and a prediction of it."""

    row = f"prediction\ttrial\tform\twhat_if\nmine\twalk\t{form}\tmine\n"
    return lambda study: write_files(study / "config", {"what_if/mine.yaml": case, "predictions.tsv": row})


def nothing(study: Path) -> None:
    """The study as it is: the mistake is in the command."""


CONFIG, SUBJECTS, TRIALS = "config/config.yaml", "config/subjects.tsv", "config/trials.tsv"
WALK = "demo\twalk\tdata/demo/walk.c3d"
MISTAKES: list[tuple[str, Change, list[str], list[str]]] = [
    # commands
    ("an unknown command", nothing, ["rum", "."], ["No such command 'rum'"]),
    ("an option misspelt", nothing, ["new", "x", "--form", "."], ["No such option", "--from"]),
    ("no folder of recordings", nothing, ["new", "x"], ["Missing option '--from'"]),
    ("recordings that are not there", nothing, ["new", "x", "--from", "nope"], ["nope: there is no such folder"]),
    ("a folder without recordings", nothing, ["new", "x", "--from", "config"], ["config: has no C3D or TRC file"]),
    ("a new study over another", nothing, ["new", ".", "--from", "data"], ["gait add"]),
    ("files added to no study", nothing, ["add", "data", "--from", "data"], ["it is not a study"]),
    ("a study that is not there", nothing, ["run", "nope"], ["nope: there is no such folder", "gait new"]),
    ("a folder that is no study", nothing, ["run", "data"], ["it is not a study", "gait new"]),
    ("no processor", nothing, ["run", ".", "--cores", "0"], ["--cores", "greater than or equal to 1"]),
    ("processors in words", nothing, ["run", ".", "--cores", "two"], ["--cores", "valid integer"]),
    (
        "an unknown profile",
        nothing,
        ["run", ".", "--workflow-profile", "slrum"],
        ["there is no profile 'slrum'; did you mean 'slurm'"],
    ),
    ("a file for a study", nothing, ["check", TRIALS], ["trials.tsv"]),
    ("a doctor of nothing", nothing, ["doctor", "nope"], ["PROBLEM there is no such folder: nope"]),
    ("a comparison in no study", nothing, ["compare", "data"], ["it is not a study"]),
    ("files of no recordings added", nothing, ["add", ".", "--from", "config"], ["has no C3D or TRC file"]),
    ("a check of nothing", nothing, ["check", "nope"], ["nope"]),
    ("a report before a run", nothing, ["open", "."], ["there is no report", "gait run"]),
    ("an export before a run", nothing, ["export", "data/results/demo/1/walk", "walk.c3d"], ["walk"]),
    ("an export of an unknown kind", nothing, ["export", ".", "out", "--as", "excel"], ["excel", "bids"]),
    ("tables joined before a run", nothing, ["collect", "out", "."], ["gait run"]),
    ("a norm before a run", nothing, ["norm", "mine", "."], ["gait run"]),
    ("a prediction of an unknown walk", nothing, ["predict", ".", "demo/1/wlak"], ["demo/1/wlak"]),
    ("weights of an unknown walk", nothing, ["weights", ".", "w", "demo/1/wlak"], ["did you mean 'demo/1/walk'"]),
    ("hips from a walk that is not there", nothing, ["hips", "nope.c3d"], ["nope.c3d"]),
    ("knees without a static trial", nothing, ["knees", "data/demo/walk.c3d"], ["--static"]),
    # config.yaml
    ("a section misspelt", write(CONFIG, "filtre: {}\n"), ["run", "."], ["filtre", "did you mean 'filter'?"]),
    ("a key misspelt", write(CONFIG, "filter: {marker: 6}\n"), ["check", "."], ["marker", "did you mean 'markers'?"]),
    ("a negative cut-off", write(CONFIG, "filter: {markers: -6}\n"), ["check", "."], ["in filter: 'markers'", "-6"]),
    ("a number in words", write(CONFIG, "filter: {markers: six}\n"), ["check", "."], ["in filter: 'markers'", "six"]),
    ("YAML that cannot be read", write(CONFIG, "filter: {markers: 6\n"), ["check", "."], ["config.yaml", "line"]),
    ("a key twice", write(CONFIG, "study: {title: a}\nstudy: {title: b}\n"), ["check", "."], ["study", "twice"]),
    ("a norm that is not there", write(CONFIG, "comparison: {norm: mine}\n"), ["check", "."], ["mine"]),
    # tables
    ("no table of trials", lambda study: (study / TRIALS).unlink(), ["check", "."], ["trials.tsv"]),
    ("a column misspelt", replaced(TRIALS, "kind", "knid"), ["check", "."], ["knid"]),
    ("an unknown kind", replaced(TRIALS, WALK, WALK.replace("\twalk\t", "\twlak\t")), ["check", "."], ["wlak", "walk"]),
    ("a file that is not there", replaced(TRIALS, "walk.c3d", "wlak.c3d"), ["check", "."], ["wlak.c3d"]),
    (
        "a path of Windows",
        replaced(TRIALS, "data/demo/walk.c3d", "data\\demo\\walk.c3d"),
        ["check", "."],
        ["by / instead"],
    ),
    (
        "a trial twice",
        replaced(TRIALS, "walk_back\t", "walk\t"),
        ["check", "."],
        ["line 4", "'walk' is already in line 3"],
    ),
    ("a subject without a row", replaced(TRIALS, "walk\tdemo", "walk\tdmeo"), ["check", "."], ["dmeo", "subjects.tsv"]),
    ("a name that is a path", replaced(TRIALS, "walk_back\t", "../walk\t"), ["check", "."], ["../walk"]),
    ("an unknown sex", replaced(SUBJECTS, "\tm\t", "\tq\t"), ["check", "."], ["sex", "q"]),
    ("a mass in words", replaced(SUBJECTS, "\tm\t\t", "\tm\tseventy\t"), ["check", "."], ["mass_kg", "seventy"]),
    ("a height in centimetres", replaced(SUBJECTS, "\tm\t\t", "\tm\t\t178"), ["check", "."], ["height_m", "178"]),
    ("commas for tabs", write(SUBJECTS, "subject,sex\ndemo,m\n"), ["check", "."], ["subjects.tsv", "tab"]),
    (
        "a joint of a case misspelt",
        what_if("strength: {both_ankel_flexion: 0.5}\n"),
        ["check", "."],
        ["what_if/mine.yaml", "did you mean 'left_ankle_flexion'?"],
    ),
    (
        "a frozen joint in a case",
        what_if("strength: {spine3_flexion: 0.5}\n"),
        ["check", "."],
        ["what_if/mine.yaml", "is held at zero", "take it from 'frozen' in skeleton.yaml"],
    ),
    (
        "a segment of a case misspelt",
        what_if("added_mass: {left_fot: 2}\n"),
        ["check", "."],
        ["left_fot", "did you mean 'left_foot'?"],
    ),
    (
        "a case of one side in a step",
        what_if("max_vertical_force: {left: 0.9}\n", form=""),
        ["check", "."],
        ["predictions.tsv, line 2", "max_vertical_force of left", "set form to stride"],
    ),
    ("a prediction of no walk", replaced("config/predictions.tsv", "\twalk", "\twlak"), ["check", "."], ["wlak"]),
]
MOST_LINES = 8
"""Of a message: a usage line, a frame and the reason."""


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's study, in a folder that has a blank in its name."""
    folder = tmp_path / "my study"
    (folder / "config").mkdir(parents=True)
    for name in ("config.yaml", "subjects.tsv", "trials.tsv", "predictions.tsv"):
        shutil.copy(HOME / "config" / name, folder / "config" / name)
    (folder / "data").mkdir()
    (folder / "data/demo").symlink_to(HOME / "data/demo")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "120")
    return folder


@pytest.mark.parametrize(("change", "words", "told"), [m[1:] for m in MISTAKES], ids=[m[0] for m in MISTAKES])
def test_a_mistake_is_told(change: Change, words: list[str], told: list[str], study: Path, capfd) -> None:
    change(study)
    before = sorted(study.rglob("*"))
    assert main(words) in (1, 2)
    shown = capfd.readouterr()
    text = re.sub(r"\s+", " ", shown.out + shown.err)
    assert not [word for word in told if word not in text]
    assert "Traceback" not in text
    assert "--snakefile" not in shown.out, "no job has been started"
    assert len(shown.err.strip().splitlines()) <= MOST_LINES
    assert [path for path in sorted(study.rglob("*")) if "logs" not in path.parts] == before, "nothing is written"


def test_forty_mistakes_are_tried_and_the_study_without_one_is_ready(study: Path, capfd) -> None:
    assert len(MISTAKES) >= 40
    assert main(["check", ".", "--tables"]) == 0


@pytest.mark.parametrize("name", [command.name or command.callback.__name__ for command in app.registered_commands])
def test_every_command_has_help_with_each_of_its_words(name: str, capfd, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main([name, "--help"]) == 0
    text = capfd.readouterr().out
    assert f"Usage: gait {name}" in text
    rows = [line for line in text.splitlines() if re.match(r"│ \*?\s*(--)?\w", line)]
    assert rows
    assert not [row for row in rows if not re.search(r"> .*[A-Z]\w+", row)], "each argument and option is described"
