"""Data on a subject and a session's day from the tables, for the head of a page."""

from __future__ import annotations

import datetime
import math

from pipeline.config import Subject
from pipeline.counts import counted


def described(subject: Subject, day: datetime.date | None) -> list[tuple[str, str]]:
    """Label and text of each value that the tables do not leave blank."""
    age = subject.age_on(day)
    facts = {
        "Date": str(day or ""),
        "Age": counted(math.floor(age), "year") if age is not None else "",
        "Sex": {"f": "female", "m": "male"}.get(subject.sex or "", ""),
        "Diagnosis": subject.diagnosis,
        "Affected side": subject.affected_side or "",
    }
    return [(label, text) for label, text in facts.items() if text]


def described_person(subject: Subject) -> list[tuple[str, str]]:
    """Values that do not depend on the day, for the head of a report of several sessions."""
    facts = {label: text for label, text in described(subject, None) if label != "Age"}
    if subject.birth_date:
        facts["Born"] = str(subject.birth_date)
    return list(facts.items())
