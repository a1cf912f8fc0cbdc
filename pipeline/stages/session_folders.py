"""Folders that the workflow makes for the sessions of a study, and the files of the study as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.config import SessionKey, Study

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


def folders_by_rule(study: Study, session: SessionKey) -> dict[str, list[Path]]:
    """Folders of one session from the study's folder, by the rule that makes them, in the order of computation."""
    own, pages = session.folder(RESULTS), REPORTS.joinpath(*session)
    found: dict[str, list[Path]] = {}
    if session in study.sessions:
        found["ingest"] = [own / "raw"]
    if study.walks_of(session):
        found |= {rule: [own / name for name in names] for rule, names in OF_WALKS.items()}
        if study.configuration.whole_body.enabled:
            muscles = [own / "muscles"] if study.configuration.muscles.enabled else []
            found["whole_body"] = [own / "whole_body", *muscles]
        if study.configuration.uncertainty.enabled:
            found["uncertainty"] = [own / "uncertainty"]
        found["report"] = [own / "report", pages / "walks"]
    if session in study.predicted_sessions:
        found |= {"predict": [own / "predictions"], "compare": [own / "comparisons", pages / "predictions"]}
    if session in study.compared_sessions:
        found["compare_walks"] = [own / "walks_compared", pages / "comparisons"]
    return found


def all_sessions(study: Study) -> Iterator[SessionKey]:
    """Sessions with trials, predictions or comparisons, in the order of the tables."""
    yield from dict.fromkeys([*study.sessions, *study.predicted_sessions, *study.compared_sessions])


def study_lists(study: Study) -> Iterator[Path]:
    """Lists of checksums of the files of the study as a whole."""
    yield from STUDY_LISTS
    if study.predictions:
        yield PREDICTED_LIST
