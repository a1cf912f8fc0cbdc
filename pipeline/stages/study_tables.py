"""The study's tidy tables: those of each session from its files, and those of the study joined from them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar

import pandas as pd

from pipeline.config import SessionKey, Study, Trial, average_name
from pipeline.results import Failure, computed_comparisons, read_outcome, read_stage, read_status
from pipeline.results.tables import (
    WalkResults,
    dictionary_table,
    group_tables,
    join_tables,
    subject_tables,
    walk_results,
    walk_tables,
    write_session_tables,
)
from pipeline.trial import GaitSummary

T = TypeVar("T")

KINDS = ("parquet", "csv.gz"), ("parquet", "csv")
"""Ends of the names of a table's files, of one with curves and of another; what is long is compressed as text."""

OF_SESSIONS = {
    "curves": KINDS[0],
    "scalars": KINDS[1],
    "features": KINDS[0],
    "events": KINDS[1],
    "findings": KINDS[1],
    "times": KINDS[0],
}
"""Tables that each session has a part of."""


def write_study_tables(study: Study, results: Path, outputs: list[Path]) -> None:
    """Join the tables of all sessions to tidy tables of the study, files named after them as study_curves.csv.gz."""
    folders = [session.folder(results) / "tables" for session in study.measured_sessions]
    compared = map(group_tables, computed_comparisons(study, results))
    join_tables(outputs, folders, chain([dictionary_table()], compared))


def write_tables_of_session(study: Study, session: SessionKey, results: Path) -> Path:
    """Write the tables of a session's walks and of their averages; returns their folder."""
    folder = session.folder(results) / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {name: kinds for name, kinds in OF_SESSIONS.items() if name != "times" or with_skeleton(study)}
    files = [folder / f"study_{name}.{kind}" for name, kinds in wanted.items() for kind in kinds]
    walks, averages = _walks(study, session, results), _averages(study, session, results)
    write_session_tables(files, chain(map(walk_tables, walks), averages))
    return folder


def with_skeleton(study: Study) -> bool:
    """Whether a study has walks on the skeleton, whose curves over time are a table of their own."""
    return study.configuration.whole_body.enabled


def _walks(study: Study, session: SessionKey, results: Path) -> Iterator[WalkResults]:
    """Each computed walk with its whole skeleton, where it has one; one walk at a time."""
    for trial in study.walks_of(session):
        if not _computed(results, trial, "summary"):
            continue
        yield walk_results(partial(_outcome, study, results, trial), trial.session, trial.condition or "")


def _outcome(study: Study, results: Path, trial: Trial, stage: str, cls: type[T]) -> T | Failure | None:
    """Of a stage that the study asks for; files of others may be there from a run with other settings."""
    settings = study.configuration
    asked = {
        "uncertainty": settings.uncertainty.enabled,
        "whole_body": with_skeleton(study),
        "ground_from_motion": with_skeleton(study),
        "muscles": with_skeleton(study) and settings.muscles.enabled,
    }
    path = _file(results, trial, stage)
    return read_outcome(path, cls) if asked.get(stage, True) and path.is_file() else None


def _averages(study: Study, session: SessionKey, results: Path) -> Iterator[dict[str, pd.DataFrame]]:
    """The rows of the averages of each condition of a session, where there are some."""
    for condition in study.conditions_of(session):
        path = session.folder(results) / "average" / f"{average_name(condition)}.h5"
        if path.is_file() and read_status(path)[1] is None:
            yield subject_tables(read_stage(path, GaitSummary), session.session, condition or "")


def _file(results: Path, trial: Trial, stage: str) -> Path:
    return trial.session_key.folder(results) / stage / f"{trial.trial}.h5"


def _computed(results: Path, trial: Trial, stage: str) -> bool:
    path = _file(results, trial, stage)
    return path.is_file() and read_status(path)[1] is None
