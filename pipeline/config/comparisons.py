"""Groups of walks to compare: the rows of comparisons.tsv, or otherwise consecutive visits and all conditions."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

from pipeline.config.problems import nearest
from pipeline.config.rows import Comparison, GroupKey, SessionKey, Trial

Report = Callable[[str], None]
"""Records one problem of a row."""


@dataclass(frozen=True)
class CrossedComparison:
    """Two visits in each of two conditions: four groups of walks of a subject that are reported together.

    Attributes:
        name: of the report; it contains a dot, so it cannot be the name of a comparison of two groups.
        groups: both conditions of the first visit, then those of the second.
    """

    name: str
    subject: str
    groups: tuple[GroupKey, GroupKey, GroupKey, GroupKey]

    @property
    def session(self) -> SessionKey:
        """Session of the second visit; the report is among its pages."""
        return SessionKey(self.subject, self.groups[-1].session)


def crossed(rows: Iterable[Comparison]) -> Iterator[CrossedComparison]:
    """A crossed comparison for each pair of conditions in which the same two visits are compared."""
    visits: dict[tuple[str, str, str], list[str | None]] = {}
    for row in rows:
        first, second = row.first, row.second
        if first.session != second.session and first.condition == second.condition:
            conditions = visits.setdefault((row.subject, first.session, second.session), [])
            conditions += [] if first.condition in conditions else [first.condition]
    for (subject, one, other), conditions in visits.items():
        for pair in combinations(conditions, 2):
            groups = tuple(GroupKey(session, condition) for session in (one, other) for condition in pair)
            words = "-".join(condition or "blank" for condition in pair)
            yield CrossedComparison(f"{one}-{other}.{words}"[:200], subject, groups)  # type: ignore[arg-type]


def completed(row: Comparison, trials: Iterable[Trial], report: Report) -> Comparison:
    """The row, with the subject's only session if it names none; reports sessions and conditions without walks."""
    walks = [trial for trial in trials if trial.kind == "walk" and trial.subject == row.subject]
    sessions = list(dict.fromkeys(walk.session for walk in walks))
    if not walks:
        report(f"subject '{row.subject}' has no walk in trials.tsv")
        return row
    found = row
    for which in ("first", "second"):
        session = getattr(row, f"{which}_session")
        if session is None and len(sessions) > 1:
            report(f"subject '{row.subject}' has sessions {', '.join(sessions)}; choose one in '{which}_session'")
            continue
        session = session or sessions[0]
        found = found.model_copy(update={f"{which}_session": session})
        if session not in sessions:
            report(f"no session '{session}' of '{row.subject}' with walks; {nearest(session, sessions)}")
            continue
        condition = getattr(row, f"{which}_condition")
        known = {walk.condition for walk in walks if walk.session == session}
        if condition not in known:
            names = [name or "(blank)" for name in known]
            report(f"no walk of condition '{condition or ''}' in session '{session}'; {nearest(condition, names)}")
    _check_sides(found, report)
    return found


def _check_sides(row: Comparison, report: Report) -> None:
    """Report a row unless it names both sides of the same walks, or no sides of different walks."""
    same, sides = row.first == row.second, (row.first_side, row.second_side)
    if same and sides == (None, None):
        report("both groups are the same walks; to compare the sides name 'left' in first_side, 'right' in second_side")
    elif same and set(sides) != {"left", "right"}:
        report("the two sides to compare are 'left' and 'right', one in first_side, the other in second_side")
    elif not same and sides != (None, None):
        report("sides are compared in the same walks; leave first_side and second_side blank")


def visits_in_time(days: Mapping[SessionKey, datetime.date | None]) -> list[SessionKey]:
    """Visits of a subject by date if all have one, otherwise as in the table."""
    known = {key: day for key, day in days.items() if day}
    return sorted(days, key=known.__getitem__) if len(known) == len(days) else list(days)


def usual(trials: Iterable[Trial]) -> Iterator[Comparison]:
    """Each visit of a subject with the next one of the same condition, and all pairs of conditions within a visit.

    Visits are in the order of `visits_in_time`.
    """
    groups: dict[str, dict[SessionKey, list[str | None]]] = {}
    dates: dict[SessionKey, datetime.date | None] = {}
    for trial in trials:
        if trial.kind == "walk":
            conditions = groups.setdefault(trial.subject, {}).setdefault(trial.session_key, [])
            if trial.condition not in conditions:
                conditions.append(trial.condition)
        dates[trial.session_key] = trial.date or dates.get(trial.session_key)
    for subject, visits in groups.items():
        order = visits_in_time({key: dates[key] for key in visits})
        names: set[str] = set()
        for condition in dict.fromkeys(name for key in order for name in visits[key]):
            having = [GroupKey(key.session, condition) for key in order if condition in visits[key]]
            for first, second in pairwise(having):
                name = "-".join(filter(None, (first.session, second.session, condition)))
                yield _named(name, subject, first, second, names)
        for key in order:
            for one, other in combinations(visits[key], 2):
                first, second = GroupKey(key.session, one), GroupKey(key.session, other)
                visit = f"{key.session}-" if len(order) > 1 else ""
                yield _named(f"{visit}{one or 'blank'}-{other or 'blank'}", subject, first, second, names)


def _named(name: str, subject: str, first: GroupKey, second: GroupKey, taken: set[str]) -> Comparison:
    """A comparison with a name that is unique for the subject."""
    short = name[:70]
    free = next(n for k in range(1, len(taken) + 2) if (n := short if k == 1 else f"{short}-{k}").lower() not in taken)
    taken.add(free.lower())
    return Comparison(
        comparison=free,
        subject=subject,
        first_session=first.session,
        first_condition=first.condition,
        second_session=second.session,
        second_condition=second.condition,
    )
