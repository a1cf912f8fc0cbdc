"""The study's tidy tables, from the files of all sessions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pandas as pd

from pipeline.config import Study, Trial, average_name
from pipeline.results import computed_comparisons, read_stage, read_status
from pipeline.results.tables import (
    WalkResults,
    WholeBodyWalk,
    dictionary_table,
    group_tables,
    subject_tables,
    walk_tables,
    write_tables,
)
from pipeline.trial import (
    CurveUncertainty,
    Findings,
    GaitCycles,
    GaitSummary,
    InverseDynamics,
    MuscleLoads,
    WalkOnPlates,
    WholeBody,
)


def write_study_tables(study: Study, results: Path, outputs: list[Path]) -> None:
    """Write the tidy tables, files named after them as study_curves.csv.gz."""
    walks, averages = _walks(study, results), _averages(study, results)
    compared = map(group_tables, computed_comparisons(study, results))
    write_tables(outputs, chain([dictionary_table()], map(walk_tables, walks), averages, compared))


def _walks(study: Study, results: Path) -> Iterator[WalkResults]:
    """Each computed walk with its whole skeleton, where it has one; one walk at a time, for a study has thousands."""
    for trial in study.walks:
        if not _computed(results, trial, "summary"):
            continue
        plates = read_stage(_file(results, trial, "kinematics"), WalkOnPlates)
        cycles = read_stage(_file(results, trial, "cycles"), GaitCycles)
        summary = read_stage(_file(results, trial, "summary"), GaitSummary)
        findings = read_stage(_file(results, trial, "plausibility"), Findings)
        whole = None
        if study.configuration.whole_body.enabled and _computed(results, trial, "whole_body"):
            body = read_stage(_file(results, trial, "whole_body"), WholeBody)
            whole = WholeBodyWalk(body, read_stage(_file(results, trial, "inverse_dynamics"), InverseDynamics))
        muscles = None
        if whole and study.configuration.muscles.enabled and _computed(results, trial, "muscles"):
            muscles = read_stage(_file(results, trial, "muscles"), MuscleLoads)
        bands = None
        if study.configuration.uncertainty.enabled and _computed(results, trial, "uncertainty"):
            bands = read_stage(_file(results, trial, "uncertainty"), CurveUncertainty)
        who = trial.session, trial.condition or ""
        yield WalkResults(plates, cycles, summary, findings, whole, *who, bands, muscles)


def _averages(study: Study, results: Path) -> Iterator[dict[str, pd.DataFrame]]:
    """The rows of the averages of each session and condition, where there are some."""
    for session in study.measured_sessions:
        for condition in study.conditions_of(session):
            path = session.folder(results) / "average" / f"{average_name(condition)}.h5"
            if path.is_file() and read_status(path)[1] is None:
                yield subject_tables(read_stage(path, GaitSummary), session.session, condition or "")


def _file(results: Path, trial: Trial, stage: str) -> Path:
    return trial.session_key.folder(results) / stage / f"{trial.trial}.h5"


def _computed(results: Path, trial: Trial, stage: str) -> bool:
    path = _file(results, trial, stage)
    return path.is_file() and read_status(path)[1] is None
