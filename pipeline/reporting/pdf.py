"""Print a page as PDF with an installed Chromium.

python -m pipeline.reporting.pdf reports/walk.html walk.pdf
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.reporting.single import run_on_arguments

NAMES = ("chromium", "chromium-browser", "google-chrome")

OPTIONS = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-pdf-header-footer",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

SECONDS = 120.0
"""Maximum time for printing, s."""


def write_pdf(page: Path, output: Path, *, sandbox: bool = True) -> None:
    """Print a page.

    Args:
        page: HTML file.
        output: PDF file to write; replaced if it exists.
        sandbox: whether to use Chromium's sandbox, with which it refuses to run as the root user.

    Raises:
        PipelineError: there is no such page, no Chromium, or it did not print.
    """
    if not page.is_file():
        raise PipelineError("is not a page", where=str(page), remedy="Run the workflow first")
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        raise PipelineError(
            f"none of {', '.join(NAMES)} is installed", remedy="Install one, or print the page from a browser"
        )
    with tempfile.TemporaryDirectory() as scratch:
        printed = Path(scratch, "page.pdf")
        options = [*OPTIONS, *([] if sandbox else ["--no-sandbox"]), f"--user-data-dir={scratch}/profile"]
        command = [chromium, *options, f"--print-to-pdf={printed}", page.resolve().as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise PipelineError(f"was not printed within {SECONDS:g} s", where=str(page)) from None
        if not printed.is_file():
            reason = done.stderr.strip().splitlines()[-1:] or ["no message"]
            raise PipelineError(f"was not printed: {reason[0]}", where=str(page))
        shutil.copyfile(printed, output)


if __name__ == "__main__":
    run_on_arguments(write_pdf, __doc__)
