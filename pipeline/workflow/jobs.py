"""The stages that each rule of the workflow runs on a session, with their trials, files and settings, from the study.

Paths are relative to the study's folder, which is the current one. The rules know a job by its digest, so it is run
again when anything in it changes.
"""

from __future__ import annotations

import datetime
import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.config import (
    AnatomySettings,
    Comparison,
    GroupKey,
    MuscleSettings,
    Prediction,
    SessionKey,
    StoredWeights,
    Study,
    Subject,
    Trial,
    WhatIf,
    as_json,
    average_name,
)
from pipeline.config.study import grouped
from pipeline.counts import counted
from pipeline.errors import some_of

COMPARED = ("cycles", "plausibility", "inverse_dynamics")
"""Stages of each walk that a comparison of groups reads."""

MUSCLE_MODEL, STRIDE_SPREAD = Path("config/muscles/gait2392.json"), Path("config/stride_spread.json")
STORED_WALKS = Path("config/predicted_walks.npz")
"""Data that ship and that no study replaces, relative to the folder of the Snakefile."""

PLACEHOLDER = "{trial}"
"""Stands for the trial's name in the paths common to all trials."""


@dataclass(frozen=True)
class TrialInputs:
    """Inputs and settings of one trial in addition to those of all trials."""

    inputs: Mapping[str, Path] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SessionStage:
    """A stage of a session.

    Attributes:
        stage: name of a module in `pipeline.stages`.
        session: subject and session, for messages and the run log.
        output: file to write for a trial.
        trials: by name, in the order of computation. A trial's settings include its name as ``trial``.
        also, inputs, settings: as in `Request`, for all trials.
    """

    stage: str
    session: str
    output: Path
    trials: Mapping[str, TrialInputs]
    also: Mapping[str, Path] = field(default_factory=dict)
    inputs: Mapping[str, Path] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sweep:
    """Predictions of a session that are solved together.

    Attributes:
        subject, anatomy, predictions: the data on which they depend, and their rows.
        muscles: how their moments are distributed to muscles.
        inputs: files ``skeleton``, ``stored_walks``, ``muscle_model`` and, if the subject has a static trial,
            ``static`` and ``marker_set``; for each measured walk named by a row, ``cycles/WALK`` and
            ``whole_body/WALK``.
        cases, weights: those named by rows, by their names.
    """

    subject: Subject
    anatomy: AnatomySettings
    predictions: tuple[Prediction, ...]
    inputs: dict[str, Path]
    cases: Mapping[str, WhatIf] = field(default_factory=dict)
    weights: Mapping[str, StoredWeights] = field(default_factory=dict)
    muscles: MuscleSettings = field(default_factory=MuscleSettings)


def job_digest(job: object) -> str:
    """Digest of the stages or sweeps of a job with all their arguments, 16 hexadecimal digits."""
    return hashlib.sha256(as_json(job).encode()).hexdigest()[:16]


def path_of(path: Path, trial: str) -> Path:
    """A path common to all trials, for one of them."""
    return Path(str(path).replace(PLACEHOLDER, trial))


def paths_in(value: Any) -> Iterator[Path]:
    """Paths in nested mappings and sequences."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from paths_in(item)


def file_in(session: SessionKey, stage: str, trial: str = PLACEHOLDER) -> Path:
    """A trial's file of a stage; without a name, for all trials of the session."""
    return session.folder() / stage / f"{trial}.h5"


def page_in(session: SessionKey, kind: str, name: str = PLACEHOLDER) -> Path:
    """A page of a session: of a walk, or of a prediction."""
    return Path("reports", *session, kind, f"{name}.html")


def ingest(study: Study, session: SessionKey) -> list[SessionStage]:
    """All recordings of the session, including static trials; without a file if there is none."""
    trials = {}
    for trial in study.sessions[session]:
        settings = {"file": trial.file, "axes": study.axes_of(trial), "part": trial.part}
        trials[trial.trial] = TrialInputs(study.marker_set_files(trial) | study.files_of(trial), settings)
    return [_stage("ingest", session, trials, output=file_in(session, "raw"))]


