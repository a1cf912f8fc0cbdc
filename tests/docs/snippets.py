"""The fenced blocks of the documentation, and their commands."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

COMMANDS = ("gait", "make", ".venv/bin/gait", ".venv/bin/python", ".venv/bin/snakemake", "cp", "mkdir")
"""First words of a block's lines that are commands; the other lines are listings."""


def blocks(page: str, language: str = "") -> list[str]:
    """Fenced blocks of a page in a language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [body for of, body in re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S) if of == language]


def pages_with_snippets() -> list[str]:
    """Pages that readers see, but those that have a test of their own."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [
        str(path.relative_to(ROOT)) for path in found if path.name not in ("tutorial.md", "gallery.md", "extend.md")
    ]


def commands(page: str) -> list[str]:
    """Commands of a page, without the remarks after them."""
    lines = [line for of in ("", "console") for block in blocks(page, of) for line in block.splitlines()]
    return [line.partition("  #")[0].strip() for line in lines if line.partition(" ")[0] in COMMANDS]
