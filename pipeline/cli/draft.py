"""Draft a study's files from a folder of recordings; the user has to check the guesses."""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.acquisition import FILE_KINDS, check_size, read_trial
from pipeline.analysis import MAX_MASS
from pipeline.anatomy import by_match, load_marker_set, match, seen_labels
from pipeline.cli.marker_sets import DEFAULT, DRAFTED, draft_set, entered_values, most_common
from pipeline.cli.paths import check_utf8
from pipeline.cli.people import people, size_of
from pipeline.cli.terminal import complain
from pipeline.config.loading import CONFIG, SUBJECTS, TRIALS
from pipeline.config.study import AVERAGE, forces_beside
from pipeline.conventions import X, Y, Z
from pipeline.errors import AcquisitionError, ConfigError, printable
from pipeline.provenance import file_digest
from pipeline.trial import Part, RawTrial
from pipeline.whole_files import files_in, write_text, write_texts

_TREATMENT = (
    r"op|surg|treat|test|interv|therap|train|reha|inj|bo?tx|bont|botu?|cast|stim|physio|exerc|fatigue|implant|discharge"
    r"|walk|run|ortho|afo|acl|sdr|dbs|tk[ar]|th[ar]|day|week|month|year|season"
)
_ENDS = rf"(?![^\W\d_])|(?<=(?-i:[a-z]))(?=(?-i:[A-Z]))|(?={_TREATMENT})"
"""End of "pre" or "post" as a word: no letter, a capital, or a treatment or time; not as in "prefab"."""
_NO_DIRECTION = rf"(?![-_ ]?(?!{_TREATMENT})[^\W\d_])"
"""Not another word next, as in "nach_links", where "nach" is a direction."""
_BEFORE = rf"(pre|prae|prä|pra\u0308|before|vor(her)?{_NO_DIRECTION})"
_AFTER = rf"(post|after|nach(her)?{_NO_DIRECTION})"
SESSION_NAME = re.compile(
    r"ses(sion)?[-_ ]?\w*|(visit|day|week|month|year|tag|besuch|t)[-_ ]?\d+"
    rf"|({_BEFORE}|{_AFTER})({_ENDS})([-_ ]?\w+)?|baseline|follow[-_ ]?up.*"
    r"|\d{4}[-_. ]?\d{2}[-_. ]?\d{2}.*|\d{1,2}[-_. ]\d{1,2}[-_. ]\d{2,4}.*|\d+",
    re.IGNORECASE,
)
"""Folder names that are visits rather than conditions."""
DATE = re.compile(r"(?:19|20)\d\d(-?)\d\d\1\d\d(?!\d)")
"""Beginnings of session names that are dates."""
FIRST_NAME = re.compile(rf"({_BEFORE}({_ENDS})|baseline|barefoot)", re.IGNORECASE)
LATER_NAME = re.compile(rf"({_AFTER}({_ENDS})|follow)", re.IGNORECASE)
"""Beginnings of names of the visits or conditions with which others are compared, and of later visits."""
DAY_FIRST = re.compile(r"(\d{1,2})[-_. ](\d{1,2})[-_. ](\d{4})|(\d{1,2})\.(\d{1,2})\.(\d{2})")
"""Session names that are dates with the year last; one of two digits is last after dots, not after hyphens."""

STATIC_MOVEMENT = 0.15
"""Movement of the feet under the body below which a trial is static, m. Six static trials had at most 0.03, walks 0.6
and more."""


SUBJECT_COLUMNS = ("subject", "sex", "mass_kg", "height_m", "birth_date", "diagnosis", "affected_side")
TRIAL_COLUMNS = ("trial", "subject", "session", "condition", "kind", "file", "static", "date", "notes", "marker_set")
"""Columns of the drafted tables."""


@dataclass(frozen=True)
class Draft:
    """A row of trials.tsv, with the reasons for its values."""

    trial: str
    subject: str
    session: str
    condition: str
    kind: str
    file: str
    marker_set: str
    remark: str
    mass: float = np.nan
    """Body mass that the file stores, kg."""
    height: float = np.nan
    """Height that the file stores, m."""
    values: frozenset[str] = frozenset()
    """Subject values of the marker set that the file stores."""
    labels: int = 0
    """Number of markers seen."""
    static: str = ""
    """The static trial that calibrates it; blank unless there are several to choose from."""
    fits: tuple[str, ...] = ()
    """Marker sets that its labels match, best first."""
    by_name: bool = False
    """Whether the subject was guessed from the beginning of the file's name."""


