"""A study: its configuration and tables, read and checked against each other before any job starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.config.files import read_table, read_yaml
from pipeline.config.problems import Problems, nearest
from pipeline.config.rows import Prediction, Subject, Trial
from pipeline.config.settings import AxesSettings, Configuration

CONFIG, SUBJECTS, TRIALS = "config/config.yaml", "config/subjects.tsv", "config/trials.tsv"
PREDICTIONS = "config/predictions.tsv"
KEPT = ("index", "predictions", "predicted_vs_measured")
"""Names of the study's page, and of folders and pages of predicted walks, beside those of trials."""


@dataclass(frozen=True)
class Study:
    """A checked study: every name refers to something that exists.

    Attributes:
        root: the study's folder.
        home: the folder of the Snakefile, which has the marker sets, norms and skeleton that the study has not.
        configuration: config.yaml with its defaults.
        subjects, trials, predictions: by name, in the tables' order.
    """

    root: Path
    home: Path
    configuration: Configuration
    subjects: dict[str, Subject]
    trials: dict[str, Trial]
    predictions: dict[str, Prediction]

    def names(self, kind: str) -> list[str]:
        """Names of the trials of one kind, "static" or "walk"."""
        return [name for name, trial in self.trials.items() if trial.kind == kind]

    def file_of(self, name: str) -> Path:
        """The trial's C3D file: in data/raw, or else by its path from the study's folder."""
        return _c3d_path(self.root, self.trials[name].file)

    def subject_of(self, name: str) -> Subject:
        """Who was recorded in the trial."""
        return self.subjects[self.trials[name].subject]

    def static_of(self, name: str) -> str:
        """Name of the static trial that calibrates a walk; of a static trial, and where there is none, its own."""
        trial = self.trials[name]
        if trial.kind == "static":
            return name
        return trial.static or next(iter(self.statics_of(trial.subject)), name)

    def marker_set_of(self, name: str) -> Path:
        """The trial's marker-set file."""
        marker_set = self.trials[name].marker_set or self.configuration.anatomy.marker_set
        return _shared_file(self.root, self.home, f"marker_sets/{marker_set}.yaml")

    def attachments_of(self, name: str) -> Path | None:
        """File that says where the markers of the trial's set sit on the skeleton; None if there is none."""
        path = _shared_file(self.root, self.home, f"marker_attachments/{self.marker_set_of(name).name}")
        return path if path.is_file() else None

    def axes_of(self, name: str) -> AxesSettings:
        """Directions of the laboratory's axes in the trial, where the tables or config.yaml say them."""
        trial, study = self.trials[name], self.configuration.axes
        return AxesSettings(up=trial.up or study.up, progression=trial.progression or study.progression)

    def sweeps(self) -> dict[str, list[Prediction]]:
        """Predictions that are solved together, by a name of subject, preset and form, in the table's order.

        Those of a measured walk are a sweep of their own, with that walk in its name: what is found for it does not
        depend on which other walks are predicted, and another walk of the subject computes nothing again.
        """
        sweeps: dict[str, list[Prediction]] = {}
        for row in self.predictions.values():
            name = f"{row.subject}_{row.preset}_{row.form}" + (f".{row.trial}" if row.trial else "")
            sweeps.setdefault(name, []).append(row)
        return sweeps

    def standing_of(self, row: Prediction) -> str | None:
        """The static trial that shows a prediction's body in standing: its walk's, or else the subject's first."""
        if row.trial:
            return self.static_of(row.trial)
        return next(iter(self.statics_of(row.subject)), None)

    def statics_of(self, subject: str) -> list[str]:
        """Names of the subject's static trials."""
        return [trial.trial for trial in _statics(subject, self.trials.values())]

    def walks_of(self, subject: str) -> list[str]:
        """Names of the subject's walks."""
        return [name for name in self.names("walk") if self.trials[name].subject == subject]

    @property
    def skeleton(self) -> Path:
        """The skeleton file."""
        return _shared_file(self.root, self.home, "skeleton.yaml")

    @property
    def norm(self) -> Path | None:
        """The norm's file; None if the study wants none."""
        norm = self.configuration.comparison.norm
        return _shared_file(self.root, self.home, f"norms/{norm}.json") if norm else None


