"""The line of each trial for the study's page and its verdict, from the files of the sessions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipeline.config import Study, Trial, TrialKey
from pipeline.reporting import StudyEntry, read_entry, without_results
from pipeline.results import Failure, read_failure

NOT_COMPUTED = "run"
"""Name in place of the stage for a trial with a job that did not end."""


def not_computed(key: TrialKey) -> Failure:
    """Failure of a trial or prediction without a file: its session's job was stopped."""
    logs = f"logs/{key.subject}/{key.session}"
    reason = f"its session was not computed, because a job was stopped (see {logs}); run the workflow again"
    return Failure(key.trial, NOT_COMPUTED, reason)


def entries_of(study: Study, results: Path) -> list[StudyEntry]:
    """Lines of every walk, and of every static trial that failed, in the order of the table."""
    lines = (_line(trial, results) for trial in study.trials.values())
    return [line for line in lines if line]


def _line(trial: Trial, results: Path) -> StudyEntry | None:
    session = trial.session_key.folder(results)
    if trial.kind == "walk":
        path = session / "report" / f"{trial.trial}.json"
        if path.is_file() and (session / "summary").is_dir():  # otherwise the page belongs to results that are gone
            return read_entry(path)
        failure: Failure | None = not_computed(trial.key)
    else:
        path = session / "raw" / f"{trial.trial}.h5"
        failure = read_failure(path) if path.is_file() else not_computed(trial.key)
    if failure is None:
        return None
    entry = without_results(StudyEntry(trial.subject, trial.trial), failure)
    is_static = trial.kind == "static"
    return replace(entry, session=trial.session, condition=trial.condition or "", is_static=is_static)
