"""The error family: every error a user can cause says what, where, which value, and what to do.

Stages turn any of these into a recorded reason for their trial; the batch continues. An exception outside this family
is a defect of the program and is reported as such.
"""

from __future__ import annotations

from collections.abc import Sequence


class PipelineError(Exception):
    """Base of all errors that a user's input, configuration or request can cause.

    Args:
        problem: what is wrong, with the value and the limit it breaks.
        where: the file, trial, marker, key or joint concerned; shown before the problem.
        remedy: what the user can do about it; shown after the problem.
    """

    def __init__(self, problem: str, *, where: str = "", remedy: str = "") -> None:
        self.problem, self.where, self.remedy = problem, where, remedy
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        text = f"{self.where}: {self.problem}" if self.where else self.problem
        return f"{text}. {self.remedy}" if self.remedy else text


class ConfigError(PipelineError):
    """A configuration file, table, marker set or skeleton is malformed or inconsistent."""


class AcquisitionError(PipelineError):
    """A C3D file cannot be read, or its declarations cannot be true."""


class SignalError(PipelineError):
    """A recording is too short, too sparse or too irregular for the requested processing."""


class AnatomyError(PipelineError):
    """Markers or subject values needed to build the body are missing or impossible."""


class DynamicsError(PipelineError):
    """A mechanical model or state is malformed: shapes, masses, inertias, non-finite values."""


class ResultsError(PipelineError):
    """A results file is missing, incomplete or of another version."""


def printable(text: str) -> str:
    """A text for a terminal: control characters, such as those of a label in a file, are shown as escapes."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def some_of(names: Sequence[str], most: int = 5) -> str:
    """Names for a sentence; of more than ``most``, the first ones and the number of the others.

    >>> some_of(["w1", "w2", "w3", "w4"], 2)
    'w1, w2 and 2 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
