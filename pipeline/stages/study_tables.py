"""The study's tidy tables: those of each session, from its files, and those of the study, joined from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar

import pandas as pd

from pipeline.config import SessionKey, Study, Trial, average_name
from pipeline.errors import ResultsError
from pipeline.reporting import add_defect
from pipeline.results import Failure, computed_comparisons, read_computed, read_failure, read_outcome
from pipeline.results.tables import (
    dictionary_table,
    group_tables,
    subject_tables,
    walk_results,
    walk_tables,
    write_tables,
)
from pipeline.trial import GaitSummary
from pipeline.workflow.framework import guarded

T = TypeVar("T")

OF_SESSIONS = {
    "curves": "csv.gz",
    "scalars": "csv",
    "features": "csv.gz",
    "cycle_loads": "csv",
    "events": "csv",
    "findings": "csv",
    "times": "csv.gz",
}
"""Tables of which each session has a part, with the suffix of their text files; that of long tables is compressed."""

MAY_HAVE_DEFECT = ("inverse_dynamics", "cycles", "summary")
"""Stages without which a walk still has its other rows."""


def write_study_tables(study: Study, results: Path, outputs: list[Path]) -> None:
    """Join the tables of all sessions to tidy tables of the study, in files such as study_curves.csv.gz."""
    folders = [session.folder(results) / "tables" for session in study.measured_sessions]
    compared = map(group_tables, computed_comparisons(study, results))
    write_tables(outputs, chain([dictionary_table()], compared), folders)


def write_tables_of_session(study: Study, session: SessionKey, results: Path) -> Path:
    """Write the tables of a session's walks and of their averages; return their folder."""
    folder = session.folder(results) / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    walks, averages = _walks(study, session, results), _averages(study, session, results)
    files = session_files(folder, study.configuration.whole_body.enabled)
    write_tables(files, chain(walks, averages), header=False)
    return folder


def session_files(folder: Path, skeleton: bool) -> list[Path]:
    """Files in a folder of the tables of sessions; curves over time are only of walks on the skeleton."""
    wanted = {name: text for name, text in OF_SESSIONS.items() if name != "times" or skeleton}
    return [folder / f"study_{name}.{kind}" for name, text in wanted.items() for kind in ("parquet", text)]


def _walks(study: Study, session: SessionKey, results: Path) -> Iterator[dict[str, pd.DataFrame]]:
    """The rows of each computed walk, one walk at a time, with those of the whole skeleton if it has one.

    If the rows of a walk cannot be made because of a defect of the program, it has none and is marked incomplete.
    """
    for trial in study.walks_of(session):
        stopped = read_failure(trial.file_of("kinematics", results)) or read_failure(trial.file_of("summary", results))
        if stopped and not (stopped.defect and stopped.step in MAY_HAVE_DEFECT):
            continue
        rows = guarded(trial.trial, "tables", partial(_rows, study, results, trial))
        if isinstance(rows, Failure):
            _name_defect(rows, session, [trial.trial], results)
        else:
            yield rows


def _name_defect(failure: Failure, session: SessionKey, walks: Iterable[str], results: Path) -> None:
    """Record in the entries of walks that rows are missing because of a defect of the program.

    Raises:
        ResultsError: the failure is not a defect of the program.
    """
    if not failure.defect:
        raise ResultsError(failure.reason)
    for name in walks:
        add_defect(session.folder(results) / "report" / f"{name}.json", f"{failure.step}: {failure.reason}")


def _rows(study: Study, results: Path, trial: Trial) -> dict[str, pd.DataFrame]:
    outcome = partial(_outcome, study, results, trial)
    return walk_tables(walk_results(outcome, trial.session, trial.condition or ""))


def _outcome(study: Study, results: Path, trial: Trial, stage: str, cls: type[T]) -> T | Failure | None:
    """Outcome of a stage, if the study asks for it and has it."""
    path = trial.file_of(stage, results)
    return read_outcome(path, cls) if study.configuration.asks_for(stage) and path.is_file() else None


def _averages(study: Study, session: SessionKey, results: Path) -> Iterator[dict[str, pd.DataFrame]]:
    """The rows of the averages of each condition of a session that has averages.

    If they cannot be made because of a defect of the program, the walks of the condition are marked incomplete.
    """
    for condition, walks in study.conditions_of(session).items():
        name = average_name(condition)
        path = session.folder(results) / "average" / f"{name}.h5"
        averages = read_computed(path, GaitSummary) if path.is_file() else None
        if not averages:
            continue
        rows = guarded(name, "tables of averages", partial(subject_tables, averages, session.session, condition or ""))
        if isinstance(rows, Failure):
            _name_defect(rows, session, [walk.trial for walk in walks], results)
        else:
            yield rows
