"""A study: its subjects, their sessions, the trials of these, and the predictions, with the files that each needs."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pipeline.config.comparisons import CrossedComparison, crossed
from pipeline.config.extending import extended_files
from pipeline.config.files import read_json, yaml_content
from pipeline.config.rows import Comparison, GroupKey, Prediction, SessionKey, Subject, Trial, TrialKey
from pipeline.config.settings import AxesSettings, Configuration
from pipeline.config.what_if import StoredWeights, WhatIf
from pipeline.errors import ConfigError
from pipeline.whole_files import files_in


@dataclass(frozen=True)
class Study:
    """A checked study: every name refers to something that exists; only recordings may be missing.

    Attributes:
        root: the study's folder.
        home: the folder of the Snakefile, which has the marker sets, norms and skeleton that the study has not.
        configuration: config.yaml with its defaults.
        subjects: by name, in the table's order.
        trials, predictions: by subject, session and name, in the tables' order.
        comparisons: groups of walks to compare.
        skipped: trials whose kind is blank.
        cases, weights: what-if cases and fitted weights that predictions name, by name.
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
        """Comparisons by the session of their second group, whose stages compute them."""
        sessions: dict[SessionKey, list[Comparison]] = {}
        for row in self.comparisons:
            sessions.setdefault(SessionKey(row.subject, row.second.session), []).append(row)
        return sessions

    @cached_property
    def crossed_comparisons(self) -> dict[SessionKey, list[CrossedComparison]]:
        """Two visits in two conditions each, by the session of the second visit."""
        sessions: dict[SessionKey, list[CrossedComparison]] = {}
        for four in crossed(self.comparisons):
            sessions.setdefault(four.session, []).append(four)
        return sessions

    def walks_of_group(self, subject: str, group: GroupKey) -> list[Trial]:
        """Walks of one session and condition."""
        walks = self.walks_of(SessionKey(subject, group.session))
        return [walk for walk in walks if walk.condition == group.condition]

    @cached_property
    def sessions(self) -> dict[SessionKey, list[Trial]]:
        """Trials of each session, in the table's order."""
        return by_session(self.trials.values())

    @cached_property
    def predicted_sessions(self) -> dict[SessionKey, list[Prediction]]:
        """Predictions of each session that has some."""
        sessions: dict[SessionKey, list[Prediction]] = {}
        for row in self.predictions.values():
            sessions.setdefault(SessionKey(*row.key[:2]), []).append(row)
        return sessions

    def date_of(self, session: SessionKey) -> datetime.date | None:
        """Day of a session; None where none of its trials gives it."""
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
        """Walks of a session by condition: those that are averaged together."""
        conditions: dict[str | None, list[Trial]] = {}
        for trial in self.walks_of(session):
            conditions.setdefault(trial.condition, []).append(trial)
        return conditions

    def file_of(self, trial: Trial) -> Path:
        """The trial's recording: in data/raw, or else by its path from the study's folder; it may not exist."""
        return recording_path(self.root, trial.file)

    def forces_of(self, trial: Trial) -> Path | None:
        """The file of a TRC file's ground reactions: the one that the table names, or one beside it of its name."""
        if trial.forces:
            return recording_path(self.root, trial.forces)
        return forces_beside(self.file_of(trial))

    def files_of(self, trial: Trial) -> dict[str, Path]:
        """The trial's files that exist: its recording and, where they are in another one, its forces."""
        files = {"recording": self.file_of(trial), "forces": self.forces_of(trial)}
        return {name: path for name, path in files.items() if path and path.is_file()}

    def static_of(self, trial: Trial) -> Trial:
        """The static trial that calibrates a walk; of a static trial, and where there is none, itself."""
        if trial.kind == "static":
            return trial
        if trial.static:
            return self.trials[TrialKey(trial.subject, trial.session, trial.static)]
        return next(iter(fitting_statics(trial, self.sessions[trial.session_key])), trial)

    def marker_set_of(self, trial: Trial) -> Path:
        """The trial's marker-set file."""
        marker_set = trial.marker_set or self.configuration.anatomy.marker_set
        return shared_file(self.root, self.home, f"marker_sets/{marker_set}.yaml")

    def marker_set_files(self, trial: Trial) -> dict[str, Path]:
        """The trial's marker set and those that it extends, by the names that the stages' files record."""
        return self._extended[self.marker_set_of(trial)]

    @cached_property
    def unconfirmed(self) -> dict[SessionKey, tuple[str, ...]]:
        """Marker sets of each session's trials whose labels nobody has checked, as their files say, by name."""
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
            except ConfigError:  # it is told where the set is read
                files = [path]
            names = ("marker_set", *(f"marker_set_base_{number}" for number in range(1, len(files))))
            found[path] = dict(zip(names, files, strict=True))
        return found

    def axes_of(self, trial: Trial) -> AxesSettings:
        """Directions of the laboratory's axes in the trial, where the tables or config.yaml give them."""
        study = self.configuration.axes
        return AxesSettings(up=trial.up or study.up, progression=trial.progression or study.progression)

    def sweeps_of(self, session: SessionKey) -> dict[str, list[Prediction]]:
        """Predictions of a session that are solved together, by a name of preset and form, in the table's order.

        Those of a measured walk, of a what-if case and of fitted weights are a sweep of their own, with these in its
        name: the result does not depend on which other walks are predicted.
        """
        sweeps: dict[str, list[Prediction]] = {}
        for row in self.predicted_sessions.get(session, ()):
            own = (row.trial, row.what_if and f"what-if {row.what_if}", row.weights and f"weights {row.weights}")
            name = ".".join([f"{row.preset}_{row.form}", *filter(None, own)])
            sweeps.setdefault(name, []).append(row)
        return sweeps

    def walk_of(self, row: Prediction) -> Trial | None:
        """The measured walk that a prediction names."""
        return self.trials[TrialKey(*row.key[:2], row.trial)] if row.trial else None

    def standing_of(self, row: Prediction) -> Trial | None:
        """The static trial that shows a prediction's body in standing: its walk's, or else the session's first."""
        walk = self.walk_of(row)
        if walk:
            return self.static_of(walk)
        return next(iter(statics(self.sessions.get(SessionKey(*row.key[:2]), ()))), None)

    @property
    def residuals(self) -> Path:
        """The file of the residuals' spreads, which limits come from."""
        return shared_file(self.root, self.home, "residuals.json")

    @property
    def ground_from_motion(self) -> Path:
        """The file of the numbers that split an estimated ground reaction between the feet."""
        return shared_file(self.root, self.home, "ground_from_motion.json")

    @property
    def skeleton(self) -> Path:
        """The skeleton file."""
        return shared_file(self.root, self.home, "skeleton.yaml")

    def interpretation_of(self, session: SessionKey) -> Path | None:
        """The file with the interpretation of a session's reports; None if there is none."""
        path = self.root / SESSIONS / session.subject / session.session / INTERPRETATION
        return path if path.is_file() else None

    @property
    def parameter_norm(self) -> Path | None:
        """The file of the norm of spatiotemporal parameters; None for none."""
        name = self.configuration.report.parameter_norm
        return self.root / f"config/norms/{name}.csv" if name else None

    def age_at(self, session: SessionKey) -> float | None:
        """Age of the subject at a session, years; None where it is not known."""
        return self.subjects[session.subject].age_on(self.date_of(session))

    def norm_of(self, session: SessionKey) -> Path | None:
        """The norm's file of a session; None if the study is not compared with one."""
        norm = self.configuration.comparison.norm
        if norm != AUTO:
            return shared_file(self.root, self.home, f"norms/{norm}.json") if norm else None
        age = self.age_at(session)
        fitting = [path for path, (low, high) in self._ages.items() if age is not None and low <= age < high]
        return fitting[0] if fitting else shared_file(self.root, self.home, f"norms/{OTHER_NORM}.json")

    def emg_norm_of(self, session: SessionKey) -> Path | None:
        """The file of the norm of a session's EMG: its norm, or another where that is chosen by age and has no EMG."""
        own = self.norm_of(session)
        if self.configuration.comparison.norm != AUTO:
            return own
        with_emg = [path for path, norm in self._norms.items() if norm.get("muscles")]
        return own if own in with_emg or not with_emg else with_emg[0]

    @property
    def _ages(self) -> dict[Path, tuple[float, float]]:
        """Norms that say of which ages they are, the study's own first: years from, and below."""
        found = {}
        for path, norm in self._norms.items():
            with suppress(TypeError, ValueError, LookupError, OverflowError):  # its error is told where it is used
                found[path] = (float(norm["ages"][0]), float(norm["ages"][1]))
        return found

    @cached_property
    def _norms(self) -> dict[Path, dict[str, Any]]:
        """What the files of all norms hold, the study's own first."""
        found = {}
        for path in (p for base in (self.root, self.home) for p in files_in(base / "config/norms", "*.json")):
            try:
                stored = read_json(path)
            except (OSError, ValueError):  # its error is told where it is used
                continue
            if isinstance(stored, dict):
                found[path] = stored
        return found


