"""Add recordings to a study: rows for new visits, conditions and walks, appended to its tables."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.analysis import TWO_VISITS, person_notes
from pipeline.cli.checklist import checklist
from pipeline.cli.draft import (
    SUBJECT_COLUMNS,
    TRIAL_COLUMNS,
    Draft,
    cells,
    drafted,
    in_time,
    owner_of,
    recordings,
    slug,
)
from pipeline.cli.people import Size, size_of
from pipeline.cli.tables import Table, require_valid
from pipeline.config import HOME, Study, Trial, load_study
from pipeline.config.loading import SUBJECTS, TRIALS
from pipeline.config.study import recording_path
from pipeline.counts import counted
from pipeline.errors import AcquisitionError, ConfigError
from pipeline.provenance import file_digest
from pipeline.whole_files import write_texts

FIRST_SESSION = str(Trial.model_fields["session"].default)
"""Session of trials whose session is blank."""

Owner = tuple[str, str, str]


def add_recordings(study: Path, source: Path, subject: str = "", session: str = "") -> list[str]:
    """Add those recordings of a folder that a study does not yet have: either all of them, or none on an error.

    Folders are read as by `pipeline.cli.draft.draft_study`. A folder belongs to a subject of the study if it has the
    subject's name, or if the subject is given and the folder holds only visits.

    Args:
        study: folder of the study.
        source: folder of the recordings. Those that the study already has, by path or by contents, are left out, except
            for a copy of the static trial of another visit next to new recordings of its subject.
        subject, session: of all recordings; taken from the folders if blank.

    Returns:
        Lines on what was added and what the user may need to check.

    Raises:
        ConfigError: the study is not valid, or would become invalid; the folder has no recording; or a subject's folder
            is not the one that the study has.
    """
    known = load_study(study, HOME)
    subjects, trials = Table.read(study / SUBJECTS), Table.read(study / TRIALS)
    files = recordings(source, study)
    whose, visit = (slug(name) if name else "" for name in (subject, session))
    owner = {path: _owner(path, source, known, whose, visit) for path in files}
    fresh = _unknown(owner, [(recording_path(study, row["file"]), row) for row in trials.rows])
    if not fresh:
        return [f"nothing to add: the study already has all {len(files)} recordings of {source}"]
    owner = {path: owner[path] for path in fresh}
    if not whose:
        _check_same_people(owner, trials.rows)
    # By owner, since the folders of a subject's own folder are visits.
    fresh.sort(key=lambda path: in_time(Path(*owner[path], path.name)))
    owners = [owner[path] for path in fresh]
    taken: dict[tuple[str, str], list[str]] = {}
    for row in trials.rows:
        session_of = row.get("session", "")
        for name in ("", FIRST_SESSION) if session_of in ("", FIRST_SESSION) else (session_of,):
            taken.setdefault((row["subject"], name), []).append(row["trial"])
    drafts = drafted(fresh, owners, study, taken)
    common = known.configuration.anatomy.marker_set
    new = [name for name in dict.fromkeys(draft.subject for draft in drafts) if name not in known.subjects]
    tables = {
        SUBJECTS: subjects.with_rows([{"subject": name} for name in new], SUBJECT_COLUMNS),
        TRIALS: trials.with_rows([cells(draft, common) for draft in drafts], TRIAL_COLUMNS),
    }
    remedy = "Nothing was added: correct the tables first, or name another visit with --session"
    require_valid(study, tables, "these recordings", remedy)
    write_texts({study / name: text for name, text in tables.items()})
    return list(_summary(study, known, drafts, [str(path) for path in files if path not in set(fresh)], new))


def _unknown(owner: Mapping[Path, Owner], stored: Sequence[tuple[Path, Mapping[str, str]]]) -> list[Path]:
    """The files that are not among those stored, by path or by contents; one that cannot be read is not.

    They include copies of a static trial of another visit, which the new recordings of this visit need.
    """
    there = [(path, row) for path, row in stored if path.is_file()]
    paths, sizes = {path.resolve() for path, _ in there}, {path.stat().st_size for path in owner if path.is_file()}
    rows: dict[str, list[Mapping[str, str]]] = {}
    for path, row in there:
        if path.stat().st_size in sizes:
            rows.setdefault(_contents(path), []).append(row)
    same = {path: rows.get(_contents(path), []) for path in owner if path.resolve() not in paths}
    visits = {owner[path][:2] for path, own in same.items() if not own}
    return [
        path
        for path, own in same.items()
        if not own or (owner[path][:2] in visits and all(_is_static_of_another_visit(row, owner[path]) for row in own))
    ]


def _is_static_of_another_visit(row: Mapping[str, str], owner: Owner) -> bool:
    subject, session, _ = owner
    elsewhere = (row.get("session") or FIRST_SESSION) != (session or FIRST_SESSION)
    return row.get("kind") == "static" and row["subject"] == subject and elsewhere


def _contents(path: Path) -> str:
    """What is the same for files with the same contents; for a file that cannot be read, its path."""
    try:
        return file_digest(path)
    except OSError:
        return str(path)


def _owner(path: Path, source: Path, study: Study, subject: str, session: str) -> Owner:
    """Subject, session and condition of a file: as given, otherwise as read from its folders."""
    folder = slug(source.resolve().name)
    whose = subject or (folder if folder in study.subjects else "")
    inside = path.relative_to(source).parts[:-1]
    if whose and (not inside or slug(inside[0]) != whose):
        inside = (whose, *inside)
    of, visit, condition = owner_of(Path(*(inside or (folder,)), path.name), Path())
    return of, session or visit, condition


def _check_same_people(owner: Mapping[Path, Owner], rows: Iterable[Mapping[str, str]]) -> None:
    """Raise ConfigError if a new folder and that of a subject's rows differ, and are one name in the tables.

    Müller and Möller are both M_ller there, and may be two people. A folder with the subject's name is the subject's.
    """
    known: dict[str, set[str]] = {}
    for row in rows:
        known.setdefault(row["subject"], set()).update(_folders_of(Path(row["file"]), row["subject"]))
    for path, (subject, *_) in owner.items():
        names, before = _folders_of(path, subject), known.get(subject, set())
        if names and before and not names & {subject, *before}:
            raise ConfigError(
                f"its folder {min(names)} would be of {subject}, whose recordings are in {', '.join(sorted(before))}",
                where=str(path),
                remedy=f"Give --subject {subject} if this is the same person; otherwise rename the folder",
            )


def _folders_of(path: Path, subject: str) -> set[str]:
    return {unicodedata.normalize("NFC", name) for name in path.parts[:-1] if slug(name) == subject}


def _summary(
    study: Path, known: Study, drafts: Sequence[Draft], left: Sequence[str], new: Sequence[str]
) -> Iterator[str]:
    before: dict[str, dict[str, bool]] = {}
    for key in known.measured_sessions:
        before.setdefault(key.subject, {})[key.session] = known.date_of(key) is not None
    statics = {
        (key.subject, session): [trial.trial for trial in trials if trial.kind == "static"]
        for key, trials in known.sessions.items()
        for session in ((key.session, "") if key.session == FIRST_SESSION else (key.session,))
    }
    yield from checklist(study, drafts, {name for name, row in known.subjects.items() if row.sex}, before, statics)
    visits = dict.fromkeys((draft.subject, draft.session or FIRST_SESSION) for draft in drafts)
    fresh = [f"{subject}/{session}" for subject, session in visits if (subject, session) not in known.sessions]
    yield f"added: {counted(len(drafts), 'trial')}" + "".join(
        f", {counted(len(names), what)} ({', '.join(names)})"
        for what, names in (("new subject", new), ("new session", fresh))
        if names
    )
    for subject, session in visits:
        if (subject, session) in known.sessions:
            yield f"[ ] session {session} of {subject} already had trials: if this is another, name it with --session"
    if left:
        yield f"left out: {counted(len(left), 'recording')} that the study already has: {', '.join(left)}"
    for subject in dict.fromkeys(draft.subject for draft in drafts if draft.subject in known.subjects):
        sizes = dict(_sizes_before(known, subject)) | _sizes_added(drafts, subject)
        masses, heights = ({visit: size[k] for visit, size in sizes.items()} for k in (0, 1))
        for note in person_notes(masses, {}, heights, TWO_VISITS):
            yield f"{subject}: {note.subject} {note.text}"


def _sizes_before(study: Study, subject: str) -> Iterator[tuple[str, Size]]:
    """Mass and height by session, from subjects.tsv, otherwise from the first readable file of the session."""
    row = study.subjects[subject]
    for key, trials in study.sessions.items():
        if key.subject != subject:
            continue
        size: Size = (np.nan, np.nan)
        for trial in trials:
            try:
                size = size_of(read_trial(study.file_of(trial)).parameters)
            except (AcquisitionError, OSError):
                continue
            break
        yield f"session {key.session}", (row.mass_kg or size[0], row.height_m or size[1])


def _sizes_added(drafts: Sequence[Draft], subject: str) -> dict[str, Size]:
    return {
        f"session {draft.session or FIRST_SESSION} ({draft.trial}, added)": (draft.mass, draft.height)
        for draft in reversed(drafts)
        if draft.subject == subject
    }
