"""Make a norm from a study's own walks, with a description of its sample."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pipeline.analysis.norm_fit import as_text, fit_norm
from pipeline.analysis.own_norm import MIN_SUBJECTS, HealthyWalk, norm_rows
from pipeline.cli.paths import new_file
from pipeline.config import HOME, RESULTS, Study, Trial, load_study
from pipeline.counts import counted
from pipeline.results import read_stage
from pipeline.results.study_exports.walks import why_left_out
from pipeline.trial import GaitSummary
from pipeline.whole_files import write_text


def make_norm(folder: Path, name: str, condition: str | None = None) -> Iterator[str]:
    """Write config/norms/NAME.json from the healthy subjects of a study that was run, and yield lines on its sample.

    Subjects with a diagnosis, walks that failed, were refused or not fully checked, and walks of unknown speed are left
    out and listed, and so are curves that too few subjects have. All conditions are taken unless one is given.

    Raises:
        ConfigError: the study's configuration has a mistake, the name is not a valid file name, or the norm exists.
        SignalError: there are too few subjects.
    """
    study = load_study(folder, HOME)
    path = new_file(folder / "config/norms", name, ".json")
    used: list[tuple[Trial, GaitSummary]] = []
    for trial in study.walks:
        reason = why_not(study, trial, condition)
        if reason:
            yield f"left out: {trial.key}: {reason}"
        else:
            used.append((trial, read_stage(trial.file_of("summary", study.root / RESULTS), GaitSummary)))
    percent = used[0][1].percent if used else np.zeros(0)
    walks = [_walk(trial, summary) for trial, summary in used]
    rows, speeds = norm_rows(walks, percent)
    curves = dict.fromkeys(name for walk in walks for name in walk.curves)
    if few := [name for name in curves if name not in {row[0] for row in rows}]:
        yield f"left out: curves known for fewer than {MIN_SUBJECTS} subjects at some speed: {', '.join(few)}"
    header = {
        "name": name,
        "source": f"walks of this laboratory: {study.configuration.study.title}",
        "sample": sample_of(study, [trial for trial, _ in used]),
        "free": sorted(speeds.values())[len(speeds) // 2],
        "speeds": speeds,
    }
    ages = ages_of(study, [trial for trial, _ in used])
    write_text(path, as_text(fit_norm(rows, {**header, "ages": ages} if ages else header)))
    yield f"{path}: {header['sample']}; {len({row[0] for row in rows})} curves"
    shown = ", ".join(f"{speed:.2f}" for speed in sorted(speeds.values()))
    yield f"at {len(speeds)} speeds over sqrt(g L): {shown}"
    yield f"To compare with it, set in config.yaml: comparison: {{norm: {name}}}"


def why_not(study: Study, trial: Trial, condition: str | None) -> str:
    """Why a walk is left out of the norm; empty if it is not."""
    if condition is not None and (trial.condition or "") != condition:
        return f"condition {trial.condition or 'blank'}"
    if study.subjects[trial.subject].diagnosis:
        return f"diagnosis: {study.subjects[trial.subject].diagnosis}"
    results = study.root / RESULTS
    if reason := why_left_out(results.joinpath(*trial.session_key), trial.trial):
        return reason
    if not math.isfinite(read_stage(trial.file_of("summary", results), GaitSummary).speed):
        return "its dimensionless speed is not known"
    return ""


def sample_of(study: Study, trials: list[Trial]) -> str:
    """The sample in words: number of subjects by sex, their ages, and number of walks."""
    subjects = list(dict.fromkeys(trial.subject for trial in trials))
    words = {"f": "female", "m": "male", None: "of unknown sex"}
    sexes = Counter(words[study.subjects[name].sex] for name in subjects)
    ages = ages_of(study, trials)
    aged = f"{ages[0]:g} to {ages[1] - 1:g} years" if ages else "ages not known"
    return (
        f"{counted(len(subjects), 'subject')} ({', '.join(f'{n} {sex}' for sex, n in sexes.items())}; {aged}), "
        f"{counted(len(trials), 'walk')}"
    )


def ages_of(study: Study, trials: list[Trial]) -> tuple[float, float] | None:
    """Range of ages in whole years, upper end exclusive; None if an age is not known."""
    ages = [study.age_at(trial.session_key) for trial in trials]
    known = [age for age in ages if age is not None]
    return (math.floor(min(known)), math.floor(max(known)) + 1) if known and len(known) == len(ages) else None


def _walk(trial: Trial, summary: GaitSummary) -> HealthyWalk:
    """Curves as the mean of both sides, or of the one side that has them."""
    curves = {}
    for name in summary.norm_mean:
        sides = [own[name] for own in summary.mean.values() if np.isfinite(own[name]).all()]
        if sides:
            curves[name] = np.mean(sides, axis=0)
    return HealthyWalk(trial.subject, summary.speed, curves)
