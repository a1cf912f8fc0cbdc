"""Faults of the machine through `gait run`: two runs at once, a killed run or job, a full and a read-only disk."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from pipeline.workflow.lock_owner import LOCKS, OWNER
from tests.studies.bench import FIRST_DAY, ROOT, Bench, make_bench

pytestmark = pytest.mark.long


@contextmanager
def started(study: Path) -> Iterator[subprocess.Popen[str]]:
    """`gait run`, in a process group of its own, whose processes are all ended afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", "run", str(study), "--cores", "1"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill(process)
        assert process.stdout is not None
        process.stdout.close()


def kill(process: subprocess.Popen[str]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()


def gait_run(study: Path) -> tuple[int, str]:
    with started(study) as process:
        text, _ = process.communicate(timeout=300)
        return process.returncode, text


def job_at_work(study: Path, of: subprocess.Popen[str]) -> psutil.Process:
    """The first job of a run of the study that appears; one that a killed run left behind may still end."""
    for _ in range(6000):
        for process in psutil.process_iter():
            try:
                its_own = "pipeline.workflow" in process.cmdline() and Path(process.cwd()) == study
                if its_own and of.pid in [above.pid for above in process.parents()]:
                    return process
            except psutil.Error:
                continue
        time.sleep(0.01)
    raise TimeoutError


def test_two_runs_at_once_a_killed_run_and_a_killed_job(one_session: Bench) -> None:
    study = one_session.study
    with started(study) as first:
        job_at_work(study, first)
        status, text = gait_run(study)
        assert status == 4
        assert "runs it now" in text
        assert "Wait until it ends" in text
        kill(first)
    assert any((study / LOCKS).iterdir())
    assert (study / OWNER).is_file()

    with started(study) as run:
        job_at_work(study, run).kill()
        text, _ = run.communicate(timeout=300)
    assert run.returncode == 3
    assert "its lock is released" in text
    assert re.search(r"stopped: [a-z ]+ of Ann/day1 \(trials still, w\): was killed from outside", text)
    assert re.search(r"[12] of 2 trials failed", text), "the verdict names them"
    assert "Traceback" not in text
    assert "CalledProcessError" not in text
    assert "CalledProcessError" in (study / "logs/snakemake.log").read_text()
    assert "was stopped" in (study / "reports/index.html").read_text()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with room for the study's files and little else."""
    place = tmp_path / "disk"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", place], capture_output=True).returncode:
        pytest.skip("no disk can be mounted here: a full and a read-only one are not tried")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_and_a_read_only_disk_are_named(small_disk: Path) -> None:
    study = make_bench(small_disk, FIRST_DAY).study
    status, text = gait_run(study)
    assert status == 3
    assert "No space left on device. Free space on the disk and run again" in text
    assert "Free some space and run again" in text
    assert "Traceback" not in text
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    status, text = gait_run(study)
    assert status == 4
    assert "data/results: cannot be written (Read-only file system)" in text
