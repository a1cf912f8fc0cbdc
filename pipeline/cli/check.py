"""What a study lacks before it is run, and what the reader finds in a recording, in words."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr
from pathlib import Path
from shlex import quote

import numpy as np
from rich.progress import Progress

from pipeline.anatomy import TODO, load_marker_set, recognised
from pipeline.cli.checklist import WITHOUT_SEX
from pipeline.cli.draft import copy_remarks, guess_kind
from pipeline.cli.marker_sets import describe_match
from pipeline.cli.ready import ready_study
from pipeline.cli.status import Status
from pipeline.cli.terminal import console, say
from pipeline.config import SessionKey, Study, TrialKey
from pipeline.conventions import Y
from pipeline.counts import counted
from pipeline.errors import ConfigError
from pipeline.results import Failure
from pipeline.trial import RawTrial
from pipeline.workflow.outcomes import failures, reason_alone


def check_study(folder: Path, *, recordings: bool = True) -> Status:
    """Print what a study has, and what keeps it from being complete.

    With its recordings, all are read to find the trials that would fail (`pipeline.workflow.outcomes`).

    Raises:
        ConfigError: everything that is wrong in its files, or marker labels that are still to be named.
        OSError, MemoryError: the machine failed.
    """
    study = ready_study(folder)
    check_named(study)
    for line in _counted(study):
        say(line)
    if not recordings:
        say("tables and marker sets are valid; no recordings were read")
        return Status.COMPLETE
    for walk, remark in copy_remarks({str(w.key): (study.file_of(w), w.part) for w in study.walks}).items():
        say(f"{walk}: {remark}")
    found = {key: (_outcome(failure), failure) for key, failure in _failing(study).items()}
    walks, trials = f"of {len(study.walks)} walks", f"of {len(study.trials)} trials"
    told = {
        "legs only": f"{walks} will have all results except those on the whole skeleton:",
        "refused": f"{walks} will be refused, because their results are not plausible:",
        "failed": f"{trials} will fail; the others can be run (gait run {quote(str(folder))}):",
        "defective": f"{trials} will be incomplete because of a defect of the program; please report it. Results that "
        "do not depend on it will be computed:",
    }
    for outcome, words in told.items():
        own = {key: failure for key, (its_outcome, failure) in found.items() if its_outcome == outcome}
        if own:
            say(f"{len(own)} {words}")
            for line in _by_reason(own):
                say(line)
    if any(outcome != "legs only" for outcome, _ in found.values()):
        return Status.INCOMPLETE
    say(f"ready: gait run {quote(str(folder))}")
    return Status.COMPLETE


def _counted(study: Study) -> Iterator[str]:
    statics = len(study.trials) - len(study.walks)
    counts = {"subject": len(study.subjects), "session": len(study.sessions)}
    counts |= {"walk": len(study.walks), "static trial": statics}
    yield ", ".join(counted(count, what) for what, count in counts.items())
    for key in study.skipped:
        yield f"skipped, because its kind is blank in trials.tsv: {key}"
    blank = [name for name, subject in study.subjects.items() if subject.sex is None]
    if blank:
        names = ", ".join(blank)
        yield f"sex of {names} is blank: {WITHOUT_SEX}, and no walk can be predicted"


def _failing(study: Study) -> dict[TrialKey, Failure]:
    """Trials that would fail, with progress on a terminal."""
    own = console(stderr=True)
    shown = Progress(*Progress.get_default_columns(), console=own, transient=True, disable=not own.is_terminal)
    with shown, redirect_stderr(io.StringIO()):  # stages print there what becomes the reason
        task = shown.add_task("reading the recordings", total=len(study.trials))
        return dict(failures(study, lambda key: shown.advance(task)))


def _outcome(failure: Failure) -> str:
    """What a failure leaves of its trial."""
    if failure.defect:
        return "defective"
    return {"whole_body": "legs only", "plausibility": "refused"}.get(failure.step, "failed")


def _by_reason(failing: Mapping[TrialKey, Failure]) -> Iterator[str]:
    """One line for all trials of a session that fail for the same reason."""
    trials: dict[tuple[SessionKey, str, str], list[str]] = {}
    for key, failure in failing.items():
        cause = SessionKey(*key[:2]), failure.step, reason_alone(failure.reason, failure.trial)
        trials.setdefault(cause, []).append(key.trial)
    for (session, step, reason), names in trials.items():
        yield f"  {session}: {', '.join(names)} at {step.replace('_', ' ')}: {reason}"


def check_named(study: Study) -> None:
    """Raise ConfigError if a drafted marker set in use lacks labels: a run would leave out what needs them."""
    for path in sorted({study.marker_set_of(trial) for trial in study.trials.values()}):
        unnamed = sorted(label for label in load_marker_set(path).all_labels if TODO in label)
        if unnamed:
            raise ConfigError(
                f"has labels that are still to be named: {', '.join(unnamed)}",
                where=f"marker set {path.name}",
                remedy="Enter the labels of your markers there; what needs markers that you do not have is left out",
            )


def describe(trial: RawTrial) -> Iterator[str]:
    """Lines on what a recording holds."""
    frames = len(trial.time)
    yield f"{trial.file_name}: {frames} frames at {trial.rate:g} Hz from frame {trial.first_frame}"
    missing = np.isnan(trial.markers_G).any(axis=2).mean(axis=0) if frames else np.zeros(len(trial.marker_names))
    yield f"{len(trial.marker_names)} markers: {', '.join(trial.marker_names)}"
    gaps = [f"{name} {share:.0%}" for name, share in zip(trial.marker_names, missing, strict=True) if share > 0]
    if gaps:
        yield f"missing: {', '.join(gaps)}"
    kind, why = guess_kind(trial)
    yield f"taken as a {'static trial' if kind == 'static' else 'walk'}: {why}"
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