def kinematics(study: Study, session: SessionKey) -> list[SessionStage]:
    """Kinematics of each walk, calibrated by its static trial."""
    trials = {
        walk.trial: TrialInputs(_calibrating(study, session, walk), {"steps": walk.steps})
        for walk in study.walks_of(session)
    }
    settings = _settings(study, session, "anatomy", "filter", "events")
    return [_stage("kinematics", session, trials, {"walk": file_in(session, "raw")}, settings)]


def inverse_dynamics(study: Study, session: SessionKey) -> list[SessionStage]:
    """Joint loads of each walk."""
    trials = {walk.trial: TrialInputs() for walk in study.walks_of(session)}
    return [_stage("inverse_dynamics", session, trials, _files(session, "kinematics"))]


def cycles(study: Study, session: SessionKey) -> list[SessionStage]:
    """Each walk's cycles, peaks at other cut-offs, averages, EMG and plausibility; averages of conditions."""
    walks = study.walks_of(session)
    both, norm = _files(session, "kinematics", "inverse_dynamics"), _given(norm=study.norm_of(session))
    age = {"age": study.age_at(session)}
    averaged = ("cycles", "summary", "plausibility", "inverse_dynamics")
    conditions = {
        average_name(condition): TrialInputs(settings=_files_of(session, own, *averaged))
        for condition, own in study.conditions_of(session).items()
    }
    trials = {walk.trial: TrialInputs() for walk in walks}
    decided = {walk.trial: TrialInputs(study.marker_set_files(walk), {"steps": walk.steps}) for walk in walks}
    judged = both | {"walk": file_in(session, "raw"), "limits": study.file("residuals.json")}
    estimated = _files(session, "ground_from_motion") if study.configuration.loads.estimated_steps else {}
    marker_sets = {walk.trial: TrialInputs(study.marker_set_files(walk)) for walk in walks}
    unfiltered = _files(session, "kinematics") | {"walk": file_in(session, "raw")}
    filtering = {name: getattr(study.configuration, name) for name in ("filter", "events")}
    return [
        _stage("cycles", session, decided, judged | estimated, {"loads": study.configuration.loads}),
        _stage("cutoff_peaks", session, marker_sets, unfiltered, filtering),
        _stage("summary", session, trials, both | _files(session, "cycles") | norm, age),
        _stage("emg", session, trials, unfiltered, {"emg": study.configuration.emg}),
        _stage("plausibility", session, _calibrated(study, session), judged | _files(session, "summary")),
        _stage("average", session, conditions, norm, age | {"subject": session.subject}),
    ]


def whole_body(study: Study, session: SessionKey) -> list[SessionStage]:
    """Each walk on the skeleton, its loads estimated from motion, and its muscle forces."""
    inputs = {"walk": file_in(session, "raw"), "skeleton": study.skeleton}
    inputs |= _files(session, "kinematics", "inverse_dynamics")
    settings = _settings(study, session, "filter", "whole_body")
    walks = study.walks_of(session)
    decided = {walk.trial: TrialInputs(study.marker_set_files(walk), {"steps": walk.steps}) for walk in walks}
    judged = _files(session, "whole_body", "kinematics", "inverse_dynamics") | {"walk": file_in(session, "raw")}
    judged |= {"limits": study.file("residuals.json"), "learned": study.file("ground_from_motion.json")}
    stages = [
        _stage("whole_body", session, _calibrated(study, session), inputs, settings),
        _stage("ground_from_motion", session, decided, judged),
    ]
    if study.configuration.muscle_forces:
        chosen: dict[str, Any] = {"muscles": study.configuration.muscles}
        used = ["ground_from_motion"] if study.configuration.loads.estimated_steps else []
        given = _files(session, "whole_body", "kinematics", *used)
        if study.configuration.muscles.emg_weight:
            given |= {"walk": file_in(session, "raw")}
            chosen |= {"emg": study.configuration.emg}
        given |= {"muscle_model": study.home / MUSCLE_MODEL}
        stages.append(_stage("muscles", session, dict.fromkeys(decided, TrialInputs()), given, chosen))
    return stages


