"""Read a study and check its tables against each other, before any job starts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from pipeline.config.comparisons import completed, usual
from pipeline.config.files import read_table, read_yaml
from pipeline.config.parameter_norm import read_parameter_norm
from pipeline.config.problems import Problems, nearest
from pipeline.config.rows import MAX_AGE, Comparison, Prediction, SessionKey, Subject, Trial, TrialKey
from pipeline.config.settings import Configuration, ReportSettings
from pipeline.config.study import AUTO, AVERAGE, Study, fitting_statics, grouped, shared_file, statics
from pipeline.config.what_if import FREE_SPEED_OF_A_RUN, StoredWeights, WhatIf
from pipeline.errors import ConfigError
from pipeline.whole_files import files_in

CONFIG, SUBJECTS, TRIALS = "config/config.yaml", "config/subjects.tsv", "config/trials.tsv"
PREDICTIONS, COMPARISONS = "config/predictions.tsv", "config/comparisons.tsv"
RESERVED_SUBJECTS = ("examples", "single", "templates")
"""Names of other folders in reports, next to those of the subjects."""

M = TypeVar("M", bound=BaseModel)

Rows = list[tuple[int, Any]]
"""Rows of a table with their line numbers."""


def load_study(root: Path, home: Path) -> Study:
    """Read and check a study in a folder; ``home`` is the folder of the Snakefile.

    Raises:
        ConfigError: lists everything that is wrong, each with its file, line, value and limit.
    """
    if not any((root / name).exists() for name in (CONFIG, SUBJECTS, TRIALS)):
        problem = f"has no {CONFIG}, so it is not a study" if root.is_dir() else "there is no such folder"
        remedy = "Give a study's folder, or draft one with: gait new STUDY --from RECORDINGS"
        raise ConfigError(problem, where=str(root.resolve()), remedy=remedy)
    problems = Problems()
    configuration = read_yaml(root / CONFIG, CONFIG, Configuration, problems)
    subject_rows = read_table(root / SUBJECTS, SUBJECTS, Subject, problems)
    trial_rows = read_table(root / TRIALS, TRIALS, Trial, problems)
    listed = (root / PREDICTIONS).exists()
    prediction_rows = read_table(root / PREDICTIONS, PREDICTIONS, Prediction, problems) if listed else []
    _check_unique([(line, (), row.subject) for line, row in subject_rows], SUBJECTS, "subject", problems)
    _check_unique([(line, row.session_key, row.trial) for line, row in trial_rows], TRIALS, "trial", problems)
    _check_sessions(trial_rows, problems)
    problems.raise_if_any()

    assert configuration is not None  # else there was a problem
    subjects = {row.subject: row for _, row in subject_rows}
    skipped = tuple(row.key for _, row in trial_rows if row.kind is None)
    trial_rows = [(line, row) for line, row in trial_rows if row.kind]
    trials = {row.key: row for _, row in trial_rows}
    sessions = grouped(trials.values(), lambda trial: trial.session_key)
    if not trials:
        problems.add(TRIALS, "has no trial whose 'kind' is given" if skipped else "names no trial")
    _check_marker_set(root, home, configuration.anatomy.marker_set, f"{CONFIG}, in anatomy", problems)
    _check_norm(root, home, configuration.comparison.norm, problems)
    _check_parameter_norm(root, configuration.report, problems)
    for line, subject in subject_rows:
        if subject.subject.lower() in RESERVED_SUBJECTS:
            where = f"{SUBJECTS}, line {line}"
            problems.add(where, f"'{subject.subject}' is the folder of other pages; name the subject differently")
    for line, trial in trial_rows:
        where = f"{TRIALS}, line {line}"
        if trial.subject not in subjects:
            problems.add(where, f"no subject '{trial.subject}' in {SUBJECTS}; {nearest(trial.subject, subjects)}")
        elif (born := subjects[trial.subject].birth_date) and trial.date and trial.date < born:
            problems.add(where, f"the date {trial.date} is before the subject's birth on {born} ({SUBJECTS})")
        elif born and trial.date and trial.date.year - born.year > MAX_AGE:
            age = f"{trial.date.year - born.year} years after the subject's birth on {born} ({SUBJECTS})"
            problems.add(where, f"the date {trial.date} is {age}; at most {MAX_AGE} are allowed: check both years")
        if trial.trial.lower() == AVERAGE:
            problems.add(where, f"'{trial.trial}' is the page of the averages; name the trial differently")
        if trial.marker_set:
            _check_marker_set(root, home, trial.marker_set, where, problems)
        _check_static(trial, sessions[trial.session_key], where, problems)
    rows = [
        (line, _in_its_session(row, trials, f"{PREDICTIONS}, line {line}", problems)) for line, row in prediction_rows
    ]
    _check_unique([(line, row.key[:2], row.prediction) for line, row in rows], PREDICTIONS, "prediction", problems)
    predictions = {}
    for line, row in rows:
        _check_prediction(row, subjects, sessions, f"{PREDICTIONS}, line {line}", problems)
        predictions[row.key] = row
    if configuration.prediction.walks == "all":
        for row in list(_of_every_walk(predictions, trials, problems)):
            _check_prediction(row, subjects, sessions, f"{CONFIG}, in prediction", problems)
            predictions[row.key] = row
    cases = _named_files(root, home, "what_if", [(line, row.what_if) for line, row in rows], WhatIf, problems)
    for line, row in rows:
        if row.form == "step" and row.what_if in cases and (what := cases[row.what_if].one_sided):
            text = f"the case '{row.what_if}' has {what}, which the form 'step' would mirror; set form to stride"
            problems.add(f"{PREDICTIONS}, line {line}", text)
        if row.preset == "running" and row.what_if in cases and "speed" in cases[row.what_if].free:
            problems.add(f"{PREDICTIONS}, line {line}", f"case '{row.what_if}': {FREE_SPEED_OF_A_RUN}; give the speed")
    weights = _named_files(root, home, "weights", [(line, row.weights) for line, row in rows], StoredWeights, problems)
    comparisons = _comparisons(root, list(trials.values()), problems)
    problems.raise_if_any()
    return Study(root, home, configuration, subjects, trials, predictions, comparisons, skipped, cases, weights)


def _named_files(
    root: Path, home: Path, folder: str, named: Iterable[tuple[int, str | None]], model: type[M], problems: Problems
) -> dict[str, M]:
    """Contents, by name, of the YAML files in a folder of config that predictions name, given with their lines."""
    found: dict[str, M] = {}
    for line, name in named:
        if not name or name in found:
            continue
        path = shared_file(root, home, f"{folder}/{name}.yaml")
        if not path.is_file():
            known = {path.stem for base in (root, home) for path in files_in(base / f"config/{folder}", "*.yaml")}
            where = f"{PREDICTIONS}, line {line}"
            problems.add(where, f"no file config/{folder}/{name}.yaml; {nearest(name, known)}")
        elif (content := read_yaml(path, f"config/{folder}/{name}.yaml", model, problems)) is not None:
            found[name] = content
    return found


def _comparisons(root: Path, trials: list[Trial], problems: Problems) -> tuple[Comparison, ...]:
    """The rows of comparisons.tsv, or the default comparisons of a study without that table."""
    if not (root / COMPARISONS).exists():
        return tuple(usual(trials))
    rows = read_table(root / COMPARISONS, COMPARISONS, Comparison, problems)
    _check_unique([(line, (row.subject,), row.comparison) for line, row in rows], COMPARISONS, "comparison", problems)
    return tuple(completed(row, trials, partial(problems.add, f"{COMPARISONS}, line {line}")) for line, row in rows)


def _check_unique(names: Iterable[tuple[int, Hashable, str]], shown: str, column: str, problems: Problems) -> None:
    """Record names that are repeated within their owner, or that differ only in case (the same file on some systems).

    They are given as line, owner within which the name must be unique, and name.
    """
    seen: dict[Hashable, tuple[int, str]] = {}
    for line, owner, name in names:
        other = seen.setdefault((owner, name.lower()), (line, name))
        if other[0] != line:
            alike = (
                "" if other[1] == name else f" as '{other[1]}'; upper and lower case must not be the only difference"
            )
            within = f" for {'/'.join(owner)}" if isinstance(owner, tuple) and owner and owner[1:] != ("1",) else ""
            problems.add(f"{shown}, line {line}", f"{column} '{name}' is already in line {other[0]}{within}{alike}")


def _check_sessions(rows: Rows, problems: Problems) -> None:
    """Record sessions of a subject that differ only in case, and sessions with several dates."""
    spelt: dict[tuple[str, str], str] = {}
    dates: dict[SessionKey, Any] = {}
    for line, trial in rows:
        where = f"{TRIALS}, line {line}"
        other = spelt.setdefault((trial.subject, trial.session.lower()), trial.session)
        if other != trial.session:
            text = f"session '{trial.session}' of subject '{trial.subject}' differs from '{other}' only in case"
            problems.add(where, f"{text}; use one spelling")
        day = trial.date and dates.setdefault(trial.session_key, trial.date)
        if day != trial.date:
            problems.add(where, f"session {trial.session_key} already has the date {day}, not {trial.date}")


def _check_static(trial: Trial, session: list[Trial], where: str, problems: Problems) -> None:
    own = [static.trial for static in statics(session)]
    if trial.kind == "static":
        if trial.static:
            problems.add(where, f"'{trial.trial}' is itself a static trial; leave 'static' blank")
    elif trial.static is None:
        fitting = [static.trial for static in fitting_statics(trial, session)]
        if len(fitting) > 1:
            whose = f"session {trial.session_key}" + (f", {trial.condition}," if trial.condition else "")
            choice = f"choose one of {', '.join(fitting)} in 'static', or the walk itself"
            problems.add(where, f"{whose} has {len(fitting)} static trials for this walk; {choice}")
    elif trial.static not in [other.trial for other in session]:
        text = f"no trial '{trial.static}' in session {trial.session_key}; {nearest(trial.static, own)}"
        problems.add(where, text)
    elif trial.static not in (*own, trial.trial):  # a walk that names itself calibrates itself
        problems.add(where, f"'{trial.static}' is not a static trial; {nearest(trial.static, own)}")


def _in_its_session(row: Prediction, trials: dict[TrialKey, Trial], where: str, problems: Problems) -> Prediction:
    """The row with subject and session of the measured walk that it names, or otherwise the subject's only session."""
    if row.trial is None:
        sessions = list(dict.fromkeys(key.session for key in trials if key.subject == row.subject))
        if row.session is None and len(sessions) > 1:
            problems.add(where, f"subject '{row.subject}' has sessions {', '.join(sessions)}; choose one in 'session'")
        elif row.session and sessions and row.session not in sessions:
            problems.add(where, f"no session '{row.session}' of '{row.subject}'; {nearest(row.session, sessions)}")
        return row.model_copy(update={"session": row.session or next(iter(sessions), "1")})
    named = [trial for trial in trials.values() if trial.trial == row.trial]
    walks = [trial for trial in named if trial.kind == "walk"]
    fitting = [trial for trial in walks if row.subject in ("", trial.subject) and row.session in (None, trial.session)]
    if not walks:
        what = "is not a walk" if named else "is not a trial"
        known = {key.trial for key, trial in trials.items() if trial.kind == "walk"}
        problems.add(where, f"'{row.trial}' {what} of {TRIALS}; {nearest(row.trial, known)}")
    elif not fitting:
        text = f"'{row.trial}' is a walk of subject '{walks[0].subject}', session '{walks[0].session}'"
        problems.add(where, f"{text}, not of '{row.subject or walks[0].subject}', session '{row.session or '1'}'")
    elif len(fitting) > 1:
        places = ", ".join(str(trial.session_key) for trial in fitting)
        problems.add(where, f"{places} each have a walk '{row.trial}'; choose one in 'subject' and 'session'")
    if not fitting:
        return row
    return row.model_copy(update={"subject": fitting[0].subject, "session": fitting[0].session})


