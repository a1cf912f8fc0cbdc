"""The marker set of each recording of a new study: one that ships, or one drafted from a static trial and a walk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from pipeline.anatomy import (
    LANDMARKS_NEEDED,
    MarkerSet,
    Match,
    best_match,
    drafted_set,
    guess_landmarks,
    load_marker_set,
    outputs_in_words,
)
from pipeline.config import MARKER_SETS
from pipeline.errors import AnatomyError
from pipeline.trial import RawTrial

DEFAULT, DRAFTED = "plug_in_gait", "drafted"

MIN_LANDMARKS = 0.7
"""Share of the landmarks of both legs that must be guessed, for a draft to be of use."""


@cache
def shipped_sets() -> tuple[MarkerSet, ...]:
    """All sets that ship, checked."""
    return tuple(load_marker_set(path) for path in sorted(MARKER_SETS.glob("*.yaml")))


def seen_labels(trial: RawTrial) -> list[str]:
    """Labels of the markers that some frame shows."""
    return [name for name in trial.marker_names if np.isfinite(trial.marker(name)).any()]


def recognised(trial: RawTrial, *, walking: bool) -> Match:
    """The set that the recording matches best."""
    return best_match(seen_labels(trial), shipped_sets(), walking=walking)


def named_or_recognised(trial: RawTrial, path: Path | None, *, walking: bool) -> MarkerSet:
    """The set of a file, or that which the recording matches.

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
    """A set that ships."""
    return next(shipped for shipped in shipped_sets() if shipped.name == name)


def entered_values(trial: RawTrial, marker_set: str) -> frozenset[str]:
    """Subject values of a set that ships which a recording's file stores; a zero is none."""
    stored = {name.lower() for name, value in trial.parameters.items() if value}
    values = set_named(marker_set).subject_values
    return frozenset(name for name, value in values.items() if (value.parameter or "").lower() in stored)


def describe_match(found: Match) -> Iterator[str]:
    """Lines on the marker set of a recording: which it is, and for which outputs its markers suffice."""
    share = f"{found.found} of the {found.wanted} labels that it needs in such a trial"
    if not found.recognised:
        yield f"marker set: none that ships; {found.marker_set} is nearest, with {share}"
        yield "`gait new` drafts a set from a static trial and a walk with the same labels"
        return
    yield f"marker set: {found.marker_set}, {share}"
    if found.renamed:
        yield "labels read as the set's: " + ", ".join(f"{own} as {other}" for own, other in found.renamed.items())
    yield from outputs_in_words(found.lacking)


def most_common(names: Sequence[str]) -> str:
    """The marker set of most trials: that of config.yaml."""
    return Counter(names).most_common(1)[0][0] if names else DEFAULT


def draft_set(static: RawTrial, walk: RawTrial) -> tuple[str, str]:
    """Text of a drafted set, and a remark; both say what is guessed. The text is empty if too little can be guessed."""
    guesses = guess_landmarks(static, walk)
    known = {(guess.side, guess.landmark) for guess in guesses}
    needed = {(side, landmark) for side in ("left", "right") for landmark in LANDMARKS_NEEDED}
    found = f"{len(known & needed)} of {len(needed)} landmarks that hips, knees, ankles and feet need"
    if len(known & needed) < MIN_LANDMARKS * len(needed):
        return (
            "",
            f"its labels tell only {found}: write a marker set after the pattern of {MARKER_SETS.name}/{DEFAULT}.yaml",
        )
    unknown = set(seen_labels(static)) - {guess.label for guess in guesses}
    return drafted_set(DRAFTED, guesses, seen_labels(walk), unknown), f"guessed {found}"
