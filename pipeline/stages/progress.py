"""Progress for the person at the terminal: a line for each trial; all else that a job prints goes to its log."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO


class Progress:
    """Writes progress to the terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal

    def trial(self, stage: str, session: str, trial: str, number: int, count: int, failed: bool) -> None:
        """Tell that a trial ended, as the ``number``-th of ``count`` of its session."""
        left = count - number
        ended = "failed" if failed else "done"
        to_go = f"{left} to go" if left else "all done"
        self.line(f"{stage.replace('_', ' ')}, {session}: {trial} {ended} ({number} of {count}, {to_go})")

    def line(self, text: str) -> None:
        """Write a line; a terminal that was closed stops nothing."""
        try:
            print(text, file=self._terminal, flush=True)
        except OSError:
            return


def progress_with_log(log: Path | None) -> Progress:
    """Progress on the present standard error; from now on all other output of the process goes to the log.

    Args:
        log: file to write; None leaves all output where it is.
    """
    if log is None:
        return Progress(sys.stderr)
    terminal = os.fdopen(os.dup(2), "w", encoding="utf-8", errors="backslashreplace")
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)
    return Progress(terminal)