def load_study(root: Path, home: Path) -> Study:
    """Read and check a study.

    Args:
        root: the study's folder.
        home: the folder of the Snakefile.

    Raises:
        ConfigError: lists everything that is wrong, each with its file, line, value and limit.
    """
    problems = Problems()
    configuration = read_yaml(root / CONFIG, CONFIG, Configuration, problems)
    subject_rows = read_table(root / SUBJECTS, SUBJECTS, Subject, problems)
    trial_rows = read_table(root / TRIALS, TRIALS, Trial, problems)
    _check_unique([(line, row.subject) for line, row in subject_rows], SUBJECTS, "subject", problems)
    _check_unique([(line, row.trial) for line, row in trial_rows], TRIALS, "trial", problems)
    prediction_rows = read_table(root / PREDICTIONS, PREDICTIONS, Prediction, problems) if has_predictions(root) else []
    _check_unique([(line, row.prediction) for line, row in prediction_rows], PREDICTIONS, "prediction", problems)
    problems.raise_if_any()

    assert configuration is not None  # else there was a problem
    subjects = {row.subject: row for _, row in subject_rows}
    trials = {row.trial: row for _, row in trial_rows}
    if not trials:
        problems.add(TRIALS, "names no trial")
    _check_marker_set(root, home, configuration.anatomy.marker_set, f"{CONFIG}, in anatomy", problems)
    _check_norm(root, home, configuration.comparison.norm, problems)
    for line, trial in trial_rows:
        where = f"{TRIALS}, line {line}"
        if trial.subject not in subjects:
            problems.add(where, f"no subject '{trial.subject}' in {SUBJECTS}; {nearest(trial.subject, subjects)}")
        if not _c3d_path(root, trial.file).is_file():
            problems.add(where, f"no file '{trial.file}' in data/raw or from the study's folder")
        if trial.marker_set:
            _check_marker_set(root, home, trial.marker_set, where, problems)
        _check_static(trial, trials, where, problems)
        if trial.trial.lower() in KEPT or trial.trial.lower().startswith("prediction_"):
            problems.add(where, f"'{trial.trial}' is kept for other pages of the study; name the trial differently")
    predictions = {}
    for line, row in prediction_rows:
        row = _of_its_walk(row, trials, f"{PREDICTIONS}, line {line}", problems)
        _check_prediction(row, subjects, trials, f"{PREDICTIONS}, line {line}", problems)
        predictions[row.prediction] = row
    if configuration.prediction.walks == "all":
        for row in _of_every_walk(predictions, trials, problems):
            _check_prediction(row, subjects, trials, f"{CONFIG}, in prediction", problems)
            predictions[row.prediction] = row
    problems.raise_if_any()
    return Study(root, home, configuration, subjects, trials, predictions)


def has_predictions(root: Path) -> bool:
    """Whether a study has a table of predictions."""
    return (root / PREDICTIONS).exists()


def _check_unique(names: Sequence[tuple[int, str]], shown: str, column: str, problems: Problems) -> None:
    """No two names may be equal, nor be the same file name where upper and lower case are not distinguished."""
    seen: dict[str, tuple[int, str]] = {}
    for line, name in names:
        other = seen.setdefault(name.lower(), (line, name))
        if other[0] != line:
            alike = (
                "" if other[1] == name else f" as '{other[1]}'; upper and lower case must not be the only difference"
            )
            problems.add(f"{shown}, line {line}", f"{column} '{name}' stands in line {other[0]} already{alike}")


