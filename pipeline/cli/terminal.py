"""Output of the commands: colours on a terminal, plain text elsewhere. Text from files cannot control the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from pipeline.errors import printable


def say(text: str, style: str = "") -> None:
    """Print lines on standard output."""
    console(stderr=False).print(Text(printable(text), style=style))


def complain(text: str) -> None:
    """Print on standard error, in red."""
    console(stderr=True).print(Text(printable(text), style="red"))


def console(*, stderr: bool) -> Console:
    """Standard output, or standard error, on which progress is shown too."""
    return Console(stderr=stderr, highlight=False, soft_wrap=True)
