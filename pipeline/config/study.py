"""A study: subjects, sessions, trials and predictions, with the files that each needs."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pipeline.config.comparisons import CrossedComparison, crossed
from pipeline.config.extending import extended_files
from pipeline.config.files import read_json, yaml_content
from pipeline.config.rows import Comparison, Prediction, SessionKey, Subject, Trial, TrialKey
from pipeline.config.settings import AxesSettings, Configuration
from pipeline.config.what_if import StoredWeights, WhatIf
from pipeline.errors import ConfigError
from pipeline.whole_files import files_in

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(frozen=True)
class Study:
    """A checked study: every name refers to something that exists; only recordings may be missing.

    Attributes:
        root: the study's folder.
        home: the folder of the Snakefile, with the marker sets, norms and skeleton that the study does not have.
        configuration: config.yaml with its defaults.
        subjects: by name, in the table's order.
        trials, predictions: by subject, session and name, in the tables' order.
        comparisons: groups of walks to compare.
        skipped: trials whose kind is blank.
        cases, weights: what-if cases and fitted weights used in predictions, by name.
    """

    root: Path
    home: Path
    configuration: Configuration
    subjects: dict[str, Subject]
    trials: dict[TrialKey, Trial]
    predictions: dict[TrialKey, Prediction]
    comparisons: tuple[Comparison, ...] = ()
    skipped: tuple[TrialKey, ...] = ()
    cases: dict[str, WhatIf] = field(default_factory=dict)
    weights: dict[str, StoredWeights] = field(default_factory=dict)

    @cached_property
    def compared_sessions(self) -> dict[SessionKey, list[Comparison]]:
        """Comparisons by the session of their second group, with whose stages they are computed."""
        return grouped(self.comparisons, lambda row: SessionKey(row.subject, row.second.session))

    @cached_property
    def crossed_comparisons(self) -> dict[SessionKey, list[CrossedComparison]]:
        """Two visits in two conditions each, by the session of the second visit."""
        return grouped(crossed(self.comparisons), lambda four: four.session)

    @cached_property
    def sessions(self) -> dict[SessionKey, list[Trial]]:
        """Trials of each session, in the table's order."""
        return grouped(self.trials.values(), lambda trial: trial.session_key)

    @cached_property
    def predicted_sessions(self) -> dict[SessionKey, list[Prediction]]:
        """Predictions by session; sessions without any are left out."""
        return grouped(self.predictions.values(), lambda row: SessionKey(*row.key[:2]))

    def date_of(self, session: SessionKey) -> datetime.date | None:
        """Day of a session; None if none of its trials gives it."""
        return next((trial.date for trial in self.sessions[session] if trial.date), None)

    @property
    def walks(self) -> list[Trial]:
        """All walks."""
        return [trial for trial in self.trials.values() if trial.kind == "walk"]

    @property
    def measured_sessions(self) -> list[SessionKey]:
        """Sessions with walks."""
        return list(dict.fromkeys(trial.session_key for trial in self.walks))

    def walks_of(self, session: SessionKey) -> list[Trial]:
        """Walks of a session."""
        return [trial for trial in self.sessions.get(session, ()) if trial.kind == "walk"]

    def conditions_of(self, session: SessionKey) -> dict[str | None, list[Trial]]:
        """Walks of a session by condition; those of one condition are averaged together."""
        return grouped(self.walks_of(session), lambda trial: trial.condition)

    def file_of(self, trial: Trial) -> Path:
        """The trial's recording: in data/raw, or otherwise relative to the study's folder; it may not exist."""
        return recording_path(self.root, trial.file)

    def forces_of(self, trial: Trial) -> Path | None:
        """The file of a TRC file's ground reactions: the one named in the table, or one next to it with its name."""
        if trial.forces:
            return recording_path(self.root, trial.forces)
        return forces_beside(self.file_of(trial))

    def files_of(self, trial: Trial) -> dict[str, Path]:
        """The trial's files that exist: its recording and, if they are in a separate file, its forces."""
        files = {"recording": self.file_of(trial), "forces": self.forces_of(trial)}
        return {name: path for name, path in files.items() if path and path.is_file()}

    def static_of(self, trial: Trial) -> Trial:
        """The static trial that calibrates a walk; the trial itself if it is static or there is no static trial."""
        if trial.kind == "static":
            return trial
        if trial.static:
            return self.trials[TrialKey(trial.subject, trial.session, trial.static)]
        return next(iter(fitting_statics(trial, self.sessions[trial.session_key])), trial)

    def marker_set_of(self, trial: Trial) -> Path:
        """The trial's marker-set file."""
        marker_set = trial.marker_set or self.configuration.anatomy.marker_set
        return self.file(f"marker_sets/{marker_set}.yaml")

    def marker_set_files(self, trial: Trial) -> dict[str, Path]:
        """The trial's marker set and those that it extends, by the names recorded in the stages' files."""
        return self._extended[self.marker_set_of(trial)]

    @cached_property
    def unconfirmed(self) -> dict[SessionKey, tuple[str, ...]]:
        """By session, names of its trials' marker sets whose labels nobody has checked, according to their files."""
        names = {path for path in self._extended if not is_confirmed(path)}
        used = {
            session: {self.marker_set_of(trial) for trial in trials} & names
            for session, trials in self.sessions.items()
        }
        return {session: tuple(sorted(path.stem for path in paths)) for session, paths in used.items() if paths}

    @cached_property
    def _extended(self) -> dict[Path, dict[str, Path]]:
        found = {}
        for path in {self.marker_set_of(trial) for trial in self.trials.values()}:
            try:
                files = extended_files(path, self.home / "config/marker_sets", path.name)
            except ConfigError:  # reported when the set is read
                files = [path]
            names = ("marker_set", *(f"marker_set_base_{number}" for number in range(1, len(files))))
            found[path] = dict(zip(names, files, strict=True))
        return found

    def axes_of(self, trial: Trial) -> AxesSettings:
        """Directions of the laboratory's axes in the trial, if given in the table or in config.yaml."""
        study = self.configuration.axes
        return AxesSettings(up=trial.up or study.up, progression=trial.progression or study.progression)

    def sweeps_of(self, session: SessionKey) -> dict[str, list[Prediction]]:
        """Predictions of a session that are solved together, by a name from preset and form, in the table's order.

        Predictions of a measured walk, of a what-if case or with fitted weights are a sweep of their own, named after
        these too, so that the result does not depend on which other walks are predicted.
        """

        def sweep(row: Prediction) -> str:
            own = (row.trial, row.what_if and f"what-if {row.what_if}", row.weights and f"weights {row.weights}")
            return ".".join([f"{row.preset}_{row.form}", *filter(None, own)])

        return grouped(self.predicted_sessions.get(session, ()), sweep)

    def walk_of(self, row: Prediction) -> Trial | None:
        """The measured walk that a prediction names."""
        return self.trials[TrialKey(*row.key[:2], row.trial)] if row.trial else None

    def standing_of(self, row: Prediction) -> Trial | None:
        """The static trial that shows a prediction's body in standing: its walk's, or otherwise the session's first."""
        walk = self.walk_of(row)
        if walk:
            return self.static_of(walk)
        return next(iter(statics(self.sessions.get(SessionKey(*row.key[:2]), ()))), None)

    @property
    def skeleton(self) -> Path:
        """The skeleton file."""
        return self.file("skeleton.yaml")

    def file(self, name: str) -> Path:
        """The study's own file in config, or otherwise the pipeline's."""
        return shared_file(self.root, self.home, name)

    def interpretation_of(self, session: SessionKey) -> Path | None:
        """The file with the interpretation for a session's reports; None if there is none."""
        path = self.root / SESSIONS / session.subject / session.session / INTERPRETATION
        return path if path.is_file() else None

    @property
    def parameter_norm(self) -> Path | None:
        """The file of the norm of spatiotemporal parameters; None without a norm."""
        name = self.configuration.report.parameter_norm
        return self.root / f"config/norms/{name}.csv" if name else None

    def age_at(self, session: SessionKey) -> float | None:
        """Age of the subject at a session, years; None if it is not known."""
        return self.subjects[session.subject].age_on(self.date_of(session))

    def norm_of(self, session: SessionKey) -> Path | None:
        """The norm's file for a session; None if the study is not compared with a norm."""
        norm = self.configuration.comparison.norm
        if norm != AUTO:
            return self.file(f"norms/{norm}.json") if norm else None
        age = self.age_at(session)
        fitting = [path for path, (low, high) in self._ages.items() if age is not None and low <= age < high]
        return fitting[0] if fitting else self.file(f"norms/{OTHER_NORM}.json")

    def emg_norm_of(self, session: SessionKey) -> Path | None:
        """The file of the EMG norm for a session: its norm, or another if that was chosen by age and has no EMG."""
        own = self.norm_of(session)
        if self.configuration.comparison.norm != AUTO:
            return own
        with_emg = [path for path, norm in self._norms.items() if norm.get("muscles")]
        return own if own in with_emg or not with_emg else with_emg[0]

    @property
    def _ages(self) -> dict[Path, tuple[float, float]]:
        """Age range (from, below), years, of the norms that state one, the study's own first."""
        found = {}
        for path, norm in self._norms.items():
            with suppress(TypeError, ValueError, LookupError, OverflowError):  # reported when the norm is used
                found[path] = (float(norm["ages"][0]), float(norm["ages"][1]))
        return found

    @cached_property
    def _norms(self) -> dict[Path, dict[str, Any]]:
        """Contents of the files of all norms, the study's own first."""
        found = {}
        for path in (p for base in (self.root, self.home) for p in files_in(base / "config/norms", "*.json")):
            try:
                stored = read_json(path)
            except (OSError, ValueError):  # reported when the norm is used
                continue
            if isinstance(stored, dict):
                found[path] = stored
        return found


