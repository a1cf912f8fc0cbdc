"""The marker set of each recording of a new study: a shipped one, or one drafted from a static trial and a walk.

Guessed labels of drafted sets are confirmed here, so that pages no longer call them unconfirmed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.anatomy import (
    CONFIRMED,
    LANDMARKS_NEEDED,
    UNCONFIRMED,
    Match,
    drafted_set,
    guess_landmarks,
    outputs_in_words,
    seen_labels,
    set_named,
)
from pipeline.config import HOME, MARKER_SETS, load_study
from pipeline.errors import ConfigError
from pipeline.trial import RawTrial
from pipeline.whole_files import write_text

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


def unconfirmed_sets(study: Path) -> list[Path]:
    """Files of the marker sets that a study uses and nobody has confirmed.

    Raises:
        ConfigError: the study is not valid.
    """
    known = load_study(study, HOME)
    names = {name for own in known.unconfirmed.values() for name in own}
    used = {known.marker_set_of(trial) for trial in known.trials.values()}
    return sorted(path for path in used if path.stem in names)


def confirm(study: Path, names: tuple[str, ...] = ()) -> list[str]:
    """Record that the labels of a study's drafted marker sets were checked, by default of all; lines on which they are.

    Raises:
        ConfigError: the study is not valid, or has no unconfirmed set of a given name.
    """
    waiting = {path.stem: path for path in unconfirmed_sets(study)}
    if unknown := sorted(set(names) - set(waiting)):
        has = ", ".join(waiting) or "none"
        raise ConfigError(f"has no unconfirmed marker set {', '.join(unknown)}; unconfirmed: {has}", where=str(study))
    chosen = {name: path for name, path in waiting.items() if not names or name in names}
    for path in chosen.values():
        lines = path.read_text(encoding="utf-8").splitlines()
        write_text(path, "\n".join(CONFIRMED if line.strip() == UNCONFIRMED else line for line in lines) + "\n")
    return [f"confirmed: marker set {name}" for name in chosen] or ["no marker set is unconfirmed"]
