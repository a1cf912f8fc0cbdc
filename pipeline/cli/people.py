"""Tell several people's files in one folder apart, by file names and body size."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.analysis import MAX_HEIGHT, MAX_MASS

Size = tuple[float, float]
"""Body mass (kg) and height (m) that a file stores; NaN if it has none."""

_PARTS = re.compile(r"[^\W\d_]+|\d+")


def people(sizes: Mapping[str, Size]) -> dict[str, str]:
    """The person of each file: the shortest beginning of file names such that each beginning has one body size.

    If not all files have one body size, their names are divided into words and numbers, for example NP1001a16 into NP,
    1001, a and 16. Files whose names begin with the same parts belong to one person, provided that each person then has
    one size. Files without a known size are assigned by name alone. Names are without suffixes.

    Returns:
        The beginning of the name, such as NP1001, by file; empty if all files are of one person or no beginning works.
    """
    if _one_size(list(sizes.values())):
        return {}
    parts = {name: list(_PARTS.finditer(name)) for name in sizes}
    for count in range(1, min((len(found) for found in parts.values()), default=0)):
        of = {name: name[: found[count - 1].end()] for name, found in parts.items()}
        groups = {person: [sizes[name] for name in of if of[name] == person] for person in of.values()}
        if all(map(_one_size, groups.values())):
            return of
    return {}


def _one_size(sizes: Sequence[Size]) -> bool:
    """Whether all known masses and heights differ by no more than those of one person on one day."""
    return all(_spread([size[k] for size in sizes]) <= limit for k, limit in enumerate((MAX_MASS, MAX_HEIGHT)))


def _spread(values: Sequence[float]) -> float:
    known = [value for value in values if value > 0.0]
    return max(known) / min(known) - 1.0 if known else 0.0


def size_of(parameters: Mapping[str, float]) -> Size:
    """Body mass (kg) and height (m) from the parameters of a file, which has the height in mm, cm or m."""
    stored = {name.lower(): float(value) for name, value in parameters.items()}
    mass, height = (stored.get(name, np.nan) for name in ("bodymass", "height"))
    in_metres = height / (1000.0 if height > 300.0 else 100.0 if height > 3.0 else 1.0)
    return (mass if mass > 0.0 else np.nan), (in_metres if height > 0.0 else np.nan)
