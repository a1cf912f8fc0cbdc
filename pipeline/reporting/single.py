"""Write a page as a single file, with scripts inlined and links to other pages as plain text.

python -m pipeline.reporting.single reports/walk.html walk.html
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from collections.abc import Callable
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.whole_files import write_text

SCRIPT = re.compile(r'<script src="([\w./]+)"></script>')
LINK = re.compile(r'<a href="(?!#)[^>]*>(.*?)</a>', re.DOTALL)
STORED_LINK = re.compile(r'\\u003ca href=\\"(?!#).*?\\u003e(.*?)\\u003c/a\\u003e')
"""The same in the JSON of rows that are stored until they are shown."""

POLICY = "script-src 'self' file:"
"""Script policy of a page, which allows scripts from files; a single page allows only inlined ones, by digest."""


def write_single_page(page: Path, output: Path) -> None:
    """Write a page with its scripts inlined.

    Args:
        page: HTML file of a study, with the shared scripts at the addresses that it names.
        output: HTML file to write; replaced if it exists.

    Raises:
        PipelineError: there is no such page, or a script that it needs is missing.
    """
    if not page.is_file():
        raise PipelineError("is not a page", where=str(page), remedy="Run the workflow first")
    digests = []

    def inside(found: re.Match[str]) -> str:
        script = page.parent / found[1]
        try:
            text = script.read_text(encoding="utf-8")
        except OSError as error:
            raise PipelineError("is missing", where=str(script), remedy="Run the workflow again") from error
        digests.append(base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())
        return f"<script>{text}</script>"

    text = SCRIPT.sub(inside, page.read_text(encoding="utf-8"))
    text = LINK.sub(r"<span>\1</span>", text)
    text = STORED_LINK.sub(r"\\u003cspan\\u003e\1\\u003c/span\\u003e", text)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    write_text(output, text.replace(POLICY, f"script-src {allowed}", 1))


def run_on_arguments(write: Callable[[Path, Path], None], usage: str | None) -> None:
    """Command of a module that writes the file of the second argument from the page of the first one."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    try:
        write(Path(sys.argv[1]), Path(sys.argv[2]))
    except PipelineError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    run_on_arguments(write_single_page, __doc__)
