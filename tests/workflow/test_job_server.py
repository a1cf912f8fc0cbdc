"""Jobs that are forked from one process behave as each would in a Python of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLIENT = [sys.executable, "-S", "-P", str(ROOT / "pipeline/workflow/job_client.py")]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="jobs are forked on Linux only")

JOB = """
import json, os, signal, sys, time
from pathlib import Path

what = sys.argv[1]
if what == "tell":
    told = {"words": sys.argv, "folder": os.getcwd(), "own": os.environ.get("OWN"), "numpy": "numpy" in sys.modules}
    Path("told.json").write_text(json.dumps({**told, "child": signal.getsignal(signal.SIGCHLD)}))
    print("said aloud")
    print("complained", file=sys.stderr)
    print(sys.stdin.read())
elif what == "exit":
    sys.exit(json.loads(sys.argv[2]))
elif what == "raise":
    raise ValueError("no such trial")
elif what == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
elif what == "wait":
    Path("waiting").write_text(str(os.getpid()))
    time.sleep(60)
"""

OWNER = """
import os, sys
from pipeline.workflow.job_server import start_job_server

start_job_server()
print(os.environ["GAIT_JOBS"], flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the job's module."""
    folder = tmp_path_factory.mktemp("jobs")
    (folder / "job.py").write_text(JOB)
    return folder


def environment(jobs: Path, **own: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{jobs}", **own}


@contextmanager
def started(jobs: Path) -> Iterator[Any]:
    """A process that started a server, as the workflow does; its attribute ``path`` is the server's socket."""
    words = [sys.executable, "-P", "-c", OWNER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, env=environment(jobs), **pipes) as process:
        process.path = process.stdout.readline().strip()
        yield process
        process.stdin.close()


@pytest.fixture(scope="module")
def server(jobs: Path) -> Iterator[str]:
    """Socket of a server that runs the jobs of one test after another, as of a workflow's rules."""
    with started(jobs) as owner:
        yield owner.path


@pytest.fixture
def owner(jobs: Path) -> Iterator[Any]:
    """Of a server of the test's own, which it may end."""
    with started(jobs) as process:
        yield process


def client(jobs: Path, folder: Path, path: str, *words: str, **own: str) -> subprocess.CompletedProcess[str]:
    variables = environment(jobs, GAIT_JOBS=path, **own)
    command = [*CLIENT, "job", *words]
    return subprocess.run(command, cwd=folder, env=variables, input="asked", capture_output=True, text=True)


def until(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen within 30 s")


def alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("served", [True, False])
def test_a_job_has_its_words_folder_environment_and_streams(server, jobs, tmp_path: Path, served: bool) -> None:
    done = client(jobs, tmp_path, server if served else "", "tell", "a b", "ü", OWN="mine")
    assert (done.returncode, done.stdout, done.stderr) == (0, "said aloud\nasked\n", "complained\n")
    told = json.loads((tmp_path / "told.json").read_text())
    assert told["words"][1:] == ["tell", "a b", "ü"]
    assert (told["folder"], told["own"], told["child"]) == (str(tmp_path), "mine", signal.SIG_DFL)
    assert served or not told["numpy"]


@pytest.mark.parametrize("served", [True, False])
@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["exit", "3"], 3, ""),
        (["exit", "null"], 0, ""),
        (["exit", '"in words"'], 1, "in words\n"),
        (["raise"], 1, "ValueError: no such trial\n"),
    ],
)
def test_a_job_ends_with_its_status(server, jobs, tmp_path, words, status, said, served) -> None:
    done = client(jobs, tmp_path, server if served else "", *words)
    assert (done.returncode, done.stderr.endswith(said)) == (status, True), done.stderr


def test_a_job_that_crashes_takes_no_other_with_it(server, jobs, tmp_path: Path) -> None:
    assert client(jobs, tmp_path, server, "crash").returncode == 128 + signal.SIGSEGV
    assert client(jobs, tmp_path, server, "exit", "0").returncode == 0


def test_a_job_ends_with_its_client(server, jobs, tmp_path: Path) -> None:
    words = [*CLIENT, "job", "wait"]
    with subprocess.Popen(words, cwd=tmp_path, env=environment(jobs, GAIT_JOBS=server)) as process:
        until(lambda: (tmp_path / "waiting").is_file() and (tmp_path / "waiting").read_text())
        job = int((tmp_path / "waiting").read_text())
        assert alive(job)
        process.kill()
        until(lambda: not alive(job))


def test_the_server_ends_with_the_process_that_started_it(owner, jobs, tmp_path: Path) -> None:
    assert Path(owner.path).exists()
    owner.kill()
    until(lambda: not Path(owner.path).exists())
    assert client(jobs, tmp_path, owner.path, "exit", "4").returncode == 4  # in a Python of its own


def test_a_client_says_that_its_server_was_ended_and_no_job_goes_on(owner, jobs, tmp_path: Path) -> None:
    words = [*CLIENT, "job", "wait"]
    variables = environment(jobs, GAIT_JOBS=owner.path)
    with subprocess.Popen(words, cwd=tmp_path, env=variables, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: (tmp_path / "waiting").is_file() and (tmp_path / "waiting").read_text())
        job = int((tmp_path / "waiting").read_text())
        server = int(Path(f"/proc/{job}/stat").read_text().rsplit(")")[1].split()[1])
        os.kill(server, signal.SIGKILL)
        assert (process.wait(), process.stderr.read()) == (1, "The process that runs the workflow's jobs has ended\n")
        until(lambda: not alive(job))


def test_a_socket_that_cannot_be_made_leaves_jobs_without_a_server(monkeypatch, tmp_path: Path) -> None:
    from pipeline.workflow import job_server

    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    monkeypatch.setattr(job_server.tempfile, "tempdir", str(deep))
    monkeypatch.delenv(job_server.VARIABLE, raising=False)
    job_server.start_job_server()
    assert job_server.VARIABLE not in os.environ
    assert list(deep.iterdir()) == []
