"""Draft of a study's files for a folder of recordings; its guesses are for the user to check."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pipeline.acquisition import FILE_KINDS, check_size, read_trial
from pipeline.analysis import MAX_MASS
from pipeline.anatomy import load_marker_set, match, recognised, seen_labels
from pipeline.cli.marker_sets import DEFAULT, DRAFTED, draft_set, entered_values, most_common
from pipeline.cli.paths import check_utf8
from pipeline.config.loading import CONFIG, SUBJECTS, TRIALS
from pipeline.config.study import AVERAGE, forces_beside
from pipeline.conventions import X, Y, Z
from pipeline.errors import AcquisitionError, ConfigError
from pipeline.trial import RawTrial

SESSION_NAME = re.compile(
    r"ses(sion)?[-_ ]?\w*|(visit|day|week|month|year|tag|besuch|t)[-_ ]?\d+|(pre|post)([-_ ]?\w+)?|baseline"
    r"|follow[-_ ]?up.*|\d{4}[-_. ]?\d{2}[-_. ]?\d{2}.*|\d{1,2}[-_. ]\d{1,2}[-_. ]\d{2,4}.*|\d+",
    re.IGNORECASE,
)
"""Names of folders that are visits rather than conditions."""
STATIC_MOVEMENT = 0.15
"""m; feet that move less under the body are of a standing trial: at most 0.03 on six static trials, 0.6 and more on
walks."""


@dataclass(frozen=True)
class Draft:
    """A row of trials.tsv, and why it is as it is."""

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
    values: frozenset[str] = frozenset()
    """Subject values of the marker set that the file stores."""
    labels: int = 0
    """Number of markers that it shows."""
    static: str = ""
    """The static trial that calibrates it, where there are several to choose from."""


def draft_study(study: Path, source: Path) -> list[Draft]:
    """Write config.yaml, subjects.tsv and trials.tsv for all recordings below a folder, and a marker set if none fits.

    A folder directly below ``source`` is one subject; files in ``source`` itself are of one subject with its name. A
    folder within is a session if its name is one of a visit, such as ses-01, visit2 or a date, or else a condition; one
    within a session is a condition.

    Raises:
        ConfigError: there is no such file, or the study has one of the three files already.
    """
    files = sorted(_recordings(source))
    if not files:
        raise ConfigError("has no C3D or TRC file" if source.is_dir() else "there is no such folder", where=str(source))
    check_utf8(study, *files)
    existing = [name for name in (CONFIG, SUBJECTS, TRIALS) if (study / name).exists()]
    if existing:
        raise ConfigError(f"has {', '.join(existing)} already", where=str(study), remedy="Choose another folder")

    owners = [owner_of(path, source) for path in files]
    taken: dict[tuple[str, str], set[str]] = {}
    names = [
        _unused(_slug(path.stem), taken.setdefault(owner[:2], {AVERAGE}))
        for path, owner in zip(files, owners, strict=True)
    ]
    drafts = [_draft(*item, study) for item in zip(files, names, owners, strict=True)]

    drafts = with_statics(list(_with_drafted_set(with_differing_masses(drafts), files, study)))
    common = most_common([draft.marker_set for draft in drafts if draft.marker_set])
    (study / "config").mkdir(parents=True, exist_ok=True)
    section = "" if common == DEFAULT else f"anatomy:\n  marker_set: {common}\n"
    (study / CONFIG).write_text(f"study:\n  title: Gait study\n{section}", encoding="utf-8")
    people = [[subject, "", "", ""] for subject in dict.fromkeys(draft.subject for draft in drafts)]
    _write_table(study / SUBJECTS, ["subject", "sex", "mass_kg", "height_m"], people)
    columns = ["trial", "subject", "session", "condition", "kind", "file", "static"]
    rows = [
        [getattr(draft, column) for column in columns]
        + ["", "", "" if draft.marker_set == common else draft.marker_set]
        for draft in drafts
    ]
    _write_table(study / TRIALS, [*columns, "date", "notes", "marker_set"], rows)
    return drafts


def _recordings(source: Path) -> Iterator[Path]:
    """Recordings below a folder; a TRC file beside a C3D file of its name is the same trial."""
    for path in source.rglob("*"):
        kind = path.suffix.lower()
        if kind in FILE_KINDS and not (kind == ".trc" and path.with_suffix(".c3d").is_file()):
            yield path


def _read(path: Path) -> RawTrial:
    trial = read_trial(path, forces=forces_beside(path))
    check_size(trial)
    return trial


def owner_of(path: Path, source: Path) -> tuple[str, str, str]:
    """Subject, session and condition of a file by the folders in which it is; blank where there is no such folder."""
    subject, *inner = path.relative_to(source).parts[:-1] or (source.resolve().name,)
    session = inner.pop(0) if inner and (len(inner) > 1 or SESSION_NAME.fullmatch(inner[0])) else ""
    condition = "_".join(inner)
    return _slug(subject), _slug(session) if session else "", _slug(condition) if condition else ""


def with_statics(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts, each walk that several static trials fit with that of most markers, or else the last of them."""
    chosen = []
    for draft in drafts:
        fitting = statics_of(draft, drafts) if draft.kind == "walk" else []
        best = max(fitting, key=lambda static: (static.labels, static.file), default=None)
        chosen.append(replace(draft, static=best.trial) if best and len(fitting) > 1 else draft)
    return chosen


