"""Convert the interpretation that a clinician writes in Markdown to HTML, and to blocks for PDF and documents.

The text is not trusted: HTML in it is shown as text, and links and images are disabled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

MAX_BYTES = 200_000
"""Maximum size of a file that is shown; a page of text has about 3,000 bytes."""


@dataclass(frozen=True)
class Run:
    """A piece of text in one style."""

    text: str
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, or an item of a list with its mark, such as a bullet or "2."."""

    runs: tuple[Run, ...]
    heading: bool = False
    mark: str = ""

    @property
    def text(self) -> str:
        """The text without styles, with the mark."""
        return " ".join(filter(None, (self.mark, "".join(run.text for run in self.runs))))


def read_interpretation(path: Path | None) -> str:
    """Read the file's text; empty without a file. If some of it cannot be read, the first line says so."""
    if path is None:
        return ""
    stored = path.read_bytes()
    faults = []
    if len(stored) > MAX_BYTES:
        faults.append(f"{path.name} has {len(stored)} bytes, of which the first {MAX_BYTES} are shown.")
    try:
        stored.decode("utf-8-sig")
    except UnicodeDecodeError:
        faults.append(f"{path.name} is not saved as UTF-8: \N{REPLACEMENT CHARACTER} stands for what cannot be read.")
    text = stored[:MAX_BYTES].decode("utf-8-sig", errors="replace")
    return "\n\n".join([*(f"**{fault}**" for fault in faults), text])


def html_of(text: str) -> str:
    """Markdown as HTML with no elements other than headings, paragraphs, emphasis, lists, quotes and code.

    Its headings are below that of the section, of level 2.
    """
    reader = _markdown()
    tokens = reader.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 2, 6)}"
    return str(reader.renderer.render(tokens, reader.options, {}))


def blocks_of(text: str) -> tuple[Block, ...]:
    """Markdown as blocks, in order."""
    return tuple(_blocks(_markdown().parse(text)))


@cache
def _markdown() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False})
    return reader.disable(["image", "link", "autolink", "reference"])


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    heading, mark = False, ""
    lists: list[int | None] = []
    for token in tokens:
        if token.type == "bullet_list_open":
            lists.append(None)
        elif token.type == "ordered_list_open":
            lists.append(int(token.attrs.get("start", 1)))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            number = lists[-1]
            mark = "\N{BULLET}" if number is None else f"{number}."
            lists[-1] = None if number is None else number + 1
        elif token.type in ("heading_open", "heading_close"):
            heading = token.type == "heading_open"
        elif token.type == "inline":
            yield Block(tuple(_runs(token.children or [])), heading, mark)
            mark = ""
        elif token.type in ("code_block", "fence"):
            yield from (Block((Run(line),)) for line in token.content.splitlines())


def _runs(children: list[Token]) -> Iterator[Run]:
    bold = italic = 0
    for token in children:
        step = token.nesting
        if token.type.startswith("strong"):
            bold += step
        elif token.type.startswith("em_"):
            italic += step
        elif token.type in ("softbreak", "hardbreak"):
            yield Run(" ", bool(bold), bool(italic))
        elif token.content:
            yield Run(token.content, bool(bold), bool(italic))
