"""The page of a study, with a row for each trial."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.reporting.entries import STATUSES, StudyEntry
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ComparisonLink, ReportRun

ROWS = 200
"""Number of trials that the table shows at a time; other rows stay text until shown, so that the page opens sooner."""


@dataclass(frozen=True)
class SessionGroup:
    """The trials of a session in the study's table.

    Attributes:
        averages: conditions, and addresses of the pages of their averages.
        comparisons: those whose second group is in this session.
    """

    subject: str
    session: str
    averages: tuple[tuple[str, str], ...]
    comparisons: tuple[ComparisonLink, ...]
    entries: tuple[StudyEntry, ...]


def by_session(entries: Sequence[StudyEntry], comparisons: Sequence[ComparisonLink]) -> list[SessionGroup]:
    """Entries by subject and session, in order of first occurrence."""
    found: dict[str, dict[str, list[StudyEntry]]] = {}
    compared: dict[tuple[str, str], list[ComparisonLink]] = defaultdict(list)
    for link in comparisons:
        compared[link.subject, link.session].append(link)
    for entry in entries:
        found.setdefault(entry.subject, {}).setdefault(entry.session, []).append(entry)
    return [
        SessionGroup(
            subject,
            session,
            tuple({entry.condition: entry.average for entry in own if entry.average}.items()),
            tuple(compared[subject, session]),
            tuple(own),
        )
        for subject, sessions in found.items()
        for session, own in sessions.items()
    ]


def write_study_report(
    path: Path, entries: Sequence[StudyEntry], run: ReportRun, static_trials: int = 0, skipped: Sequence[str] = ()
) -> None:
    """Write the study's page.

    It has a row for each walk and each static trial that failed, with the reasons for failures and missing kinetics.

    Args:
        path: HTML file to write.
        entries: of its trials.
        run: the study, configuration and versions.
        static_trials: number of static trials.
        skipped: subject, session and name of trials whose kind is blank in the study's table.
    """
    lines = [
        line
        for group in by_session(entries, run.comparisons)
        for line in ((group, None), *((group, entry) for entry in group.entries))
    ]
    trials = [number for number, (_, entry) in enumerate(lines) if entry]
    first = trials[ROWS] if len(trials) > ROWS else len(lines)
    shown = {"entries": entries, "statuses": STATUSES, "static_trials": static_trials, "skipped": skipped}
    write_page(path, "study.html.j2", run=run, first=lines[:first], rest=lines[first:], at_a_time=ROWS, **shown)