def draft_study(study: Path, source: Path) -> list[Draft]:
    """Write config.yaml, subjects.tsv and trials.tsv for all recordings below a folder, and a marker set if none fits.

    A folder directly below ``source`` is one subject. Files in ``source`` itself belong to one subject with its name
    or, if bodies differ in size, to as many as `pipeline.cli.people.people` finds. A folder within a subject is a
    session if it is named like a visit, such as ses-01, visit2 or a date; otherwise it is a condition. A folder within
    a session is a condition.

    Raises:
        ConfigError: there is no recording, or the study has one of the three files already.
    """
    existing = [name for name in (CONFIG, SUBJECTS, TRIALS) if (study / name).exists()]
    if existing:
        remedy = "Choose another folder, or add to this study with: gait add"
        raise ConfigError(f"already has {', '.join(existing)}", where=str(study), remedy=remedy)
    files = recordings(source, study)
    drafts = drafted(files, [owner_of(path, source) for path in files], study)
    common = most_common([draft.marker_set for draft in drafts if draft.marker_set])
    section = "" if common == DEFAULT else f"anatomy:\n  marker_set: {common}\n"
    subjects = [{"subject": subject} for subject in dict.fromkeys(draft.subject for draft in drafts)]
    files_of_study = {
        study / CONFIG: f"study:\n  title: Gait study\n{section}",
        study / SUBJECTS: table_of(SUBJECT_COLUMNS, subjects),
        study / TRIALS: table_of(TRIAL_COLUMNS, [cells(draft, common) for draft in drafts]),
    }
    write_texts(files_of_study)
    return drafts


def recordings(source: Path, study: Path) -> list[Path]:
    """The recordings below a folder.

    Raises:
        ConfigError: there are none, a path is not UTF-8, or two folders would have one name in the tables.
    """
    files = sorted(_recordings(source), key=lambda path: in_time(path.relative_to(source)))
    if not files:
        raise ConfigError("has no C3D or TRC file" if source.is_dir() else "there is no such folder", where=str(source))
    check_utf8(study, *files)
    _check_distinct(files, source)
    return files


def in_time(path: Path) -> tuple[Any, ...]:
    """Sort key of a recording: subjects and files by name, visits in time as far as their names tell, barefoot first.

    Numbers within names are sorted by value.

    >>> [path.name for path in sorted((Path("Ann", f"walk{n}.c3d") for n in (10, 9, 100)), key=in_time)]
    ['walk9.c3d', 'walk10.c3d', 'walk100.c3d']

    >>> visits = ["post", "visit10", "02.03.2025", "visit2", "15.11.2024", "pre"]
    >>> [path.parts[1] for path in sorted((Path("Ann", visit, "walk.c3d") for visit in visits), key=in_time)]
    ['pre', '15.11.2024', '02.03.2025', 'visit2', 'visit10', 'post']
    >>> visits = ["postOp", "prefab", "15.11.24", "02.03.25", "preop", "posture"]
    >>> [path.parts[1] for path in sorted((Path("Ann", visit, "walk.c3d") for visit in visits), key=in_time)]
    ['preop', '15.11.24', '02.03.25', 'posture', 'prefab', 'postOp']
    """
    subject, *visits = path.parts[:-1] or ("",)
    return _by_value(subject), tuple(map(_name_in_time, visits)), _by_value(path.name)


def _name_in_time(name: str) -> tuple[Any, ...]:
    """Sort key of a folder's name: before or after treatment, numbers by value, years before months and days."""
    when = 1 if LATER_NAME.match(name) else -1 if FIRST_NAME.match(name) else 0
    if day := DAY_FIRST.fullmatch(name):
        *first, year = (part for part in day.groups() if part)
        name = "-".join([f"20{year}"[-4:], *reversed(first)])
    return when, *_by_value(name)


