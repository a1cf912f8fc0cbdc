"""Confirm the guessed labels of drafted marker sets, so that pages no longer call them unconfirmed."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import CONFIRMED, UNCONFIRMED
from pipeline.config import HOME, load_study
from pipeline.errors import ConfigError
from pipeline.whole_files import write_text


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
