"""The line of each trial and prediction for the study's page and its verdict, from the files of the sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pipeline.config import Prediction, Study, Trial, TrialKey
from pipeline.reporting import PredictionEntry, StudyEntry, read_entry, without_results
from pipeline.results import Failure, read_computed, read_failure, read_outcome
from pipeline.trial import PredictedWalk

T = TypeVar("T")

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


def file_of(row: Prediction, results: Path, stage: str = "predictions") -> Path:
    """File of a prediction, or of its comparison."""
    return results / row.subject / str(row.session) / stage / f"{row.prediction}.h5"


def predictions_of(study: Study, results: Path) -> tuple[PredictionEntry, ...]:
    """Lines of all predictions, in the order of the table. Raises ResultsError if a file is of another version."""
    entries = []
    for row in study.predictions.values():
        path = file_of(row, results)
        outcome = read_outcome(path, PredictedWalk) if path.is_file() else not_computed(row.key)
        entries.append(prediction_entry(row, outcome))
    return tuple(entries)


def prediction_entry(row: Prediction, outcome: PredictedWalk | Failure) -> PredictionEntry:
    """The line of a prediction that failed, or of the predicted walk."""
    failure, walk = (outcome, None) if isinstance(outcome, Failure) else (None, outcome)
    unknown = float("nan")
    return PredictionEntry(
        prediction=row.prediction,
        subject=row.subject,
        session=str(row.session),
        page=f"{row.subject}/{row.session}/predictions/{row.prediction}.html",
        walk=row.trial or "",
        speed=walk.task.speed if walk else row.speed_m_s or unknown,
        step_length=walk.task.step_length if walk else row.step_length_m or unknown,
        preset=row.preset,
        form=row.form,
        failed_step=failure.step if failure else "",
        reason=failure.reason if failure else "",
        ended=walk.solver.ended if walk else "",
        warnings=tuple(f"{one.subject}: {one.sentence}" for one in walk.findings) if walk else (),
        iterations=walk.solver.iterations if walk else 0,
    )


def stored_walk(walk: str, files: Sequence[Path], stage: type[T]) -> T | None:
    """A stage of a measured walk, given the files of several; None if the walk lacks it or failed."""
    return next((read_computed(path, stage) for path in files if path.stem == walk), None)


def prediction_sentence(entry: PredictionEntry) -> str:
    """The failure of a prediction, in one line."""
    return f"prediction {entry.subject}/{entry.session}/{entry.prediction} failed: {entry.reason}"


def prediction_warning(entry: PredictionEntry) -> str:
    """Features of a prediction that people do not show, in one line."""
    more = f"; and {len(entry.warnings) - 1} more on its page" if len(entry.warnings) > 1 else ""
    return f"prediction {entry.subject}/{entry.session}/{entry.prediction}: {entry.warnings[0]}{more}"
