"""Before a trial is exported: whether its results are up to date, and whether a recording would be replaced."""

from __future__ import annotations

import os
from pathlib import Path

from pipeline.config import HOME, RESULTS, SessionKey, load_study
from pipeline.errors import ConfigError
from pipeline.results.exports.xml import table_of
from pipeline.workflow.audit import outdated


def warning_before(trial: Path, target: Path) -> str:
    """A warning if the trial's results are not up to date; else empty, as for results that are in no study.

    The trial is data/results/SUBJECT/SESSION/TRIAL in a study's folder. External loads (.xml) have a table next to
    them.

    Raises:
        ConfigError: the target is a recording of the study, or may be one: it exists, and the study is not valid.
    """
    place = Path(os.path.normpath(_current_folder() / trial))  # not resolved: data/results may be a link
    session = SessionKey(place.parent.parent.name, place.parent.name)
    results = place.parent.parent.parent
    if results.parts[-len(RESULTS.parts) :] != RESULTS.parts:
        return ""
    written = [target, table_of(target)] if target.suffix == ".xml" else [target]
    try:
        study = load_study(results.parents[len(RESULTS.parts) - 1], HOME)
    except ConfigError as error:
        for path in written:
            if path.is_file():
                problem = f"may be a recording, since which files are recordings is not known: {error}"
                raise ConfigError(problem, where=str(path), remedy="Name a new file") from None
        return f"whether the results are up to date is not known: {error}"
    recordings = {path.resolve() for own in study.trials.values() for path in study.files_of(own).values()}
    for path in written:
        if path.resolve() in recordings:
            raise ConfigError("is a recording of the study", where=str(path), remedy="Name another file")
    return outdated(study, session)


def _current_folder() -> Path:
    """The current folder by the path on which the shell entered it, which may contain links; otherwise without them."""
    entered = Path(os.environ.get("PWD", ""))
    return entered if entered.is_absolute() and entered.is_dir() and entered.samefile(Path()) else Path.cwd()
