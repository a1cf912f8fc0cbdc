"""The marker set of each recording of a new study: a shipped one, or one drafted from a static trial and a walk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pipeline.anatomy import (
    LANDMARKS_NEEDED,
    Match,
    drafted_set,
    guess_landmarks,
    outputs_in_words,
    seen_labels,
    set_named,
)
from pipeline.config import MARKER_SETS
from pipeline.trial import RawTrial

DEFAULT, DRAFTED = "plug_in_gait", "drafted"


def ships(marker_set: str) -> bool:
    """Whether a marker set of this name ships with the pipeline."""
    return bool(marker_set) and (MARKER_SETS / f"{marker_set}.yaml").is_file()


MIN_LANDMARKS = 0.7
"""Minimum share of the landmarks of both legs that must be guessed for a draft to be useful."""


def entered_values(trial: RawTrial, marker_set: str) -> frozenset[str]:
    """Subject values of a shipped set that a recording's file stores; a zero counts as missing."""
    stored = {name.lower() for name, value in trial.parameters.items() if value}
    values = set_named(marker_set).subject_values
    return frozenset(name for name, value in values.items() if (value.parameter or "").lower() in stored)


def describe_match(found: Match) -> Iterator[str]:
    """Lines on the marker set of a recording: which one it is, and for which outputs its markers suffice."""
    share = f"{found.found} of the {found.wanted} labels that it needs in such a trial"
    if not found.recognised:
        yield f"marker set: no shipped one; {found.marker_set} is closest, with {share}"
        yield "`gait new` drafts a set from a static trial and a walk with the same labels"
        return
    yield f"marker set: {found.marker_set}, {share}"
    if found.renamed:
        yield "labels read as the set's: " + ", ".join(f"{own} as {other}" for own, other in found.renamed.items())
    yield from outputs_in_words(found.lacking)


def most_common(names: Sequence[str]) -> str:
    """The marker set of most trials, which goes into config.yaml; the default if there are none."""
    return Counter(names).most_common(1)[0][0] if names else DEFAULT


def draft_set(name: str, static: RawTrial, walk: RawTrial) -> tuple[str, str]:
    """Text of a drafted set of that name (empty if too little can be guessed), and a remark on what was guessed."""
    guesses = guess_landmarks(static, walk)
    known = {(guess.side, guess.landmark) for guess in guesses}
    needed = {(side, landmark) for side in ("left", "right") for landmark in LANDMARKS_NEEDED}
    found = f"{len(known & needed)} of {len(needed)} landmarks that hips, knees, ankles and feet need"
    if len(known & needed) < MIN_LANDMARKS * len(needed):
        return (
            "",
            f"its labels tell only {found}: write a marker set modelled on {MARKER_SETS.name}/{DEFAULT}.yaml",
        )
    unknown = set(seen_labels(static)) - {guess.label for guess in guesses}
    return drafted_set(name, guesses, seen_labels(walk), unknown), f"guessed {found}"
