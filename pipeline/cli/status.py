"""Exit statuses of the command line."""

from __future__ import annotations

from enum import IntEnum

from pipeline.errors import PipelineError


class Status(IntEnum):
    """Exit statuses of `gait`, each with its meaning in words."""

    meaning: str

    COMPLETE = 0, "done; for a study, all trials are complete"
    INCOMPLETE = 1, "trials failed or were refused, or results are incomplete; everything else is complete"
    NOT_STARTED = 2, "the command, its folder or files, or the study's configuration is wrong: nothing was computed"
    STOPPED = 3, "the machine or a defect stopped a job or the run: run again"
    BUSY = 4, "the study is locked by another run, or cannot be written"
    INTERRUPTED = 130, "interrupted from the keyboard; the next run continues from there"

    def __new__(cls, value: int, meaning: str) -> Status:
        """A status with its meaning."""
        own = int.__new__(cls, value)
        own._value_, own.meaning = value, meaning
        return own


class BusyError(PipelineError):
    """A study's folder cannot be written, or the study is being run already."""


def table() -> str:
    """All exit statuses in words, one per line."""
    return "\n\n".join(f"{status.value}: {status.meaning}." for status in Status)
