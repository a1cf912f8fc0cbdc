"""Notes of the stages, grouped for pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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


WORDS = 50
"""Maximum words of the findings that a page shows unfolded; with its other lines a page has at most 120."""

_FIRST_CLAUSE = re.compile(r"(?:(?!; |, probably |, so that | \(limit |: |\. )(?:\([^()]*\)|.))*", re.DOTALL)
"""Words in brackets are kept whole."""


def headline(text: str) -> str:
    """The first clause of a note: what was found, without limit, cause and remedy."""
    first = _FIRST_CLAUSE.match(text)
    return first[0] if first else text


def leading(notes: Sequence[Note], most: int, words: int = WORDS) -> tuple[Note, ...]:
    """The first notes, at most ``most``, whose subjects and headlines together have at most ``words`` words.

    The first note is included whatever its length, unless ``most`` is zero.
    """
    shown = 0
    for note in notes[: max(most, 0)]:
        words -= len(f"{note.subject} {headline(note.text)}".split())
        if words < 0 and shown:
            break
        shown += 1
    return tuple(notes[:shown])
