"""Folders that the workflow makes for the sessions of a study, and the files of the study as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.config import SessionKey, Study
from pipeline.results import SUMS

RESULTS, REPORTS = Path("data/results"), Path("reports")

OF_WALKS: dict[str, tuple[str, ...]] = {
    "kinematics": ("kinematics",),
    "inverse_dynamics": ("inverse_dynamics",),
    "cycles": ("cycles", "cutoff_peaks", "summary", "emg", "plausibility", "average"),
}
"""Folders by the rule that makes them, in every session with walks."""

STUDY_LISTS = (RESULTS / "tables.sha256", REPORTS / "page.sha256")
PREDICTED_LIST = RESULTS / "predicted.sha256"
"""Checksums of the files of the study as a whole, by the rule that makes them."""


READ_FOR = {
    STUDY_LISTS[0]: ("report", "compare_walks"),
    STUDY_LISTS[1]: ("ingest", "predict", "report"),
    PREDICTED_LIST: ("predict", "compare"),
}
"""Rules whose folders of results are read for them, by their list."""


def folders_by_rule(study: Study, session: SessionKey) -> dict[str, list[Path]]:
    """Folders of one session from the study's folder, by the rule that makes them, in the order of computation."""
    own, pages = session.folder(RESULTS), REPORTS.joinpath(*session)
    found: dict[str, list[Path]] = {}
    if session in study.sessions:
        found["ingest"] = [own / "raw"]
    if study.walks_of(session):
        found |= {rule: [own / name for name in names] for rule, names in OF_WALKS.items()}
        predicted = study.predicted_sessions.get(session, ())
        on_skeleton = study.configuration.whole_body.enabled
        if on_skeleton or any(row.trial for row in predicted):
            muscles = [own / "muscles"] if on_skeleton and study.configuration.muscles.enabled else []
            found["whole_body"] = [own / "whole_body", own / "ground_from_motion", *muscles]
        if study.configuration.uncertainty.enabled:
            found["uncertainty"] = [own / "uncertainty"]
        found["report"] = [own / "report", pages / "walks", own / "tables"]
    if session in study.predicted_sessions:
        found |= {"predict": [own / "predictions"], "compare": [own / "comparisons", pages / "predictions"]}
    if session in study.compared_sessions:
        found |= {"compare_walks": [own / "walks_compared"], "comparison_pages": [pages / "comparisons"]}
    return found


def all_sessions(study: Study) -> Iterator[SessionKey]:
    """Sessions with trials, predictions or comparisons, in the order of the tables."""
    yield from dict.fromkeys([*study.sessions, *study.predicted_sessions, *study.compared_sessions])


def lists_read(study: Study, listed: Path) -> list[Path]:
    """What the files of the study as a whole, with the list ``listed``, are made from: folders' lists, and tables."""
    configuration = Path("config")
    found = [path for path in (configuration / "config.yaml", *sorted(configuration.glob("*.tsv"))) if path.is_file()]
    for session in all_sessions(study):
        by_rule = folders_by_rule(study, session)
        read = [folder for rule in READ_FOR[listed] for folder in by_rule.get(rule, ())]
        found += [folder / SUMS for folder in read if folder.parts[0] != REPORTS.name]
    return found


def study_lists(study: Study) -> Iterator[Path]:
    """Lists of checksums of the files of the study as a whole."""
    yield from STUDY_LISTS
    if study.predictions:
        yield PREDICTED_LIST