SESSIONS, INTERPRETATION = Path("data/sessions"), "interpretation.md"
"""Folder of texts written by hand for each session, as SUBJECT/SESSION, and the file name of the interpretation."""

AUTO, OTHER_NORM = "auto", "schwartz2008"
"""Norm name that means a choice by age, and the norm used if no age is known or no norm fits it."""

AVERAGE = "average"
"""Name of the files with the averages of the walks without a condition; no trial may have this name."""


def average_name(condition: str | None) -> str:
    """Name of the files with the averages of a condition's walks; its dot distinguishes it from names of trials."""
    return f"{AVERAGE}.{condition}" if condition else AVERAGE


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The items of each key, in their order."""
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def statics(session: Iterable[Trial]) -> list[Trial]:
    """Static trials among those of a session."""
    return [trial for trial in session if trial.kind == "static"]


def fitting_statics(walk: Trial, session: Iterable[Trial]) -> list[Trial]:
    """Static trials of the walk's condition among those of its session, or all of the session's if there are none."""
    own = statics(session)
    return [trial for trial in own if trial.condition == walk.condition] or own


def recording_path(root: Path, file: str) -> Path:
    """A trial's file: in data/raw, or otherwise relative to the study's folder."""
    stored = root / "data/raw" / file
    return stored if stored.is_file() else root / file


FORCE_FILES = tuple(f"{name}{suffix}" for name in ("_grf", "_GRF", "_forces") for suffix in (".mot", ".sto"))
"""Endings that follow the name of a TRC file in the names of files with its ground reactions."""


def forces_beside(file: Path) -> Path | None:
    """The file of ground reactions next to a TRC file, found by its name; None if there is none."""
    if file.suffix.lower() != ".trc":
        return None
    beside = (file.with_name(f"{file.stem}{end}") for end in FORCE_FILES)
    return next((path for path in beside if path.is_file()), None)


def shared_file(root: Path, home: Path, name: str) -> Path:
    """The study's own file in config, or otherwise the pipeline's."""
    own = root / "config" / name
    return own if own.is_file() else home / "config" / name


def is_confirmed(path: Path) -> bool:
    """Whether a person has checked a marker set's labels; a draft's file says that nobody has."""
    with suppress(ConfigError):  # reported when the set is read
        content = yaml_content(path, path.name)
        return not isinstance(content, dict) or content.get("confirmed", True) is not False
    return True