def _of_every_walk(
    listed: dict[TrialKey, Prediction], trials: dict[TrialKey, Trial], problems: Problems
) -> Iterator[Prediction]:
    """Predictions of the walks that no listed prediction names."""
    named = {TrialKey(*key[:2], row.trial) for key, row in listed.items() if row.trial}
    taken = {(*key[:2], key.trial.lower()) for key in listed}
    for key, trial in trials.items():
        if trial.kind != "walk" or key in named:
            continue
        if (*key[:2], key.trial.lower()) in taken:
            where = f"{CONFIG}, in prediction"
            text = f"walk '{key.trial}' would be predicted under its own name, which is already used in {PREDICTIONS}"
            problems.add(where, text)
            continue
        yield Prediction(prediction=key.trial, subject=key.subject, session=key.session, trial=key.trial)


def _check_prediction(
    prediction: Prediction,
    subjects: dict[str, Subject],
    sessions: dict[SessionKey, list[Trial]],
    where: str,
    problems: Problems,
) -> None:
    subject = subjects.get(prediction.subject)
    if not prediction.subject:  # the measured walk that it names does not exist
        return
    if subject is None:
        problems.add(where, f"no subject '{prediction.subject}' in {SUBJECTS}; {nearest(prediction.subject, subjects)}")
        return
    lacking = [name for name in ("mass_kg", "height_m") if getattr(subject, name) is None]
    session = sessions.get(SessionKey(*prediction.key[:2]), [])
    if lacking and not prediction.trial and not statics(session):
        problems.add(
            where,
            f"subject '{subject.subject}' has no {' and no '.join(lacking)} in {SUBJECTS}, nor a static trial to "
            "take it from",
        )
    if subject.sex is None:
        problems.add(where, f"subject '{subject.subject}' has no sex in {SUBJECTS}; the skeleton's tables require it")


