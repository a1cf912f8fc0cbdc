"""Description in words of the content of a C3D file, as the reader finds it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pipeline.anatomy import TODO, load_marker_set, recognised
from pipeline.cli.draft import guess_kind
from pipeline.cli.marker_sets import describe_match
from pipeline.cli.ready import ready_study
from pipeline.config import Study
from pipeline.conventions import Y
from pipeline.errors import ConfigError
from pipeline.trial import RawTrial


def study_lines(folder: Path) -> Iterator[str]:
    """What a study has, and what keeps it from being complete.

    Raises:
        ConfigError: all that is wrong in its files, or labels of a marker set that are still to be named.
    """
    study = ready_study(folder)
    check_named(study)
    statics = len(study.trials) - len(study.walks)
    counts = {"subject": len(study.subjects), "session": len(study.sessions)}
    counts |= {"walk": len(study.walks), "static trial": statics}
    yield ", ".join(f"{count} {what}{'s' * (count != 1)}" for what, count in counts.items())
    for key in study.skipped:
        yield f"skipped, as its kind is blank in trials.tsv: {key}"
    for key, trial in study.trials.items():
        if not study.file_of(trial).is_file():
            yield f"missing file of {key}: {trial.file}"
    for name, subject in study.subjects.items():
        if subject.sex is None:
            yield f"sex of {name} is blank: the mean of both sexes' inertia is used, and no walk can be predicted"
    yield f"ready: gait run {folder}"


def check_named(study: Study) -> None:
    """Raise ConfigError if a drafted marker set that is used lacks labels: a run would leave out what needs them."""
    for path in sorted({study.marker_set_of(trial) for trial in study.trials.values()}):
        unnamed = sorted(label for label in load_marker_set(path).all_labels if TODO in label)
        if unnamed:
            raise ConfigError(
                f"has labels that are still to be named: {', '.join(unnamed)}",
                where=f"marker set {path.name}",
                remedy="Put the labels of your markers there; what needs those that you have not is left out of a run",
            )


def describe(trial: RawTrial) -> str:
    """What a recording holds, as lines of text."""
    return "\n".join(_lines(trial))


def _lines(trial: RawTrial) -> Iterator[str]:
    frames = len(trial.time)
    yield f"{trial.file_name}: {frames} frames at {trial.rate:g} Hz from frame {trial.first_frame}"
    missing = np.isnan(trial.markers_G).any(axis=2).mean(axis=0) if frames else np.zeros(len(trial.marker_names))
    yield f"{len(trial.marker_names)} markers: {', '.join(trial.marker_names)}"
    gaps = [f"{name} {share:.0%}" for name, share in zip(trial.marker_names, missing, strict=True) if share > 0]
    if gaps:
        yield f"missing: {', '.join(gaps)}"
    kind, why = guess_kind(trial)
    yield f"taken as a {kind} trial, as {why}" if kind == "static" else f"taken as a walk, as {why}"
    yield from describe_match(recognised(trial, walking=kind == "walk"))
    if trial.model_outputs:
        yield f"{len(trial.model_outputs)} model outputs, not used as markers: {', '.join(trial.model_outputs)}"
    yield f"{len(trial.analog_names)} analog channels" + (f" at {trial.analog_rate:g} Hz" if trial.analog_rate else "")
    for plate in trial.plates:
        vertical = plate.wrench.force_G[:, Y]
        peak = f"{np.nanmax(vertical):.0f} N" if np.isfinite(vertical).any() else "missing"
        what = f"plate {plate.number}: type {plate.type}" if plate.type else f"ground reaction {plate.number}: no plate"
        yield f"{what}, maximum vertical force {peak}"
    for event in trial.events:
        yield f"{event.time:.3f} s: {event.side} {event.kind}, from {event.source}"
    if trial.parameters:
        yield "subject: " + ", ".join(f"{name} {value:g}" for name, value in trial.parameters.items())
    for note in trial.notes:
        yield f"{note.kind}: {note.subject}: {note.text}"
