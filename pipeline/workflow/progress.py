"""Progress for the person at the terminal: a line for each trial; other output of a job goes to its log."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from pipeline.errors import printable

_LINE = re.compile(
    r"(?P<stage>[a-z][a-z ]*), (?P<session>[\w-]+/[\w-]+): "
    r"(?:(?P<trial>[\w.-]+) (?P<ended>done|failed) \(\d+ of \d+, .*\)|stopped: (?P<reason>.*))"
)


@dataclass(frozen=True)
class Ended:
    """Contents of a line of progress.

    Attributes:
        stage: in words. session: subject and session.
        trial: the one that ended; empty if the job stopped.
        failed: whether the trial failed.
        reason: why the job stopped.
    """

    stage: str
    session: str
    trial: str = ""
    failed: bool = False
    reason: str = ""


class Progress:
    """Writes progress to the terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal

    def trial(self, stage: str, session: str, trial: str, number: int, count: int, failed: bool) -> None:
        """Report that a trial ended, as the ``number``-th of ``count`` of its session."""
        left = count - number
        ended = "failed" if failed else "done"
        to_go = f"{left} to go" if left else "all done"
        self.line(f"{stage.replace('_', ' ')}, {session}: {trial} {ended} ({number} of {count}, {to_go})")

    def stopped(self, stage: str, session: str, reason: str) -> None:
        """Report that a job cannot go on, and why; its session is not computed."""
        self.line(f"{stage.replace('_', ' ')}, {session}: stopped: {' '.join(reason.split())}")

    def line(self, text: str) -> None:
        """Write a line; a closed terminal stops nothing."""
        try:
            print(printable(text), file=self._terminal, flush=True)
        except OSError:
            return


def read_line(text: str) -> Ended | None:
    """Contents of a line of progress; None if it is none."""
    found = _LINE.fullmatch(text)
    if not found:
        return None
    stage, session, trial, ended, reason = found.groups()
    return Ended(stage, session, trial or "", ended == "failed", reason or "")


def progress_with_log(log: Path | None) -> Progress:
    """Progress on the present standard error; from now on, all other output of the process goes to the log, if any."""
    if log is None:
        return Progress(sys.stderr)
    terminal = os.fdopen(os.dup(2), "w", encoding="utf-8", errors="backslashreplace")
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    with log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    return Progress(terminal)
