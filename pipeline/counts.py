"""Counts in words, in the singular or the plural."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A count with its noun, whose plural ends in s.

    >>> counted(1, "walk"), counted(3, "walk")
    ('1 walk', '3 walks')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"
