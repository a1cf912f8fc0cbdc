"""The trials of a study with results of a stage, and the columns that identify each in a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pipeline.config import Study, Trial, TrialKey
from pipeline.errors import ResultsError
from pipeline.results.reading import read_computed, read_failure
from pipeline.trial import Findings, GroupComparison

T = TypeVar("T")


def computed(study: Study, results: Path, stage: str) -> Iterator[tuple[Trial, Path]]:
    """Trials whose stage was computed, with the folder of their session's results, in the table's order.

    Raises:
        ResultsError: there is none.
    """
    any_found = False
    for trial in study.trials.values():
        session = results.joinpath(*trial.session_key)
        path = session / stage / f"{trial.trial}.h5"
        if path.is_file() and not read_failure(path):
            any_found = True
            yield trial, session
    if not any_found:
        raise ResultsError("has no computed trial", where=str(results), remedy="Run the workflow first")


def computed_comparisons(study: Study, results: Path) -> Iterator[GroupComparison]:
    """Each computed comparison, by session of its second group and there in the table's order."""
    for session, rows in study.compared_sessions.items():
        for row in rows:
            path = session.folder(results) / "walks_compared" / f"{row.comparison}.h5"
            if path.is_file() and (compared := read_computed(path, GroupComparison)):
                yield compared


def left_out(study: Study, results: Path) -> dict[TrialKey, str]:
    """By key, why walks of a study are in no table of results: see `why_left_out`."""
    reasons = {walk.key: why_left_out(results.joinpath(*walk.session_key), walk.trial) for walk in study.walks}
    return {key: reason for key, reason in reasons.items() if reason}


def why_left_out(session: Path, walk: str) -> str:
    """Why a walk is in no table of results: not computed, failed, refused, or not fully checked; else empty."""
    summary = session / "summary" / f"{walk}.h5"
    if not summary.is_file():
        return "not computed; run the study first, with: gait run"
    if failure := read_failure(summary):
        return f"failed: {failure.reason}"
    findings = read_computed(session / "plausibility" / f"{walk}.h5", Findings)
    if findings and (findings.refused or findings.complete):
        return "; ".join(finding.sentence for finding in findings.refused)
    return "not all of its checks were made, because of a defect of the program; its page says which"


DESCRIBED = (
    *("subject", "sex", "age_years", "diagnosis", "affected_side"),
    *("session", "date", "condition", "trial"),
)
"""Columns that say who was recorded, when and under which condition."""


def described(study: Study, trial: Trial) -> dict[str, object]:
    """Values of the columns `DESCRIBED`; None if unknown."""
    subject, day = study.subjects[trial.subject], study.date_of(trial.session_key)
    when = day.isoformat() if day else None
    person = trial.subject, subject.sex, subject.age_on(day), subject.diagnosis or None, subject.affected_side
    return dict(zip(DESCRIBED, (*person, trial.session, when, trial.condition, trial.trial), strict=True))


def read_asked(study: Study, path: Path, cls: type[T]) -> T | None:
    """What a file of a stage that may be switched off holds; None if the study does not ask for it or has none."""
    return read_computed(path, cls) if study.configuration.asks_for(path.parent.name) and path.is_file() else None
