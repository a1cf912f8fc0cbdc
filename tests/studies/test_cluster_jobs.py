"""The Snakemake inside a cluster job, which runs without the workflow's hooks, does not wake itself to choose jobs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.studies.bench import FIRST_DAY, make_bench

pytestmark = pytest.mark.long

COUNTED = """
import sys, threading
started = []

class Timer(threading.Timer):
    def start(self):
        started.append(self)
        super().start()

threading.Timer = Timer
from snakemake.cli import main
try:
    main(sys.argv[1:])
finally:
    print("timers:", len(started))
"""
"""Snakemake, and how many timers it started: each of its limit of jobs per second is another choice among all jobs."""


def test_no_timer_is_started_for_another_choice_of_jobs(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, FIRST_DAY)
    options = ["--snakefile", str(bench.home / "Snakefile"), "--directory", str(bench.study), "--cores", "1"]
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *options, "--no-hooks", "--until", "ingest"],
        cwd=bench.home,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (bench.study / "data/results/Ann/day1/raw/w.h5").is_file()
    assert "timers: 0" in done.stdout