def _by_value(name: str) -> tuple[Any, ...]:
    """Sort key of a name in which numbers count by value: walk9 before walk10."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], name


def _check_distinct(files: Sequence[Path], source: Path) -> None:
    """Raise ConfigError if folders differ only in characters that names cannot have: two subjects would be one."""
    named: dict[tuple[Path, str], Path] = {}
    for folder in (folder for file in files for folder in file.relative_to(source).parents[:-1]):
        other = named.setdefault((folder.parent, slug(folder.name)), folder)
        if other != folder:
            raise ConfigError(
                f"its folders {other} and {folder} would both be named {slug(folder.name)}",
                where=str(source),
                remedy="Rename one, with letters A to Z, digits, - and _",
            )


def drafted(
    files: Sequence[Path],
    owners: Sequence[tuple[str, str, str]],
    study: Path,
    taken: Mapping[tuple[str, str], Iterable[str]] | None = None,
) -> list[Draft]:
    """Draft a row for each recording, of its subject, session and condition (``owners``).

    Names of trials that the study has are ``taken``, by subject and session. A marker set is written to it if none
    fits.

    Raises:
        ConfigError: a path cannot be written in the tables.
    """
    places = [in_table(path, study) for path in files]
    used = {owner[:2]: {AVERAGE, *(name.lower() for name in (taken or {}).get(owner[:2], ()))} for owner in owners}
    names = [_unused(slug(path.stem), used[owner[:2]]) for path, owner in zip(files, owners, strict=True)]
    drafts = [_draft(*item) for item in zip(files, names, owners, places, strict=True)]
    drafts = list(with_copies(with_differing_masses(with_people(drafts)), files))
    drafts = list(with_statics(list(_with_drafted_set(drafts, files, study))))
    return list(with_sets_of_statics(drafts))


def with_people(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts; a visit with bodies of several sizes is divided among subjects by the beginnings of file names."""
    found = list(drafts)
    for visit in dict.fromkeys((draft.subject, draft.session) for draft in drafts):
        own = [k for k, draft in enumerate(drafts) if (draft.subject, draft.session) == visit]
        stems = {k: Path(drafts[k].file).stem for k in own}
        of = people({stems[k]: (drafts[k].mass, drafts[k].height) for k in own})
        for k in own if of else ():
            person = of[stems[k]]
            found[k] = replace(found[k], subject=slug(person), by_name=True)
    return found


def cells(draft: Draft, common: str) -> dict[str, str]:
    """The row of trials.tsv of a draft; ``common`` is the marker set of the configuration.

    The date of the trial is the one with which the session's name begins, if any (`day_of`).
    """
    own = {column: str(getattr(draft, column)) for column in TRIAL_COLUMNS if column not in ("date", "notes")}
    marker_set = "" if draft.marker_set == common else draft.marker_set
    return own | {"date": day_of(draft.session), "marker_set": marker_set}


def day_of(session: str) -> str:
    """The date with which a session's name begins, as in the tables; empty if there is none.

    >>> day_of("20240531_baseline"), day_of("2024-13-31"), day_of("pre")
    ('2024-05-31', '', '')
    """
    if found := DATE.match(session):
        with suppress(ValueError):
            return date.fromisoformat(found[0]).isoformat()
    return ""


def table_of(columns: Sequence[str], rows: Iterable[Mapping[str, str]], header: bool = True) -> str:
    """The text of a table; cells that a row does not have are blank."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", delimiter="\t", lineterminator="\n", extrasaction="ignore")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _recordings(source: Path) -> Iterator[Path]:
    """Recordings below a folder, without TRC files next to a C3D file of the same name, which are the same trial.

    Files and folders whose names begin with a dot are left out: macOS leaves ``._walk.c3d`` next to ``walk.c3d``. Links
    to folders are followed, unless the folder was already entered: a link to a folder above would have no end. A folder
    that cannot be opened is named on standard error.
    """
    entered = {source.resolve()}
    for folder, inner, names in os.walk(source, onerror=_name_unopened, followlinks=True):
        places = {name: (Path(folder) / name).resolve() for name in sorted(inner) if name[0] != "."}
        inner[:] = [name for name, place in places.items() if place not in entered]
        entered.update(places.values())
        for path in (Path(folder) / name for name in names if name[0] != "."):
            kind = path.suffix.lower()
            if kind in FILE_KINDS and not (kind == ".trc" and path.with_suffix(".c3d").is_file()):
                yield path


def _name_unopened(error: OSError) -> None:
    if Path(error.filename).is_dir():
        what = f"cannot be opened ({error.strerror}), so its recordings are left out"
        complain(f"{error.filename}: {what}. Make it readable, and add them with: gait add")


def _read(path: Path) -> RawTrial:
    trial = read_trial(path, forces=forces_beside(path))
    check_size(trial)
    return trial


def owner_of(path: Path, source: Path) -> tuple[str, str, str]:
    """Subject, session and condition of a file, from the folders that contain it; blank if there is no such folder."""
    subject, *inner = path.relative_to(source).parts[:-1] or (source.resolve().name,)
    session = inner.pop(0) if inner and (len(inner) > 1 or SESSION_NAME.fullmatch(inner[0])) else ""
    condition = "_".join(inner)
    return slug(subject), slug(session) if session else "", slug(condition) if condition else ""


def with_statics(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """The drafts; a walk with several fitting static trials gets the one with most markers, or else the last."""
    for draft in drafts:
        fitting = statics_of(draft, drafts)
        best = max(fitting, key=lambda static: (static.labels, _by_value(static.file)), default=None)
        yield replace(draft, static=best.trial) if best and len(fitting) > 1 else draft


def with_sets_of_statics(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """The drafts; each walk gets the marker set of its static trial if the walk's labels match that set too.

    A walk may match another set better, because it does not need that set's medial markers or alignment devices.
    """
    for draft in drafts:
        static = next((one for one in statics_of(draft, drafts) if draft.static in ("", one.trial)), None)
        if static and static.marker_set != draft.marker_set and static.marker_set in draft.fits:
            remark = f"{draft.remark}; {static.marker_set} like its static trial {static.trial}"
            draft = replace(draft, marker_set=static.marker_set, remark=remark)
        yield draft


def statics_of(walk: Draft, drafts: Iterable[Draft]) -> list[Draft]:
    """Static trials of a walk's session and condition; if there are none, of its session. Other trials have none."""
    if walk.kind != "walk":
        return []
    visit = (walk.subject, walk.session)
    own = [draft for draft in drafts if draft.kind == "static" and (draft.subject, draft.session) == visit]
    return [static for static in own if static.condition == walk.condition] or own


