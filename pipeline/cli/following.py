"""Follow the output of a Snakemake run: show progress by trial, log everything, and collect the jobs that stopped."""

from __future__ import annotations

import re
import signal
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pipeline.cli.terminal import console
from pipeline.config import SessionKey
from pipeline.errors import printable
from pipeline.workflow.progress import Ended, read_line

_STEPS = re.compile(r"(\d+) of (\d+) steps \(.*\) done")
_ALL_STEPS = re.compile(r"total +(\d+)")
_FAILED_JOB = re.compile(
    r"Command '.*job_client\.py'? pipeline\.(?:workflow|stages(?P<module>\.\w+)) (?P<rule>\w+) (?P<words>.*)' "
    r"(?:returned non-zero exit status (?P<status>\d+)|died with <Signals\.(?P<signal>\w+))"
)
_LOCKED, _IDLE = "LockException", "Nothing to be done"

KILLED = "was killed from outside, as happens when memory runs out. Run again; if it recurs, use fewer cores"


@dataclass(frozen=True)
class Stop:
    """A job that did not end: its rule in words, its session if it belongs to one, and the reason."""

    job: str
    session: SessionKey | None
    reason: str


@dataclass
class Followed:
    """What the output of a run says.

    Attributes:
        stops: jobs stopped by the machine or by a defect. Jobs of failed trials are not among them: they end normally.
        last_lines: the last lines printed.
        judged: whether the run ended with the verdict that not everything is complete.
        idle: whether there was nothing to do.
        refused_lock: whether another run held the lock.
        interrupted: whether the user stopped it.
    """

    stops: list[Stop] = field(default_factory=list)
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=200))
    judged: bool = False
    idle: bool = False
    refused_lock: bool = False
    interrupted: bool = False

    def last_words(self) -> str:
        """The last error printed; without one, the last line."""
        lines = [line.strip() for line in self.last_lines if line.strip()] or ["it printed nothing"]
        errors = [number for number, line in enumerate(lines) if re.match(r"[\w.]*(Error|Exception)\b", line)]
        return " ".join(lines[errors[-1] :])[:500] if errors else lines[-1]


def follow(process: subprocess.Popen[bytes], log: Path) -> Followed:
    """Show the progress of snakemake, whose standard output and error are one pipe, until its output ends.

    Everything it prints goes to the log. If the disk is full the log is cut short, but nothing stops.
    """
    followed, reasons = Followed(), {}
    with _terminating(process), _log(log) as keep, _Shown() as shown:
        while True:
            try:
                for line in _lines(process):
                    keep(line)
                    followed.last_lines.append(line)
                    followed.refused_lock |= line.startswith(_LOCKED)
                    followed.idle |= line.startswith(_IDLE)
                    ended = read_line(line)
                    if ended and ended.reason:
                        reasons[ended.stage.replace(" ", "_"), ended.session] = ended.reason
                    shown.line(line, ended)
                    failed = _FAILED_JOB.search(line)
                    if failed and failed["rule"] == "verdict":
                        followed.judged = True
                    elif failed and failed["rule"] != "partial":  # it shows what there is after a stop
                        followed.stops.append(_stop(failed, reasons, log.parent))
                process.wait()
                return followed
            except KeyboardInterrupt:  # snakemake receives it too, and ends its jobs
                followed.interrupted = True


def _stop(failed: re.Match[str], reasons: dict[tuple[str, str], str], logs: Path) -> Stop:
    rule = failed["rule"]
    session = SessionKey(*failed["words"].split()[:2]) if not failed["module"] else None
    reason = reasons.get((rule, str(session)), "")
    if failed["signal"] == "SIGKILL" or failed["status"] == str(128 + signal.SIGKILL):
        reason = KILLED
    elif not reason and failed["signal"]:
        reason = f"crashed ({failed['signal']})"
    path = logs.joinpath(*(session or ()), f"{rule}.log")
    return Stop(rule.replace("_", " "), session, reason or f"{_last_line(path)} (see {path})")


def _last_line(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="backslashreplace").split("\n")
    except OSError:
        lines = []
    return next((line.strip() for line in reversed(lines) if line.strip()), "its reason is not known")


def _lines(process: subprocess.Popen[bytes]) -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        yield line.decode("utf-8", errors="backslashreplace").rstrip("\r\n")


@contextmanager
def _terminating(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Within the block, a request to terminate this process terminates the run."""
    before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _log(path: Path) -> Iterator:
    """A function that appends a line to a new file, ignoring errors such as a full disk."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("w", encoding="utf-8", errors="backslashreplace")
    except OSError:
        yield lambda line: None
        return

    def keep(line: str) -> None:
        with suppress(OSError):
            stream.write(f"{line}\n")

    try:
        yield keep
    finally:
        with suppress(OSError):
            stream.close()


class _Shown:
    """Progress: on a terminal, a bar with the last trial and failures above it; elsewhere, a line per trial."""

    def __init__(self) -> None:
        own = console(stderr=True)
        last = TextColumn("{task.description}", markup=False)
        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), last)
        self._bar = Progress(*columns, console=own, transient=True, refresh_per_second=2, disable=not own.is_terminal)
        self._task = self._bar.add_task("reading the study", total=None)
        self._failed: set[tuple[str, str]] = set()

    def __enter__(self) -> _Shown:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def line(self, line: str, ended: Ended | None) -> None:
        """Show a line of the run, if it is meant for people."""
        steps, total = _STEPS.fullmatch(line), _ALL_STEPS.fullmatch(line)
        if steps:
            self._bar.update(self._task, completed=int(steps[1]), total=int(steps[2]))
        elif total:
            self._bar.update(self._task, total=int(total[1]))
        elif ended:
            self._bar.update(self._task, description=printable(f"{ended.stage}, {ended.session}: {ended.trial}"))
            trial = (ended.session, ended.trial)
            if self._bar.disable or ended.reason or (ended.failed and trial not in self._failed):
                self._bar.console.print(printable(line), markup=False)
            if ended.failed:  # and all of its later stages with it
                self._failed.add(trial)
