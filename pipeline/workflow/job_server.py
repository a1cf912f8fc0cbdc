"""One process that has imported what the workflow's jobs need, and forks a process for each of them.

A session has up to nine jobs, and importing scipy, pandas, numba and matplotlib costs each of them up to two seconds of
processor time. The workflow starts the server with the first jobs; `pipeline.workflow.job_client` sends it each job's
words, environment, folder and streams. A job is a process of its own, as without the server: it shares no state with
other jobs, and its crash does not affect them. The server, with its jobs, ends with the workflow that started it.

Linux only: elsewhere the libraries do not support a fork, and each job is a Python of its own.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import runpy
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.workflow.job_client import VARIABLE
from pipeline.workflow.jobs import JOBS, MODULES

AT_FIRST_USE = (
    "ezc3d",
    "scipy.signal",
    "pipeline.reporting.figures.svg",
    "pipeline.muscles.static_optimisation_kernels",
)
"""Modules that stages import only on use, and that most sessions use."""

FOLLOWED = (signal.SIGCHLD, signal.SIGINT)
"""Signals that the server handles differently from its jobs."""


PR_SET_PDEATHSIG = 1
"""Linux's number of the request to receive a signal when the parent ends."""


@dataclass(frozen=True)
class Job:
    """A job requested by a client: module and arguments, folder, environment, and descriptors of its three streams."""

    words: Sequence[str]
    folder: str
    environment: dict[str, str]
    streams: Sequence[int]


def end_with_parent() -> None:
    """Let this process receive SIGTERM when the one that forked it ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def start_job_server() -> None:
    """Start a server for the jobs of this process, and announce it to them in the environment.

    It ends when this process does. If it cannot be started, jobs run without it.
    """
    if sys.platform != "linux":
        return
    folder = Path(tempfile.mkdtemp(prefix="gait-"))
    path = str(folder / "jobs")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        try:
            listener.bind(path)
            listener.listen(128)
        except OSError:  # such as a temporary folder with a path that is too long for a socket
            shutil.rmtree(folder)
            return
        words = [sys.executable, "-P", "-m", "pipeline.workflow.job_server", str(listener.fileno()), str(folder)]
        server = subprocess.Popen(words, stdin=subprocess.PIPE, pass_fds=[listener.fileno()])
    os.environ[VARIABLE] = path
    atexit.register(server.communicate)  # closes its input, and waits for its end


@dataclass
class _Server:
    """The sockets to which a server listens, and the jobs that it runs.

    Attributes:
        listener: where clients connect.
        owner: file descriptor that ends when the workflow does.
        running: connections of the clients, by the process of their job.
    """

    listener: socket.socket
    owner: int
    running: dict[int, socket.socket] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.signals, self._wakeup = socket.socketpair()
        self._wakeup.setblocking(False)
        signal.set_wakeup_fd(self._wakeup.fileno())
        for followed in FOLLOWED:
            signal.signal(followed, lambda number, frame: None)
        for heard in (self.listener, self.owner, self.signals):
            self.selector.register(heard, selectors.EVENT_READ)

    def serve(self, timeout: float | None) -> Job | None:
        """Handle the waiting events, or those within the timeout, s; with None, wait for them.

        Returns:
            In the process of a requested job, the job; None in the server.

        Raises:
            EOFError: the workflow has ended.
        """
        for key, _ in self.selector.select(timeout):
            if key.fileobj is self.listener:
                job = self._fork()
                if job:
                    return job
            elif key.fileobj is self.signals:
                self.signals.recv(4096)
            elif key.fileobj == self.owner:
                raise EOFError
            else:  # end of a client's stream: it was killed
                self._end(key.data)
        self._reap()
        return None

    def _fork(self) -> Job | None:
        connection, _ = self.listener.accept()
        try:
            job = received(connection)
        except (OSError, ValueError):  # a client that was killed before it sent everything
            connection.close()
            return None
        gc.freeze()  # keeps the jobs' garbage collection off the imported objects, which would copy their memory
        process = os.fork()
        if process == 0:
            connection.close()
            self._leave()
            return job
        for stream in job.streams:
            os.close(stream)
        self.running[process] = connection
        self.selector.register(connection, selectors.EVENT_READ, process)
        return None

    def _leave(self) -> None:
        """In the process of a job: release everything of the server's, and end when it ends."""
        end_with_parent()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.selector.close()
        for connection in (self.listener, self.signals, self._wakeup, *self.running.values()):
            connection.close()
        os.close(self.owner)

    def _end(self, process: int) -> None:
        self.selector.unregister(self.running[process])
        os.kill(process, signal.SIGTERM)

    def _reap(self) -> None:
        while self.running:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            with self.running.pop(process) as connection:
                with suppress(KeyError):
                    self.selector.unregister(connection)
                code = os.waitstatus_to_exitcode(status)
                with suppress(OSError):
                    connection.sendall((code if code >= 0 else 128 - code).to_bytes(4))


def received(connection: socket.socket) -> Job:
    """The job requested by a client. Raises OSError or ValueError if the request is incomplete."""
    connection.settimeout(10.0)
    head, streams, _, _ = socket.recv_fds(connection, 8, 3)
    try:
        request = bytearray()
        while len(request) < int.from_bytes(head):
            part = connection.recv(1 << 16)
            if not part:
                raise ValueError("the client ended")
            request += part
        connection.settimeout(None)
        return Job(**json.loads(request), streams=streams)
    except BaseException:
        for stream in streams:
            os.close(stream)
        raise


def run_job(job: Job) -> int:
    """Run a module as ``python -m`` does, in this process; returns its exit status."""
    for number, stream in enumerate(job.streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(job.folder)
    os.environ.clear()
    os.environ.update(job.environment)
    module, *arguments = job.words
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def main() -> int:
    """Serve until the workflow ends: ``python -m pipeline.workflow.job_server LISTENER FOLDER``, its pipe as input."""
    number, folder = sys.argv[1:]
    owner = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    server = _Server(socket.socket(fileno=int(number)), owner)
    stages = [f"pipeline.stages.{stage}" for rule in JOBS for stage in MODULES.get(rule, (rule,))]
    wanted = [*stages, *AT_FIRST_USE]
    try:
        while True:  # a job need not wait for all imports: it imports what it needs itself
            job = server.serve(0 if wanted else None)
            if job:
                break
            if wanted:
                importlib.import_module(wanted.pop(0))
    except EOFError:
        shutil.rmtree(folder, ignore_errors=True)
        return 0
    return run_job(job)


if __name__ == "__main__":
    status = main()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)