def uncertainty(study: Study, session: SessionKey) -> list[SessionStage]:
    """Uncertainty of each walk's curves."""
    inputs = {"walk": file_in(session, "raw")} | _files(session, "kinematics", "inverse_dynamics", "cycles")
    inputs |= {"stride_spread": study.home / STRIDE_SPREAD}
    settings = _settings(study, session, "anatomy", "filter", "events", "loads", "uncertainty")
    return [_stage("uncertainty", session, _calibrated(study, session), inputs, settings)]


def compare(study: Study, session: SessionKey) -> list[SessionStage]:
    """The comparison of each prediction with a measured walk, and its page."""
    compared, shown = {}, {}
    for row in study.predicted_sessions[session]:
        walk = study.walk_of(row)
        stages = {"motions": "kinematics", "cycles": "cycles", "bodies": "whole_body", "muscles": "muscles"}
        files = _files_of(session, [walk] if walk else study.walks_of(session), *stages.values())
        measured = {name: files[stage] if study.configuration.asks_for(stage) else [] for name, stage in stages.items()}
        compared[row.prediction] = TrialInputs(settings={"walks": measured["cycles"], "bodies": measured["bodies"]})
        shown[row.prediction] = TrialInputs(settings={"requested": row} | measured)
    inputs, comparison = {"prediction": file_in(session, "predictions")}, file_in(session, "comparisons")
    norm, page = _given(norm=study.norm_of(session)), page_in(session, "predictions")
    names = _of_pages(study, session)
    return [
        _stage("prediction_comparison", session, compared, inputs | norm, output=comparison),
        _stage("prediction_report", session, shown, inputs | {"comparison": comparison}, names, output=page),
    ]


def compare_walks(study: Study, session: SessionKey) -> list[SessionStage]:
    """The comparisons with their second group of walks in this session."""
    compared = {}
    for row in study.compared_sessions.get(session, ()):
        groups = {
            "first": _group(study, row.subject, row.first, row.first_side),
            "second": _group(study, row.subject, row.second, row.second_side),
        }
        compared[row.comparison] = TrialInputs(_averages(row), groups)
    return [_stage("walks_comparison", session, compared, output=file_in(session, "walks_compared"))]


def comparison_pages(study: Study, session: SessionKey) -> list[SessionStage]:
    """The pages and reports of these comparisons, and those of four groups: two visits in two conditions each."""
    pairs = {}
    for row in study.compared_sessions.get(session, ()):
        groups = [row.first] if row.first == row.second else [row.first, row.second]
        shown = _of_groups(study, row.subject, groups)
        pairs[row.comparison] = TrialInputs(_averages(row), shown)
    fours = {
        four.name: TrialInputs(settings=_of_groups(study, four.subject, four.groups))
        for four in study.crossed_comparisons.get(session, ())
    }
    names = _of_pages(study, session)
    names |= {"person": described_person(study.subjects[session.subject]), "age": study.age_at(session)}
    page = page_in(session, "comparisons")
    also = {"pdf": page.with_suffix(".pdf"), "docx": page.with_suffix(".docx")}
    compared = {"comparison": file_in(session, "walks_compared")}
    written = _given(interpretation=study.interpretation_of(session), parameter_norm=study.parameter_norm)
    return [
        _stage("walks_comparison_report", session, pairs, compared | written, names, output=page, also=also),
        _stage("crossed_report", session, fours, written, names, output=page, also=also),
    ]


def _of_pages(study: Study, session: SessionKey) -> dict[str, Any]:
    """Data on the session and the study for every page of the session."""
    names = {"subject": session.subject, "session": session.session}
    return names | {"configuration": study.configuration, "unconfirmed": study.unconfirmed.get(session, ())}


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


def _averages(row: Comparison) -> dict[str, Path]:
    """Files of the averages of both groups of a comparison."""
    return {
        f"{which}_average": file_in(SessionKey(row.subject, group.session), "average", average_name(group.condition))
        for which, group in (("first", row.first), ("second", row.second))
    }


