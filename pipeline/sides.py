"""Left and right in names and files: the name on the other side, and entries given once for both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.conventions import SIDES

LETTERS = {side: side[0].upper() for side in SIDES}
"""First letter of a side's marker labels."""


def other_side(name: str) -> str:
    """The name with "left" and "right" swapped; a name without a side stays the same."""
    left, right = SIDES
    return name.replace(left, "\0").replace(right, left).replace("\0", right)


def other_label(label: str) -> str:
    """The marker label of the other side: its first letter L or R swapped, or the words left and right within it."""
    if other_side(label) != label:
        return other_side(label)
    return {"L": "R", "R": "L"}.get(label[:1], label[:1]) + label[1:]


def both_sides(node: Any, letters: Mapping[str, str] = LETTERS, mirrored: str = "") -> Any:
    """Expand every entry with {side} or {S} in its key into one entry for each side.

    Args:
        node: content of a YAML file.
        letters: the letter for {S}, by side.
        mirrored: key of a position [x, y, z] in such an entry, given for the right side; its z is negated for the left.
    """
    if not isinstance(node, dict):
        return node
    out = {}
    for key, value in node.items():
        if "{side}" in str(key) or "{S}" in str(key):
            for side, letter in letters.items():
                entry = _substituted(value, side, letter)
                out[_substituted(key, side, letter)] = _reflected(entry, mirrored) if side == "left" else entry
        else:
            out[key] = both_sides(value, letters, mirrored)
    return out


def _substituted(node: Any, side: str, letter: str) -> Any:
    if isinstance(node, str):
        return node.replace("{side}", side).replace("{S}", letter)
    if isinstance(node, dict):
        return {_substituted(key, side, letter): _substituted(value, side, letter) for key, value in node.items()}
    return [_substituted(value, side, letter) for value in node] if isinstance(node, list) else node


def _reflected(entry: Any, key: str) -> Any:
    """The entry with the z component of the position under ``key`` negated."""
    if isinstance(entry, dict) and isinstance(entry.get(key), list) and len(entry[key]) == 3:
        x, y, z = entry[key]
        return {**entry, key: [x, y, -z if isinstance(z, int | float) else z]}
    return entry
