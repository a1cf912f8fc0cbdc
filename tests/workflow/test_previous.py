"""Results of the last run are taken over for what has not changed, and for nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.config import SessionKey
from pipeline.provenance import Provenance
from pipeline.results import Failure, write_failure, write_stage
from pipeline.trial import LowPass
from pipeline.workflow.framework import provenance_of, taken_over
from pipeline.workflow.jobs import SessionStage, TrialInputs
from pipeline.workflow.previous import PREVIOUS, keeping_results, take_over
from pipeline.workflow.session import requests_of
from tests.studies.bench import FIRST_DAY, make_bench

OUTPUT = Path("data/results/Ann/day1/kinematics/w.h5")
MADE = Provenance("kinematics", {"walk": "12ab"}, '{"filter":6}', "code", {"numpy": "2.0"}, "Ann/day1/w")
FILTER = LowPass(6.0, 20.0, 4)
ANN = [SessionKey("Ann", "day1")]


@pytest.fixture(autouse=True)
def in_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    write_stage(OUTPUT, FILTER, MADE)
    yield
    assert not PREVIOUS.exists()


def is_taken_over(provenance: Provenance, output: Path = OUTPUT) -> bool:
    """Whether a run takes the file over after Snakemake has deleted it."""
    with keeping_results(Path(), ANN):
        output.unlink()
        return take_over(output, provenance)


def test_a_file_of_the_same_provenance_is_taken_over_as_it_is() -> None:
    before = OUTPUT.read_bytes()
    assert is_taken_over(MADE)
    assert OUTPUT.read_bytes() == before


@pytest.mark.parametrize(
    "other",
    [
        {"inputs": {"walk": "12ac"}},
        {"inputs": {"walk": "12ab", "limits": "0"}},
        {"settings": '{"filter":7}'},
        {"code": "other"},
        {"versions": {"numpy": "2.1"}},
        {"step": "cycles"},
    ],
    ids=lambda other: str(*other),
)
def test_a_file_that_was_made_otherwise_is_not(other: dict[str, object]) -> None:
    assert not is_taken_over(replace(MADE, **other))  # type: ignore[arg-type]
    assert not OUTPUT.exists()


def test_neither_is_a_failure_a_damaged_file_or_that_of_another_trial() -> None:
    write_failure(OUTPUT, Failure("w", "kinematics", "why"), MADE)
    assert not is_taken_over(MADE)
    write_stage(OUTPUT, FILTER, MADE)
    content = bytearray(OUTPUT.read_bytes())
    content[len(content) // 2] ^= 4
    OUTPUT.write_bytes(content)
    assert not is_taken_over(MADE)
    other = OUTPUT.with_name("v.h5")
    write_stage(other, FILTER, MADE)
    assert not is_taken_over(MADE, other)


def test_nothing_is_kept_where_a_file_system_has_no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_paths: Path) -> None:
        raise OSError("not supported")

    monkeypatch.setattr(os, "link", refused)
    assert not is_taken_over(MADE)


def test_the_links_are_deleted_after_an_error_and_those_of_a_killed_run_before_the_next() -> None:
    with pytest.raises(KeyboardInterrupt), keeping_results(Path(), ANN):
        raise KeyboardInterrupt
    left = PREVIOUS / "Ann/day1/raw/w.h5"
    left.parent.mkdir(parents=True)
    left.touch()
    with keeping_results(Path(), []):
        assert not left.exists()


def test_a_stage_whose_settings_name_files_is_run() -> None:
    shared = SessionStage("inverse_dynamics", "Ann/day1", Path("data/results/Ann/day1/inverse_dynamics/{trial}.h5"), {})
    alone = replace(shared, trials={"w": TrialInputs(settings={"filter": 6.0})})
    reading = replace(shared, trials={"w": TrialInputs(settings={"groups": [{"cycles": OUTPUT}]})})
    for stage, same in ((alone, True), (reading, False)):
        (request,) = requests_of(stage, "code")
        write_stage(request.output, FILTER, provenance_of(request, {}))
        with keeping_results(Path(), ANN):
            request.output.unlink()
            assert taken_over(request) == request.output.exists() == same


READ = """
import io, os, sys
from pathlib import Path
from pipeline.config import HOME, load_study
from pipeline.workflow.jobs import JOBS, path_of, paths_in
from pipeline.workflow.progress import Progress
from pipeline.workflow.session import run_stages

DATA = {".json", ".yaml", ".yml", ".tsv", ".csv", ".npz", ".c3d", ".txt"}
PLACES = [Path.cwd(), *(HOME / name for name in ("config", "data", "pipeline", "reports"))]
opened = set()


def note(event, details):
    if event == "open" and isinstance(details[0], str):
        opened.add(Path(details[0]).absolute())


study = load_study(Path(), HOME)
(session,) = study.sessions
sys.addaudithook(note)
for rule in ("ingest", "kinematics", "inverse_dynamics", "cycles", "whole_body", "uncertainty"):
    for stage in JOBS[rule](study, session):
        opened.clear()
        run_stages([stage], "", Progress(io.StringIO()))
        named = {
            path_of(path, trial).absolute()
            for trial, own in stage.trials.items()
            for path in paths_in([stage.inputs, stage.settings, own.inputs, own.settings])
        }
        for path in sorted(opened - named):
            if path.suffix in DATA and any(map(path.is_relative_to, PLACES)):
                print(stage.stage, path)
"""


@pytest.mark.long
def test_stages_read_no_data_but_the_files_of_their_job(tmp_path: Path) -> None:
    """In a new process, in which nothing has been read yet; otherwise a changed file would not compute them again."""
    study = make_bench(tmp_path, FIRST_DAY).study
    (study / "config/config.yaml").write_text("uncertainty: {enabled: true, draws: 8}\n")
    done = subprocess.run([sys.executable, "-c", READ], cwd=study, capture_output=True, text=True, check=True)
    assert done.stdout == ""
    assert (study / "data/results/Ann/day1/muscles/w.h5").is_file()