def guess_kind(trial: RawTrial) -> tuple[str, str]:
    """Guess "static" or "walk" from how far the feet move relative to the body, and give the reason.

    This works on a treadmill too. The feet are the lowest quarter of the markers, the body is the upper half; the
    movement is the median over all pairs of a foot and a body marker.
    """
    seen = np.isfinite(trial.markers_G).all(axis=2).any(axis=0)
    markers_G = trial.markers_G[:, seen]
    if not markers_G.shape[1]:
        return "static", "no marker is seen"
    height = np.nanmedian(markers_G[:, :, Y], axis=0)
    feet, body = (
        markers_G[:, chosen][:, :, [X, Z]]
        for chosen in (height <= np.quantile(height, 0.25), height >= np.quantile(height, 0.5))
    )
    apart = feet[:, :, None] - body[:, None]
    span = np.where(np.isnan(apart), -np.inf, apart).max(axis=0) - np.where(np.isnan(apart), np.inf, apart).min(axis=0)
    moved = np.linalg.norm(np.maximum(span, 0.0), axis=-1)  # pairs never seen together count as not moved
    way = float(np.median(moved))
    return ("static" if way < STATIC_MOVEMENT else "walk"), f"the feet move {way:.2f} m under the body"


def in_table(path: Path, study: Path) -> str:
    """The path of a recording as in trials.tsv: in data/raw, or relative to the study's folder, which may be a link.

    Raises:
        ConfigError: it has a character that the table cannot have.
    """
    stored = study / "data/raw"
    if path.is_relative_to(stored):
        file = path.relative_to(stored)
    else:
        file = Path(os.path.relpath(path, study))
        if (study.resolve() / file).resolve() != path.resolve():  # the way up from a linked folder is another one
            file = Path(os.path.relpath(path, study.resolve()))
    text = file.as_posix()
    if set(text) & set("{}") or not text.isprintable():
        problem = "has a brace or a control character, which a path in the tables must not have"
        raise ConfigError(problem, where=printable(text), remedy="Rename the file or its folder")
    return text


def _draft(path: Path, name: str, owner: tuple[str, str, str], place: str) -> Draft:
    marker_set, size, values, labels, fits = "", (np.nan, np.nan), frozenset[str](), 0, tuple[str, ...]()
    try:
        trial = _read(path)
        labels = len(seen_labels(trial))
        size = size_of(trial.parameters)
        kind, remark = guess_kind(trial)
        found, *others = by_match(trial, walking=kind == "walk")
        fits = tuple(match.marker_set for match in (found, *others) if match.recognised)
        if found.recognised:
            marker_set = found.marker_set
            values = entered_values(trial, marker_set)
            remark += f"; marker set {found.marker_set}, {found.found} of {found.wanted} labels"
        else:
            remark += f"; no shipped marker set, {found.marker_set} is closest"
    except AcquisitionError as error:
        kind, remark = "", f"cannot be read: {error.problem}"
    if kind and not labels:
        kind = ""
    return Draft(name, *owner, kind, place, marker_set, remark, *size, values, labels, fits=fits)


