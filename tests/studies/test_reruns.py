"""What the workflow computes again: after edits, changed settings, damaged files and killed jobs, and nothing else."""

from __future__ import annotations

import os
import re
import shutil

import pandas as pd
import pytest

from tests.studies.bench import DEMO, QUICK, Bench

pytestmark = pytest.mark.long


def test_a_killed_job_edits_and_damaged_or_older_files_rerun_what_they_affect(edited_bench: Bench) -> None:
    """One study through all of them: a killed job fails only its session until the next run."""
    bench = edited_bench
    module = bench.home / "pipeline/stages/ingest.py"
    source = module.read_text()
    killing = bench.study / "killing"
    killing.touch()
    kill = "    import os\n    if file == 'w2.c3d' and os.path.exists('killing'):\n        os.kill(os.getpid(), 9)\n"
    begin = "    if recording is None:\n"
    assert source.count(begin) == 1
    module.write_text(source.replace(begin, kill + begin))
    run = bench.run()
    assert run.status != 0
    assert not bench.file("day2", "raw", "still").parent.exists()
    told = r"Ann/day2/still failed at run: its session was not computed.*\n +1 more failed for the same reason: (\S+)\n"
    assert re.findall(told, run.text) == ["Ann/day2/w"]
    page = (bench.study / "reports/index.html").read_text()
    assert "its session was not computed" in page
    assert bench.page("day1", "w")
    scalars = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    assert set(scalars.trial) == {"w", ""}
    killing.unlink()
    run = bench.run()
    assert run.status == 0, run.text
    assert run.jobs()["ingest"] == run.jobs()["report"] == 1, "the other session is not computed again"
    assert bench.file("day2", "raw", "w").exists()
    assert "its session was not computed" not in (bench.study / "reports/index.html").read_text()

    assert "Nothing to be done" in bench.run().text
    with bench.edited("stages/inverse_dynamics.py"):
        jobs = bench.run("--dry-run").jobs()
    assert jobs["inverse_dynamics"] == 2
    assert "kinematics" not in jobs
    with bench.edited("math3d/rotations.py"):
        assert bench.run("--dry-run").jobs()["ingest"] == 2
    before = bench.file("day1", "cycles", "w").read_bytes()
    (bench.study / "config/config.yaml").write_text(QUICK + "axes: {up: +z}\n")
    assert bench.run("--dry-run").jobs()["ingest"] == 2

    stored = bench.file("day1", "kinematics", "w")
    content = bytearray(stored.read_bytes())
    content[len(content) // 2] ^= 3
    stored.write_bytes(content)
    (bench.study / "config/config.yaml").write_text(QUICK + "loads: {axes: proximal}\n")
    run = bench.run("--until", "cycles")
    assert run.status != 0
    assert run.jobs()["cycles"] == 2
    assert "inverse_dynamics" not in run.jobs()
    assert re.search(r"kinematics/w\.h5: is damaged.+Run the workflow again.+kinematics\.damaged", run.text)
    assert "Traceback" not in run.text
    (bench.study / "config/config.yaml").write_text(QUICK)
    run = bench.run("--until", "cycles")
    assert run.status == 0, run.text
    assert run.jobs()["kinematics"] == 1, "only what was damaged is computed again"
    assert bench.file("day1", "cycles", "w").read_bytes() == before

    older = bench.study / "data/raw/w2.c3d"
    shutil.copy(DEMO / "walk.c3d", older)
    os.utime(older, (1e9, 1e9))
    assert bench.run("--dry-run").jobs()["ingest"] == 1, "a file that was replaced by an older one"


def test_predictions_are_one_job_for_a_session_and_need_what_they_name(bench: Bench) -> None:
    table = bench.study / "config/predictions.tsv"
    table.write_text(
        "prediction\tsubject\tsession\tspeed_m_s\tstep_length_m\tpreset\nraw\tAnn\tday1\t1.2\t0.6\thuman\n"
        "b\tAnn\tday1\t1.1\t0.6\t\nc\tAnn\tday2\t1.2\t0.6\tthesis\n"
    )
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["predict"], jobs["compare"], jobs["predicted_vs_measured"]) == (2, 2, 1)
    assert jobs["ingest"] == jobs["report"] == 2
    assert "whole_body" not in jobs, "no prediction names a measured walk"
    table.write_text("prediction\tsession\ttrial\nown\tday1\tw\n")
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["predict"], jobs["whole_body"]) == (1, 1)
    table.unlink()
    (bench.study / "config/config.yaml").write_text("prediction: {walks: all}\n")
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["whole_body"], jobs["compare"]) == (2, 2)


def test_cores_that_no_other_changed_session_uses_divide_a_session(bench: Bench, monkeypatch) -> None:
    assert "threads: 2" not in bench.run("--dry-run", "--quiet", "host").text, "two sessions, two cores"
    monkeypatch.setenv("GAIT_CHANGED_SESSIONS", "1")
    text = bench.run("--dry-run", "--quiet", "host").text
    assert len(re.findall("threads: 2", text)) == 10, "five jobs of each session"
    assert "mem_mb=1200" in text, "of two processes"