SESSIONS, INTERPRETATION = Path("data/sessions"), "interpretation.md"
"""Folder of what is written by hand of each session, as SUBJECT/SESSION, and the name of its interpretation."""

AUTO, OTHER_NORM = "auto", "schwartz2008"
"""The norm's name that stands for the choice by age, and the norm where no age is known or none fits it."""

AVERAGE = "average"
"""Name of the files with the averages of the walks without a condition; no trial may have it."""


def average_name(condition: str | None) -> str:
    """Name of the files with the averages of a condition's walks; names of trials have no dot."""
    return f"{AVERAGE}.{condition}" if condition else AVERAGE


def by_session(trials: Iterable[Trial]) -> dict[SessionKey, list[Trial]]:
    """Trials of each session, in their order."""
    sessions: dict[SessionKey, list[Trial]] = {}
    for trial in trials:
        sessions.setdefault(trial.session_key, []).append(trial)
    return sessions


def statics(session: Iterable[Trial]) -> list[Trial]:
    """Static trials among those of a session."""
    return [trial for trial in session if trial.kind == "static"]


def fitting_statics(walk: Trial, session: Iterable[Trial]) -> list[Trial]:
    """Static trials of the walk's condition among those of its session, or else all of these."""
    own = statics(session)
    return [trial for trial in own if trial.condition == walk.condition] or own


def recording_path(root: Path, file: str) -> Path:
    """A trial's file: in data/raw, or else by its path from the study's folder."""
    stored = root / "data/raw" / file
    return stored if stored.is_file() else root / file


FORCE_FILES = tuple(f"{name}{suffix}" for name in ("_grf", "_GRF", "_forces") for suffix in (".mot", ".sto"))
"""Ends, after the name of a TRC file, of the names of files with its ground reactions."""


def forces_beside(file: Path) -> Path | None:
    """The file of ground reactions beside a TRC file, by its name."""
    if file.suffix.lower() != ".trc":
        return None
    beside = (file.with_name(f"{file.stem}{end}") for end in FORCE_FILES)
    return next((path for path in beside if path.is_file()), None)


def shared_file(root: Path, home: Path, name: str) -> Path:
    """The study's own file in config, or else the pipeline's."""
    own = root / "config" / name
    return own if own.is_file() else home / "config" / name


def is_confirmed(path: Path) -> bool:
    """Whether a person has checked a marker set's labels; a draft's file says that nobody has."""
    with suppress(ConfigError):  # it is told where the set is read
        content = yaml_content(path, path.name)
        return not isinstance(content, dict) or content.get("confirmed", True) is not False
    return True
