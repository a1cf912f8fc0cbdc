"""The line of each trial for the study's page and its verdict, from the files of the sessions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipeline.config import Study, Trial, TrialKey
from pipeline.provenance import file_digest
from pipeline.reporting import StudyEntry, read_entry
from pipeline.results import Failure, read_status

NOT_COMPUTED = "run"
"""Stands for the stage of a trial whose job did not end."""


def not_computed(key: TrialKey) -> Failure:
    """Of a trial or prediction without a file: its session's job was stopped."""
    logs = f"logs/{key.subject}/{key.session}"
    reason = f"its session was not computed, for a job was stopped (see {logs}); run the workflow again"
    return Failure(key.trial, NOT_COMPUTED, reason)


def entries_of(study: Study, results: Path) -> list[StudyEntry]:
    """Lines of every walk, and of every static trial that failed, in the order of the table.

    Args:
        study: the study.
        results: folder of the sessions' results.
    """
    lines = (_line(trial, results) for trial in study.trials.values())
    return [line for line in lines if line]


def _line(trial: Trial, results: Path) -> StudyEntry | None:
    session = trial.session_key.folder(results)
    if trial.kind == "walk":
        path = session / "report" / f"{trial.trial}.json"
        if path.is_file() and (session / "summary").is_dir():  # else the page is of results that are gone
            return read_entry(path)
        failure: Failure | None = not_computed(trial.key)
    else:
        path = session / "raw" / f"{trial.trial}.h5"
        failure = read_status(path)[1] if path.is_file() else not_computed(trial.key)
    if failure is None:
        return None
    entry = StudyEntry(trial.subject, trial.trial, failed_step=failure.step, reason=failure.reason)
    is_static = trial.kind == "static"
    return replace(entry, session=trial.session, condition=trial.condition or "", is_static=is_static)


def files_that_changed(study: Study, results: Path) -> dict[TrialKey, str]:
    """Trials of which a file is not the one that was read, each with a sentence; those without results are left out.

    Args:
        study: the study.
        results: folder of the sessions' results.
    """
    changed = {}
    for key, trial in study.trials.items():
        stored = trial.session_key.folder(results) / "raw" / f"{trial.trial}.h5"
        if not stored.is_file():
            continue
        inputs, there = read_status(stored)[0].inputs, study.files_of(trial)
        for name, file in (("recording", study.file_of(trial)), ("forces", study.forces_of(trial))):
            read, now = inputs.get(name), file_digest(file) if file and name in there else None
            if read != now:
                what = "is not the file that was read" if now and read else "is there now" if now else "is gone"
                changed[key] = f"{file or 'the file of forces'} {what}; run the workflow again to compute its session"
    return changed
