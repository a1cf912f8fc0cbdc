"""The page of a study, with a row for each trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.reporting.entries import STATUSES, StudyEntry
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ComparisonLink, ReportRun


@dataclass(frozen=True)
class SessionGroup:
    """The trials of a session in the study's table.

    Attributes:
        averages: condition, and address of the page of its averages.
        comparisons: of which it has the second walks.
    """

    subject: str
    session: str
    averages: tuple[tuple[str, str], ...]
    comparisons: tuple[ComparisonLink, ...]
    entries: tuple[StudyEntry, ...]


def by_session(entries: Sequence[StudyEntry], comparisons: Sequence[ComparisonLink]) -> list[SessionGroup]:
    """Entries by subject and session, in the order in which each first occurs."""
    found: dict[str, dict[str, list[StudyEntry]]] = {}
    for entry in entries:
        found.setdefault(entry.subject, {}).setdefault(entry.session, []).append(entry)
    return [
        SessionGroup(
            subject,
            session,
            tuple({entry.condition: entry.average for entry in own if entry.average}.items()),
            tuple(link for link in comparisons if (link.subject, link.session) == (subject, session)),
            tuple(own),
        )
        for subject, sessions in found.items()
        for session, own in sessions.items()
    ]


def write_study_report(path: Path, entries: Sequence[StudyEntry], run: ReportRun, static_trials: int = 0) -> None:
    """Write the study's page: a row for each walk and each static trial that failed, with the reason of every failure
    and of missing kinetics; ``static_trials`` is how many there are."""
    groups = by_session(entries, run.comparisons)
    shown = {"entries": entries, "groups": groups, "statuses": STATUSES, "static_trials": static_trials}
    write_page(path, "study.html.j2", run=run, **shown)