def with_differing_masses(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """The drafts, with a remark if the body mass differs from that of the session's first file: another person?"""
    first: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        known = first.setdefault((draft.subject, draft.session), draft) if draft.mass > 0.0 else draft
        if abs(draft.mass - known.mass) > MAX_MASS * known.mass:
            remark = f"{draft.mass:.0f} kg, but {known.mass:.0f} kg in {known.trial}: is this the same person?"
            draft = replace(draft, remark=f"{draft.remark}; {remark}")
        yield draft


def with_copies(drafts: Iterable[Draft], files: Iterable[Path]) -> Iterator[Draft]:
    """The drafts, with a remark on a walk whose file has the contents of an earlier one."""
    found = list(drafts)
    names = ["/".join(filter(None, (draft.subject, draft.session, draft.trial))) for draft in found]
    walks = {name: (path, None) for name, path, draft in zip(names, files, found, strict=True) if draft.kind == "walk"}
    remarks = copy_remarks(walks)
    for name, draft in zip(names, found, strict=True):
        yield replace(draft, remark=f"{draft.remark}; {remarks[name]}") if name in remarks else draft


def copy_remarks(walks: Mapping[str, tuple[Path, Part | None]]) -> dict[str, str]:
    """A remark on each walk that has the recording of an earlier one, by name.

    Walks are given by name with their file and the part of its recording. Only files of one size are read. One that
    cannot be read is no copy.
    """
    sizes = Counter(path.stat().st_size for path, _ in walks.values() if path.is_file())
    first: dict[tuple[str, Part | None], str] = {}
    found = {}
    for name, (path, part) in walks.items():
        with suppress(OSError):
            if sizes[path.stat().st_size] > 1 and (other := first.setdefault((file_digest(path), part), name)) != name:
                found[name] = f"the same recording as {other}: delete one of both rows, or its strides count twice"
    return found


def _with_drafted_set(drafts: Sequence[Draft], files: Sequence[Path], study: Path) -> Iterator[Draft]:
    """The drafts; trials that match no set get one drafted from a static trial and a walk of a subject, per label set.

    New sets are written to the study; sets that it has already are used too. Each is used for the trials whose labels
    belong to it. If the labels of a static trial tell too little, its remark says so.
    """
    foreign = {k: draft for k, draft in enumerate(drafts) if draft.kind and not draft.marker_set}
    labels = {k: seen_labels(_read(files[k])) for k in foreign}
    folder = study / "config/marker_sets"
    remarks = dict.fromkeys(files_in(folder, "*.yaml"), "by the study's own set") if foreign else {}
    decided: set[int] = set()

    def apply(path: Path, remark: str, *, whole: bool) -> None:
        """Assign a drafted set to undecided trials whose labels belong to it.

        If the set has to suffice for all outputs (``whole``), a walk follows its static trials, since only these show
        whether medial markers were placed.
        """
        marker_set = load_marker_set(path)
        for k in sorted(foreign.keys() - decided, key=lambda k: (foreign[k].kind != "static", k)):
            draft = foreign[k]
            fitting = match(labels[k], marker_set, walking=draft.kind == "walk")
            statics = statics_of(draft, foreign.values())
            follows = not statics or any(static.marker_set == path.stem for static in statics)
            if fitting.recognised and (not whole or (follows and not any(fitting.lacking.values()))):
                foreign[k] = replace(draft, marker_set=path.stem, remark=f"{draft.remark}; {remark}")
                decided.add(k)

    for path, remark in remarks.items():
        apply(path, remark, whole=True)
    for first, static in list(foreign.items()):
        walks = [k for k, d in foreign.items() if k not in decided and d.kind == "walk" and d.subject == static.subject]
        if static.kind != "static" or first in decided or not walks:
            continue
        name = _unused(DRAFTED, {path.stem.lower() for path in files_in(folder, "*.yaml")})
        text, remark = draft_set(name, _read(files[first]), _read(files[walks[0]]))
        if text:
            write_text(folder / f"{name}.yaml", text)
            remarks[folder / f"{name}.yaml"] = f"drafted: {remark}"
            apply(folder / f"{name}.yaml", f"drafted: {remark}", whole=True)
        for k in (first, walks[0]):
            if k not in decided:
                foreign[k] = replace(foreign[k], remark=f"{foreign[k].remark}; {remark}")
    for path, remark in remarks.items():
        apply(path, remark, whole=False)
    for k, draft in enumerate(drafts):
        yield foreign.get(k, draft)


def slug(text: str) -> str:
    """The text as a name for tables and paths; one without Latin letters or digits is told apart by its digest.

    Macs write letters with marks in two characters, other computers in one: both give the same name.
    """
    text = unicodedata.normalize("NFC", text)
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_-")[:70]
    return name or f"unnamed_{sha256(text.encode(errors='surrogateescape')).hexdigest()[:6]}"


def _unused(name: str, taken: set[str]) -> str:
    """The name, with a number added if it is taken (ignoring case); the result is added to ``taken``."""
    free, number = name, 1
    while free.lower() in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(free.lower())
    return free