def _of_groups(study: Study, subject: str, groups: Sequence[GroupKey]) -> dict[str, Any]:
    """Groups of walks as shown in reports, with the unchecked marker sets of all their sessions."""
    sessions = {SessionKey(subject, group.session) for group in groups}
    names = {name for session in sessions for name in study.unconfirmed.get(session, ())}
    return {"groups": [_reported(study, subject, group) for group in groups], "unconfirmed": sorted(names)}


def _reported(study: Study, subject: str, group: GroupKey) -> dict[str, Any]:
    """Files and description of a group of walks, as in `pipeline.reporting.GroupSource`."""
    session = SessionKey(subject, group.session)
    walks = study.conditions_of(session).get(group.condition, [])
    facts = dict(described(study.subjects[subject], study.date_of(session)))
    skeleton = ["whole_body"] if study.configuration.whole_body.enabled else []
    return {
        "session": group.session,
        "condition": group.condition or "",
        "facts": [(label, facts[label]) for label in ("Date", "Age") if label in facts],
        "comments": _comments(walks),
        "average": file_in(session, "average", average_name(group.condition)),
        **_files_of(session, walks, *COMPARED, "emg", *skeleton),
    }


def _comments(walks: Sequence[Trial]) -> list[str]:
    """The comments of walks; one that several walks have is given once."""
    by_text = grouped(walks, lambda walk: walk.notes)
    return [f"{some_of([walk.trial for walk in own])}: {text}" for text, own in by_text.items() if text]


def _group(study: Study, subject: str, group: GroupKey, side: str | None) -> dict[str, Any]:
    """Files of a group of walks and the compared side, as in `pipeline.stages.walks_comparison.GroupFiles`."""
    session = SessionKey(subject, group.session)
    walks = study.conditions_of(session).get(group.condition, [])
    names = {"session": group.session, "condition": group.condition or "", "side": side or ""}
    return names | _files_of(session, walks, *COMPARED) | {"norm": study.norm_of(session)}


def _files_of(session: SessionKey, walks: Sequence[Trial], *stages: str) -> dict[str, list[Path]]:
    """Files of walks by their stage."""
    return {stage: [file_in(session, stage, walk.trial) for walk in walks] for stage in stages}


def report(study: Study, session: SessionKey) -> list[SessionStage]:
    """A page for each walk, one for each walk on the skeleton, and one for the averages of each condition."""
    names, norm = _of_pages(study, session), _given(norm=study.emg_norm_of(session))
    names["person"] = described(study.subjects[session.subject], study.date_of(session))
    computed = _files(session, "kinematics", "inverse_dynamics", "cycles")
    skeleton = _files(session, "whole_body") if study.configuration.whole_body.enabled else {}
    added = _files(session, "uncertainty") if study.configuration.uncertainty.enabled else {}
    added |= _files(session, "ground_from_motion") if skeleton else {}
    added |= _files(session, "muscles") if study.configuration.muscle_forces else {}
    findings = {"findings": file_in(session, "plausibility")}
    predictions = study.predicted_sessions.get(session, ())
    walks = {
        walk.trial: TrialInputs(
            settings={
                "condition": walk.condition or "",
                "remarks": walk.notes,
                "averages": average_name(walk.condition),
                "predicted": [row.prediction for row in predictions if row.trial == walk.trial],
            }
        )
        for walk in study.walks_of(session)
    }
    conditions = {
        average_name(condition): TrialInputs(
            settings={
                "condition": condition or "",
                "walks": [walk.trial for walk in own],
                "comments": _comments(own),
            }
        )
        for condition, own in study.conditions_of(session).items()
    }
    page, in_results = page_in(session, "walks"), names | {"results": session.folder()}
    inputs = computed | _files(session, "summary", "cutoff_peaks", "emg") | findings | skeleton | added | norm
    entry = {"entry": session.folder() / "report" / f"{PLACEHOLDER}.json"}
    stages = [_stage("report", session, walks, inputs, names, output=page, also=entry)]
    if skeleton:
        of_skeleton, each = page_in(session, "walks", f"whole_body.{PLACEHOLDER}"), dict.fromkeys(walks, TrialInputs())
        stages.append(_stage("whole_body_report", session, each, computed | skeleton, in_results, output=of_skeleton))
    averages, pdf = _files(session, "average") | norm, {"pdf": page.with_suffix(".pdf")}
    return [*stages, _stage("average_report", session, conditions, averages, in_results, output=page, also=pdf)]