def statics_of(walk: Draft, drafts: Iterable[Draft]) -> list[Draft]:
    """Static trials of the walk's session and condition, or else of its session."""
    visit = (walk.subject, walk.session)
    own = [draft for draft in drafts if draft.kind == "static" and (draft.subject, draft.session) == visit]
    return [static for static in own if static.condition == walk.condition] or own


def guess_kind(trial: RawTrial) -> tuple[str, str]:
    """Guess "static" or "walk" from how far the feet move under the body, on a treadmill too; with the reason.

    The feet are the lowest quarter of the markers, the body is the upper half; the movement is the median over pairs of
    a marker of each.
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
    moved = np.linalg.norm(np.maximum(span, 0.0), axis=-1)  # pairs that no frame shows have not moved
    way = float(np.median(moved))
    return ("static" if way < STATIC_MOVEMENT else "walk"), f"the feet move {way:.2f} m under the body"


def _draft(path: Path, name: str, owner: tuple[str, str, str], study: Path) -> Draft:
    stored = study / "data/raw"
    file = path.relative_to(stored) if path.is_relative_to(stored) else os.path.relpath(path, study)
    marker_set, mass, values, labels = "", np.nan, frozenset[str](), 0
    try:
        trial = _read(path)
        labels = len(seen_labels(trial))
        mass = next((v for key, v in trial.parameters.items() if key.lower() == "bodymass" and v > 0.0), np.nan)
        kind, remark = guess_kind(trial)
        found = recognised(trial, walking=kind == "walk")
        if found.recognised:
            marker_set = found.marker_set
            values = entered_values(trial, marker_set)
            remark += f"; marker set {found.marker_set}, {found.found} of {found.wanted} labels"
        else:
            remark += f"; no marker set that ships, {found.marker_set} is nearest"
    except AcquisitionError as error:
        kind, remark = "", f"cannot be read: {error.problem}"
    if kind and not labels:
        kind = ""
    return Draft(name, *owner, kind, str(file), marker_set, remark, mass, values, labels)


def with_differing_masses(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts, with a remark on those whose body mass is not that of the session's first file: another person?"""
    first: dict[tuple[str, str], Draft] = {}
    found = []
    for draft in drafts:
        known = first.setdefault((draft.subject, draft.session), draft) if draft.mass > 0.0 else draft
        if abs(draft.mass - known.mass) > MAX_MASS * known.mass:
            remark = f"{draft.mass:.0f} kg, but {known.mass:.0f} kg in {known.trial}: is this the same person?"
            draft = replace(draft, remark=f"{draft.remark}; {remark}")
        found.append(draft)
    return found


def _with_drafted_set(drafts: Sequence[Draft], files: Sequence[Path], study: Path) -> Iterator[Draft]:
    """The drafts, those that match no set with a set drafted from the first subject that has a static trial and a walk.

    The set is written to the study; it is used for the trials whose labels belong to it.
    """
    foreign = {k: draft for k, draft in enumerate(drafts) if draft.kind and not draft.marker_set}
    for first, static in foreign.items():
        pair = [k for k, d in foreign.items() if d.kind == "walk" and d.subject == static.subject]
        if static.kind != "static" or not pair:
            continue
        text, remark = draft_set(_read(files[first]), _read(files[pair[0]]))
        if text:
            path = study / f"config/marker_sets/{DRAFTED}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            drafted = load_marker_set(path)
        for k, draft in foreign.items():
            if not text:
                foreign[k] = replace(draft, remark=f"{draft.remark}; {remark}")
            elif match(seen_labels(_read(files[k])), drafted, walking=draft.kind == "walk").recognised:
                foreign[k] = replace(draft, marker_set=DRAFTED, remark=f"{draft.remark}; drafted: {remark}")
        break
    for k, draft in enumerate(drafts):
        yield foreign.get(k, draft)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_-")[:70] or "unnamed"


def _unused(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken already, upper and lower case being the same; it is then taken."""
    free, number = name, 1
    while free.lower() in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(free.lower())
    return free


def _write_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows([header, *rows])
    path.write_text(text.getvalue(), encoding="utf-8")