def _check_static(trial: Trial, trials: dict[str, Trial], where: str, problems: Problems) -> None:
    if trial.kind == "static":
        if trial.static:
            problems.add(where, f"'{trial.trial}' is a static trial itself; leave 'static' blank")
        return
    own = [static.trial for static in _statics(trial.subject, trials.values())]
    if trial.static is None:
        if len(own) > 1:
            choice = f"choose one of {', '.join(own)} in 'static', or the walk itself"
            problems.add(where, f"subject '{trial.subject}' has {len(own)} static trials; {choice}")
    elif trial.static == trial.trial:  # the walk calibrates itself
        return
    elif trial.static not in trials:
        problems.add(where, f"no trial '{trial.static}'; {nearest(trial.static, own)}")
    elif trials[trial.static].kind != "static":
        problems.add(where, f"'{trial.static}' is not a static trial; {nearest(trial.static, own)}")
    elif trials[trial.static].subject != trial.subject:
        other = trials[trial.static].subject
        problems.add(where, f"static trial '{trial.static}' is of subject '{other}', not of '{trial.subject}'")


def _of_its_walk(row: Prediction, trials: dict[str, Trial], where: str, problems: Problems) -> Prediction:
    """The row with the subject of the measured walk that it names."""
    if row.trial is None:
        return row
    walks = [name for name, trial in trials.items() if trial.kind == "walk"]
    if row.trial not in walks:
        what = "is not a walk" if row.trial in trials else "is no trial"
        problems.add(where, f"'{row.trial}' {what} of {TRIALS}; {nearest(row.trial, walks)}")
        return row
    subject = trials[row.trial].subject
    if row.subject and row.subject != subject:
        problems.add(where, f"'{row.trial}' is a walk of subject '{subject}', not of '{row.subject}'")
    return row.model_copy(update={"subject": row.subject or subject})


def _of_every_walk(listed: dict[str, Prediction], trials: dict[str, Trial], problems: Problems) -> Iterator[Prediction]:
    """Predictions of the walks that no listed one names."""
    named = {row.trial for row in listed.values()}
    taken = {name.lower() for name in listed}
    for name, trial in trials.items():
        if trial.kind != "walk" or name in named:
            continue
        if name.lower() in taken:
            where = f"{CONFIG}, in prediction"
            problems.add(where, f"walk '{name}' would be predicted under its own name, which {PREDICTIONS} has already")
            continue
        yield Prediction(prediction=name, subject=trial.subject, trial=name)


def _check_prediction(
    prediction: Prediction, subjects: dict[str, Subject], trials: dict[str, Trial], where: str, problems: Problems
) -> None:
    subject = subjects.get(prediction.subject)
    if not prediction.subject:  # a measured walk that does not exist was to tell
        return
    if subject is None:
        problems.add(where, f"no subject '{prediction.subject}' in {SUBJECTS}; {nearest(prediction.subject, subjects)}")
        return
    lacking = [name for name in ("mass_kg", "height_m") if getattr(subject, name) is None]
    if lacking and not prediction.trial and not _statics(subject.subject, trials.values()):
        problems.add(
            where,
            f"subject '{subject.subject}' has no {' and no '.join(lacking)} in {SUBJECTS}, nor a static trial to tell",
        )
    if subject.sex is None:
        problems.add(where, f"subject '{subject.subject}' has no sex in {SUBJECTS}; the skeleton's tables are by sex")


def _check_marker_set(root: Path, home: Path, name: str, where: str, problems: Problems) -> None:
    if not _shared_file(root, home, f"marker_sets/{name}.yaml").is_file():
        known = {path.stem for base in (root, home) for path in (base / "config/marker_sets").glob("*.yaml")}
        problems.add(where, f"no marker set '{name}'; {nearest(name, known)}")


def _check_norm(root: Path, home: Path, name: str | None, problems: Problems) -> None:
    if name and not _shared_file(root, home, f"norms/{name}.json").is_file():
        known = {path.stem for base in (root, home) for path in (base / "config/norms").glob("*.json")}
        problems.add(f"{CONFIG}, in comparison", f"no norm '{name}'; {nearest(name, known)}")


def _statics(subject: str, trials: Iterable[Trial]) -> list[Trial]:
    return [trial for trial in trials if trial.subject == subject and trial.kind == "static"]


def _c3d_path(root: Path, file: str) -> Path:
    stored = root / "data/raw" / file
    return stored if stored.is_file() else root / file


def _shared_file(root: Path, home: Path, name: str) -> Path:
    own = root / "config" / name
    return own if own.is_file() else home / "config" / name