def _check_marker_set(root: Path, home: Path, name: str, where: str, problems: Problems) -> None:
    if not shared_file(root, home, f"marker_sets/{name}.yaml").is_file():
        known = {path.stem for base in (root, home) for path in files_in(base / "config/marker_sets", "*.yaml")}
        problems.add(where, f"no marker set '{name}'; {nearest(name, known)}")


def _check_norm(root: Path, home: Path, name: str | None, problems: Problems) -> None:
    if name and name != AUTO and not shared_file(root, home, f"norms/{name}.json").is_file():
        known = {path.stem for base in (root, home) for path in files_in(base / "config/norms", "*.json")}
        problems.add(f"{CONFIG}, in comparison", f"no norm '{name}'; {nearest(name, known)}")


def _check_parameter_norm(root: Path, report: ReportSettings, problems: Problems) -> None:
    name = report.parameter_norm
    if name is None:
        return
    path = root / f"config/norms/{name}.csv"
    if not path.is_file():
        known = {path.stem for path in files_in(root / "config/norms", "*.csv")}
        problems.add(f"{CONFIG}, in report", f"no table '{name}.csv' in config/norms; {nearest(name, known)}")
        return
    try:
        read_parameter_norm(path, report.parameter_task, None)
    except ConfigError as error:
        problems.add(f"{CONFIG}, in report", str(error))
