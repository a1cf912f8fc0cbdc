"""Table of published and computed values shown with an example's figure."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Table:
    """Cells of ready text under a heading.

    Attributes:
        note: interpretation of the table.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def html(self) -> str:
        """The table as HTML."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.head)
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in self.rows)
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        return f"<h3>{escape(self.title)}</h3>\n<table><tr>{head}</tr>\n{rows}</table>\n{note}"
