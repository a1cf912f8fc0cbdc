"""Folders that the workflow makes for the sessions of a study, and the files of the study as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.config import RESULTS, SessionKey, Study
from pipeline.results import SUMS
from pipeline.whole_files import files_in

REPORTS = Path("reports")

PAGES = {"report": "walks", "compare": "predictions", "comparison_pages": "comparisons"}
"""Folders of pages of a session, by the rule that makes them."""

STUDY_LISTS = (RESULTS / "tables.sha256", REPORTS / "page.sha256")
PREDICTED_LIST = RESULTS / "predicted.sha256"
"""Checksums of the files of the study as a whole, by the rule that makes them."""


READ_FOR = {
    STUDY_LISTS[0]: ("report", "compare_walks"),
    STUDY_LISTS[1]: ("ingest", "predict", "report"),
    PREDICTED_LIST: ("predict", "compare"),
}
"""Rules with folders of results that are read for the study's files, by the list of these files."""


def result_folders(study: Study) -> dict[str, tuple[str, ...]]:
    """Folders of results that each rule makes for a session, by rule, in the order of computation."""
    configuration = study.configuration
    muscles = ["muscles"] if configuration.muscle_forces else []
    return {
        "ingest": ("raw",),
        "kinematics": ("kinematics",),
        "inverse_dynamics": ("inverse_dynamics",),
        "cycles": ("cycles", "cutoff_peaks", "summary", "emg", "plausibility", "average"),
        "whole_body": ("whole_body", "ground_from_motion", *muscles),
        "uncertainty": ("uncertainty",),
        "report": ("report", "tables"),
        "predict": ("predictions",),
        "compare": ("comparisons",),
        "compare_walks": ("walks_compared",),
        "comparison_pages": (),
    }


def folders_by_rule(study: Study, session: SessionKey) -> dict[str, list[Path]]:
    """Folders of one session, relative to the study's folder, by the rule that makes them, in order of computation."""
    walks, predicted = study.walks_of(session), study.predicted_sessions.get(session)
    compared, configuration = session in study.compared_sessions, study.configuration
    fitted = configuration.whole_body.enabled or any(row.trial for row in predicted or ())
    asked = {
        "ingest": session in study.sessions,
        "whole_body": walks and fitted,
        "uncertainty": walks and configuration.uncertainty.enabled,
        **dict.fromkeys(["predict", "compare"], predicted),
        **dict.fromkeys(["compare_walks", "comparison_pages"], compared),
    }
    results, pages = session.folder(RESULTS), REPORTS.joinpath(*session)
    return {
        rule: [*(results / name for name in names), *([pages / PAGES[rule]] if rule in PAGES else [])]
        for rule, names in result_folders(study).items()
        if asked.get(rule, walks)
    }


def all_sessions(study: Study) -> Iterator[SessionKey]:
    """Sessions with trials, predictions or comparisons, in the order of the tables."""
    yield from dict.fromkeys([*study.sessions, *study.predicted_sessions, *study.compared_sessions])


def folders_read(study: Study, listed: Path) -> list[Path]:
    """Folders of results from which the files of the study with the list ``listed`` are made."""
    found = []
    for session in all_sessions(study):
        by_rule = folders_by_rule(study, session)
        found += [folder for rule in READ_FOR[listed] for folder in by_rule.get(rule, ())]
    return [folder for folder in found if folder.parts[0] != REPORTS.name]


def lists_read(study: Study, listed: Path) -> list[Path]:
    """Inputs of the files of the study as a whole with the list ``listed``: lists of folders, and tables."""
    configuration = Path("config")
    found = [path for path in (configuration / "config.yaml", *files_in(configuration, "*.tsv")) if path.is_file()]
    return found + [folder / SUMS for folder in folders_read(study, listed)]


def study_lists(study: Study) -> Iterator[Path]:
    """Lists of checksums of the files of the study as a whole."""
    yield from STUDY_LISTS
    if study.predictions:
        yield PREDICTED_LIST
