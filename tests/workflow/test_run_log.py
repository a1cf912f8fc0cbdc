"""The run log: one line for each job, also from parallel processes; pages show the latest."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.config import Comparison, Configuration, Prediction, Study, Subject, Trial
from pipeline.provenance import Provenance
from pipeline.workflow import run_log
from pipeline.workflow.report_runs import PageOf, run_of_session, run_of_study

TOLD = """
import sys
from pipeline.workflow.run_log import record
for count in range(200):
    record("kinematics", f"walk{sys.argv[1]}", f"done {count}", seconds=0.25)
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "logs/run.jsonl"
    monkeypatch.setenv(run_log.VARIABLE, str(path))
    return path


def study_of(configuration: Configuration, predictions: dict, *comparisons: Comparison) -> Study:
    """A study of one walk, Ann/1/walk."""
    walk = Trial(trial="walk", subject="Ann", kind="walk", file="walk.c3d")
    subjects = {"Ann": Subject(subject="Ann")}
    return Study(Path(), Path(), configuration, subjects, {walk.key: walk}, predictions, comparisons)


def test_without_a_log_nothing_is_written_or_read(monkeypatch, tmp_path):
    monkeypatch.delenv(run_log.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    run_log.record("ingest", "walk", "done")
    assert run_log.facts() == {}
    assert list(tmp_path.iterdir()) == []


def test_the_latest_job_of_each_step_counts_and_broken_lines_do_not(log):
    run_log.record("ingest", "walk", "failed", seconds=9.0)
    run_log.record("ingest", "walk", "done", seconds=1.0)
    run_log.record("predict", "fast", "converged", seconds=3.0, solver_seconds=2.5)
    with log.open("a") as stream:
        stream.write('{"step": "ing\n{"step": 1}\n')
    assert [(job.step, job.name, job.outcome) for job in run_log.jobs()] == [
        ("ingest", "walk", "done"),
        ("predict", "fast", "converged"),
    ]
    everything = run_log.facts()
    assert everything["processor time"] == "4.00 s"
    assert everything["of which"] == "ingest 1.00 s, predict 3.00 s"
    assert everything["processor time of the solver"] == "2.50 s"
    assert everything["jobs"] == "2"
    own = run_log.facts({"walk"})
    assert own["processor time"] == "1.00 s"
    assert "processor time of the solver" not in own
    assert run_log.facts({"nobody"}) == {}


def test_stages_that_were_switched_off_since_do_not_count(log):
    for step in ("kinematics", "whole_body", "muscles", "uncertainty", "whole_body_report"):
        run_log.record(step, "Ann/1/walk", "done", seconds=1.0)
    settings = Configuration.model_validate({"muscles": {"enabled": False}})
    page = PageOf("Ann", "1", "walk", settings, Provenance("report"))
    told = run_of_session(["walk"], page).facts["of which"]
    assert told == "kinematics 1.00 s, whole_body 1.00 s, whole_body_report 1.00 s"
    nothing = Configuration.model_validate({"whole_body": {"enabled": False}})
    walk = Prediction(prediction="p", subject="Ann", session="1", trial="walk")
    for predictions, counted in (({}, ["kinematics"]), ({walk.key: walk}, ["kinematics", "whole_body"])):
        study = study_of(nothing, predictions)
        told = run_of_study(study).facts
        assert told["of which"] == ", ".join(f"{step} 1.00 s" for step in counted), (
            "a predicted walk needs the skeleton"
        )


def test_the_studys_page_counts_the_jobs_of_what_the_tables_still_have(log):
    compared = Comparison(comparison="sides", subject="Ann", first_session="1", second_session="1")
    study = study_of(Configuration(), {}, compared)
    for name in ("", "Ann/1", "Ann/1/walk", "Ann/1/average", "Ann/1/sides"):
        run_log.record("cycles", name, "done", seconds=1.0)
    for name in ("Ann/1/removed", "Ann/1/average.brace", "Ann/2", "Ben/1/walk"):
        run_log.record("cycles", name, "done", seconds=10.0)
    assert run_of_study(study).facts["of which"] == "cycles 5.00 s"


def test_processes_side_by_side_do_not_break_each_others_lines(log):
    running = [subprocess.Popen([sys.executable, "-c", TOLD, str(k)]) for k in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(lines) == 600
    assert {job.name: job.outcome for job in run_log.jobs()} == {f"walk{k}": "done 199" for k in range(3)}


def test_the_time_of_this_process_is_its_own_and_that_of_its_children(log):
    before = run_log.processor_seconds()
    subprocess.run([sys.executable, "-c", "sum(range(3_000_000))"], check=True)
    assert run_log.processor_seconds() > before + 0.01, "a process that was started and ended counts"
    run_log.record("ingest", "walk", "done")
    (job,) = run_log.jobs()
    assert job.seconds >= before
    assert 10.0 < job.peak < 100_000.0, "MB"
