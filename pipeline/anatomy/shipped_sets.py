"""The shipped marker sets, and which of them a recording matches."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.marker_set_file import load_marker_set
from pipeline.anatomy.recognition import Match, matches
from pipeline.config import MARKER_SETS
from pipeline.errors import AnatomyError
from pipeline.trial import RawTrial


@cache
def shipped_sets() -> tuple[MarkerSet, ...]:
    """All shipped sets, checked."""
    return tuple(load_marker_set(path) for path in sorted(MARKER_SETS.glob("*.yaml")))


def seen_labels(trial: RawTrial) -> list[str]:
    """Labels of the markers seen in at least one frame."""
    return [name for name in trial.marker_names if np.isfinite(trial.marker(name)).any()]


def recognised(trial: RawTrial, *, walking: bool) -> Match:
    """The shipped set that the recording matches best."""
    return by_match(trial, walking=walking)[0]


def by_match(trial: RawTrial, *, walking: bool) -> list[Match]:
    """Matches of the recording with all shipped sets, best first."""
    return matches(seen_labels(trial), shipped_sets(), walking=walking)


def named_or_recognised(trial: RawTrial, path: Path | None, *, walking: bool) -> MarkerSet:
    """The set of a file or, without one, the shipped set that the recording matches.

    Raises:
        AnatomyError: it matches none.
    """
    if path is not None:
        return load_marker_set(path)
    found = recognised(trial, walking=walking)
    if not found.recognised:
        raise AnatomyError("its labels match no marker set", where=trial.file_name, remedy="Name it: --marker-set")
    return set_named(found.marker_set)


def set_named(name: str) -> MarkerSet:
    """The shipped set of that name."""
    return next(shipped for shipped in shipped_sets() if shipped.name == name)
