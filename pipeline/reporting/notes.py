"""Notes of the stages, grouped as pages show them."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.trial import Note, NoteKind

HEADINGS: dict[NoteKind, str] = {
    "refusal": "Not plausible",
    "warning": "Warnings",
    "left out": "Excluded",
    "estimated": "Estimated",
    "assumed": "Assumed",
    "filled": "Gaps filled",
    "info": "Information",
}
"""Kinds of notes in the order in which they are shown."""


def by_heading(notes: Iterable[Note]) -> dict[str, tuple[Note, ...]]:
    """Notes by the heading of their kind, in the order of `HEADINGS`."""
    notes = tuple(notes)
    grouped = {heading: tuple(note for note in notes if note.kind == kind) for kind, heading in HEADINGS.items()}
    return {heading: group for heading, group in grouped.items() if group}
