"""Checklist of a drafted study: what was found and decided, and what is left to the user."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from pipeline.anatomy import set_named
from pipeline.cli.draft import Draft, day_of, statics_of
from pipeline.cli.marker_sets import ships
from pipeline.config import is_confirmed
from pipeline.config.study import grouped

DONE, OPEN = "[x]", "[ ]"
"""Marks of a settled point, and of one for the user to check."""

WITHOUT_SEX = "the legs have the mean of both sexes' inertia, the whole-body skeleton has a man's"
"""What is assumed about a subject of unknown sex."""


def checklist(
    study: Path,
    drafts: Sequence[Draft],
    with_sex: Collection[str] = (),
    before: Mapping[str, Mapping[str, bool]] | None = None,
    statics: Mapping[tuple[str, str], Sequence[str]] | None = None,
) -> Iterator[str]:
    """Lines on the trials, then the points.

    Args:
        study: folder of the drafted study.
        drafts: rows of its trials.tsv.
        with_sex: subjects whose sex is in subjects.tsv.
        before: by subject, visits that the study already had, and whether the table has their dates.
        statics: static trials that the study already had, by subject and session (blank for the only one).
    """
    for draft in drafts:
        owner = ", ".join(filter(None, (draft.subject, draft.session and f"session {draft.session}", draft.condition)))
        yield f"{draft.trial}: {draft.kind or 'undecided'}, of {owner} ({draft.remark})"
    yield ""
    yield from _undecided(drafts)
    yield from _people(drafts)
    yield from _marker_sets(study, drafts)
    yield from _statics(drafts, statics or {})
    yield from _visits(drafts, before or {})
    yield from _values(drafts)
    lacking = dict.fromkeys(draft.subject for draft in drafts if draft.subject not in with_sex)
    if lacking:
        whose = ", ".join(lacking)
        yield f"{OPEN} sex of {whose}: in no file; until it is in subjects.tsv, {WITHOUT_SEX}"
    folder = quote(str(study))
    yield f"{OPEN} predictions: none requested; `gait predict {folder} SUBJECT/SESSION/WALK` adds one (sex needed)"
    yield f"Check the tables in {study / 'config'}; then: gait run {folder}"


def _undecided(drafts: Sequence[Draft]) -> Iterator[str]:
    left = [f"{draft.file} ({draft.remark})" for draft in drafts if not draft.kind]
    if left:
        yield f"{OPEN} undecided, and skipped until 'kind' is filled in in trials.tsv: {'; '.join(left)}"
    else:
        yield f"{DONE} each of {len(drafts)} files is a static trial or a walk, by the movement of its feet"


def _people(drafts: Sequence[Draft]) -> Iterator[str]:
    found = dict.fromkeys(draft.subject for draft in drafts if draft.by_name)
    if found:
        yield (
            f"{OPEN} {len(found)} people in one folder, since bodies differ in size; by the beginnings of file names: "
            f"{', '.join(found)}; unconfirmed, correct 'subject' in both tables if this is wrong"
        )


def _marker_sets(study: Path, drafts: Sequence[Draft]) -> Iterator[str]:
    readable = [draft for draft in drafts if draft.kind]
    for name in dict.fromkeys(draft.marker_set for draft in readable):
        own = [draft.trial for draft in readable if draft.marker_set == name]
        guesses = study / f"config/marker_sets/{name}.yaml"
        if name and not is_confirmed(guesses):
            yield f"{OPEN} marker set {name}: for {len(own)} files; check every guess in {guesses}"
            yield f"{OPEN} {name} is unconfirmed, and pages say so, until: gait confirm {quote(str(study))} {name}"
        elif name:
            yield f"{DONE} marker set {name}: recognised in {len(own)} of {len(readable)} files"
        else:
            yield f"{OPEN} no marker set fits {', '.join(own)}: these will fail until one is named in trials.tsv"


def _statics(drafts: Sequence[Draft], stored: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[str]:
    walks = [draft for draft in drafts if draft.kind == "walk"]
    groups = grouped(walks, lambda draft: (draft.subject, draft.session, draft.condition))
    without = []
    for owner, own in groups.items():
        fitting, shown = statics_of(own[0], drafts), "/".join(filter(None, owner))
        if not fitting and (names := stored.get(owner[:2])):
            yield f"{DONE} static trial of {shown}: {', '.join(names)}, which the study has already"
        elif not fitting:
            without.append(shown)
        elif len(fitting) > 1:
            names = ", ".join(f"{static.trial} ({static.labels} markers)" for static in fitting)
            alike = len({static.labels for static in fitting}) == 1
            why = "the last by file name, since all show as many markers" if alike else "the one with most markers"
            yield f"{OPEN} static trials of {shown}: {names}; {own[0].static} is used, {why} (column 'static')"
        else:
            yield f"{DONE} static trial of {shown}: {fitting[0].trial}"
    if without:
        names = ", ".join(without)
        yield f"{OPEN} static trial of {names}: none; walks calibrate themselves, ankle angles may be off by degrees"


def _visits(drafts: Sequence[Draft], before: Mapping[str, Mapping[str, bool]]) -> Iterator[str]:
    """The order of visits, in which they are compared, unless all have a date."""
    orders: dict[tuple[str, ...], list[str]] = {}
    for subject in dict.fromkeys(draft.subject for draft in drafts):
        own = [draft.session for draft in drafts if draft.subject == subject and draft.kind == "walk"]
        dated = dict(before.get(subject, {}))
        for visit in own:
            dated[visit or "1"] = dated.get(visit or "1", False) or bool(day_of(visit))
        if len(dated) > 1 and not all(dated.values()):
            orders.setdefault(tuple(dated), []).append(subject)
    for visits, subjects in orders.items():
        yield (
            f"{OPEN} visits of {', '.join(subjects)}, in the order in which they are compared: {', '.join(visits)}; "
            "if it is wrong, fill in 'date' in trials.tsv"
        )


def _values(drafts: Sequence[Draft]) -> Iterator[str]:
    """Values that the files store, and those that are measured from markers, estimated, or missing.

    Subjects with the same values share a line.
    """
    for (before, after), same in grouped(_values_of_each(drafts), lambda found: found[1:]).items():
        yield f"{before} {', '.join(subject for subject, *_ in same)}{after}"


def _values_of_each(drafts: Sequence[Draft]) -> Iterator[tuple[str, str, str]]:
    """Subject, and the text before and after its name."""
    for subject in dict.fromkeys(draft.subject for draft in drafts):
        own = [draft for draft in drafts if draft.subject == subject and ships(draft.marker_set)]
        if not own:
            continue
        wanted = {name: v for name, v in set_named(own[0].marker_set).subject_values.items() if v.parameter}
        found = frozenset().union(*(draft.values for draft in own))
        missing = [name for name in wanted if name not in found]
        needed = [name for name in missing if wanted[name].required and not wanted[name].otherwise]
        other = [name for name in missing if wanted[name].otherwise]
        yield subject, f"{DONE} body values of", f" in the files: {_names(name for name in wanted if name in found)}"
        if other:
            unless = f", unless subjects.tsv has them: {_names(other)}"
            yield subject, f"{OPEN} taken from markers or estimated for", unless
        if needed:
            yield subject, f"{OPEN} missing for", f"; without them its trials fail: {_names(needed)} (subjects.tsv)"


def _names(names: Iterable[str]) -> str:
    """The names in words; a value of either or both sides is named once."""
    short = (name.removesuffix("_left").removesuffix("_right").replace("_", " ") for name in names)
    return ", ".join(dict.fromkeys(short)) or "none"
