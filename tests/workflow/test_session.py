"""Trials of a session divided among processes: the same files, failures that stop nothing, and ends of processes.

The processes are forked by one without threads, as in the workflow, so each test has a Python of its own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflow.test_job_server import alive, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")

SESSION = """
import os, signal, sys, time
from pathlib import Path
from types import ModuleType

from pipeline.errors import SignalError
from pipeline.results import DamagedFileError, read_failure, verified_digest
from pipeline.trial import LowPass
from pipeline.workflow.jobs import SessionStage, TrialInputs
from pipeline.workflow.machine import reason_at_exit
from pipeline.workflow.progress import Progress
from pipeline.workflow.session import run_stages


def example(trial: str, cutoff: float) -> LowPass:
    if trial == "b" and sys.argv[1] == "wrong":
        raise SignalError("is too short")
    if trial == "b" and sys.argv[1] == "damaged":
        raise DamagedFileError(Path("raw/b.h5"), "is damaged")
    if trial == "b" and sys.argv[1] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if sys.argv[1] == "endless":
        Path(trial).write_text(str(os.getpid()))
        time.sleep(60.0)
    Path(trial).write_text(str(os.getpid()))
    return LowPass(cutoff, 20.0, 4)


module = ModuleType("pipeline.stages.example")
module.run = example
sys.modules[module.__name__] = module
trials = {name: TrialInputs(settings={"cutoff": number}) for number, name in enumerate("abcd", start=1)}
stages = [SessionStage("example", "Ann/day1", Path(kind, "{trial}.h5"), trials) for kind in ("first", "second")]
Path("raw").mkdir(exist_ok=True)
with reason_at_exit():
    run_stages(stages, "code", Progress(sys.stdout), int(sys.argv[2]))
print({name: (verified_digest(Path("second", f"{name}.h5")), bool(read_failure(Path("first", f"{name}.h5"))))
       for name in trials})
"""


def words(case: str, workers: int) -> list[str]:
    return [sys.executable, "-c", SESSION, case, str(workers)]


def session(folder: Path, case: str, workers: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words(case, workers), cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("case", ["right", "wrong"])
def test_several_processes_write_the_same_files_as_one(tmp_path: Path, case: str) -> None:
    ends, processes = {}, {}
    for workers in (1, 3):
        folder = tmp_path / str(workers)
        folder.mkdir()
        done = session(folder, case, workers)
        *lines, ends[workers] = done.stdout.splitlines()
        assert done.returncode == 0, done.stderr
        assert len(lines) == 8
        assert [line.partition("(")[2] for line in lines[::2]] == [
            *(f"{k} of 4, {4 - k} to go)" for k in (1, 2, 3)),
            "4 of 4, all done)",
        ]
        assert sum(" b failed" in line for line in lines) == 2 * (case == "wrong")
        written = [name for name in "acd" if case == "wrong"] or [*"abcd"]
        processes[workers] = {(folder / name).read_text() for name in written}
    assert ends[1] == ends[3]
    assert len(processes[1]) == 1
    assert len(processes[3]) > 1


def test_a_process_that_is_killed_stops_the_session_with_a_remedy(tmp_path: Path) -> None:
    done = session(tmp_path, "killed", 2)
    assert done.returncode == 1
    assert "a process was killed, perhaps since the memory is used up. Run with fewer cores" in done.stderr
    assert not (tmp_path / "second/b.h5").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_damaged_file_stops_the_session_and_its_folder_is_set_aside(tmp_path: Path, workers: int) -> None:
    done = session(tmp_path, "damaged", workers)
    assert done.returncode == 1
    assert "raw/b.h5: is damaged. Run the workflow again" in done.stderr
    assert (tmp_path / "raw.damaged").is_dir()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_processes_end_with_the_one_that_forked_them(tmp_path: Path, number: int) -> None:
    with subprocess.Popen(words("endless", 2), cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
        until(lambda: all((tmp_path / name).exists() and (tmp_path / name).read_text() for name in "ab"))
        workers = [int((tmp_path / name).read_text()) for name in "ab"]
        os.kill(process.pid, number)
    until(lambda: not any(map(alive, workers)))