def predict(study: Study, session: SessionKey) -> list[Sweep]:
    """The predictions of a session."""
    return [sweep(study, session, rows) for rows in study.sweeps_of(session).values()]


def sweep(study: Study, session: SessionKey, rows: Sequence[Prediction]) -> Sweep:
    """Predictions of a session that are solved together, with their files."""
    standing = study.standing_of(rows[0])
    inputs = {"skeleton": study.skeleton}
    inputs |= {"stored_walks": study.home / STORED_WALKS, "muscle_model": study.home / MUSCLE_MODEL}
    if standing:
        inputs |= _calibrating(study, session, standing)
    for walk in dict.fromkeys(row.trial for row in rows if row.trial):
        inputs |= {f"{name}/{walk}": file_in(session, name, walk) for name in ("cycles", "whole_body")}
    cases = {row.what_if: study.cases[row.what_if] for row in rows if row.what_if}
    weights = {row.weights: study.weights[row.weights] for row in rows if row.weights}
    body, settings = study.subjects[session.subject].body, study.configuration
    # A prediction has no cases of fatigue besides the walk, so it does not depend on the settings of these.
    muscles = settings.muscles.model_copy(update={"carried": 0.0, "weak": {}, "emg_weight": 0.0})
    return Sweep(body, settings.anatomy, tuple(rows), inputs, cases, weights, muscles)


JOBS: dict[str, Callable[[Study, SessionKey], Any]] = {
    job.__name__: job
    for job in (
        ingest,
        kinematics,
        inverse_dynamics,
        cycles,
        whole_body,
        uncertainty,
        predict,
        compare,
        compare_walks,
        comparison_pages,
        report,
    )
}
"""Functions that give what is run on a session, by the name of the rule that runs it."""

MODULES = {
    "cycles": ("cycles", "cutoff_peaks", "summary", "emg", "plausibility", "average"),
    "whole_body": ("whole_body", "ground_from_motion", "muscles"),
    "compare": ("prediction_comparison", "prediction_report"),
    "compare_walks": ("walks_comparison",),
    "comparison_pages": ("walks_comparison_report", "crossed_report"),
    "report": ("report", "whole_body_report", "average_report", "study_tables"),
}
"""Modules of the stages of a job; other jobs have one stage of their own name."""


def _stage(
    name: str,
    session: SessionKey,
    trials: dict[str, TrialInputs],
    inputs: dict[str, Path] | None = None,
    settings: dict[str, Any] | None = None,
    output: Path | None = None,
    also: dict[str, Path] | None = None,
) -> SessionStage:
    """A stage of a session; its output is a file in the folder of its name if none is given."""
    written = output or file_in(session, name)
    return SessionStage(name, str(session), written, trials, also or {}, inputs or {}, settings or {})


def _settings(study: Study, session: SessionKey, *sections: str) -> dict[str, Any]:
    """The subject's values, and sections of the configuration."""
    body = study.subjects[session.subject].body
    return {"subject": body} | {name: getattr(study.configuration, name) for name in sections}


def _given(**paths: Path | None) -> dict[str, Path]:
    """The files that the study has."""
    return {name: path for name, path in paths.items() if path}


def _files(session: SessionKey, *stages: str) -> dict[str, Path]:
    """Files of stages by their names, for all trials of the session."""
    return {stage: file_in(session, stage) for stage in stages}


def _calibrated(study: Study, session: SessionKey) -> dict[str, TrialInputs]:
    """The walks of a session, each with its static trial and marker set."""
    return {walk.trial: TrialInputs(_calibrating(study, session, walk)) for walk in study.walks_of(session)}


def _calibrating(study: Study, session: SessionKey, trial: Trial) -> dict[str, Path]:
    """The static trial and the marker set of a trial."""
    static = study.static_of(trial)
    return {"static": file_in(session, "raw", static.trial)} | study.marker_set_files(trial)
