"""Whether the files of a study are those that the workflow wrote, of the right trials and from the inputs there are."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline.config import SessionKey, Study
from pipeline.errors import PipelineError
from pipeline.results import SUMS, ChecksumError, read_status, read_sums
from pipeline.stages.damaged import set_aside_path
from pipeline.stages.framework import STAGE_SUFFIX, input_digest
from pipeline.stages.jobs import JOBS, Sweep
from pipeline.stages.known_digests import KnownDigests, combined, contents
from pipeline.stages.session import requests_of
from pipeline.stages.session_folders import RESULTS, all_sessions, folders_by_rule, study_lists

AHEAD = 60.0
"""Seconds by which a recording's time may be ahead of this machine's clock before it is named."""


@dataclass(frozen=True)
class Fault:
    """Results that are not whole.

    Attributes:
        path: the folder or file, from the study's folder, that is to be computed again.
        reason: what is wrong with it.
        session: of which session it is; None of the study's own files.
    """

    path: Path
    reason: str
    session: SessionKey | None = None

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def audit(study: Study) -> list[Fault]:
    """All that is missing, not as it was written, of another trial, or from inputs that are no longer there."""
    return [fault for session in all_sessions(study) for fault in _of_session(study, session)] + list(_of_study(study))


def set_faults_aside(study: Study, faults: Sequence[Fault]) -> list[str]:
    """Move what is not whole out of the workflow's way, so that it is computed again; a sentence for each."""
    told = []
    for path, reason in {fault.path: fault.reason for fault in reversed(faults)}.items():
        whole = study.root / path
        if not whole.exists():
            continue
        if whole.is_dir() and not (whole / SUMS).exists():  # of a job that was killed, or of an earlier version
            shutil.rmtree(whole, ignore_errors=True)
            told.append(f"{path}: {reason}; computed again")
        else:
            aside = set_aside_path(whole)
            told.append(f"{path}: {reason}; set aside as {aside.name} and computed again")
    return told[::-1]


def times_ahead(study: Study) -> list[str]:
    """Recordings whose time is in the future; their contents decide what is computed, not their times."""
    now, found = time.time(), []
    for key, trial in study.trials.items():
        for path in study.files_of(trial).values():
            ahead = path.stat().st_mtime - now
            if ahead > AHEAD:
                found.append(f"{key}: the time of {path.name} is {_duration(ahead)} in the future (a clock is wrong)")
    return found


def recording_digests(study: Study, session: SessionKey, known: KnownDigests | None = None) -> dict[str, str]:
    """Digest of each file of the session's recordings, by its path; one that cannot be read has none."""
    known = known or KnownDigests(study.root, session.folder(RESULTS))
    found = {}
    for trial in study.sessions.get(session, ()):
        for path in study.files_of(trial).values():
            name = _from_root(study, path)
            try:
                found[name.as_posix()] = known.digest(name)
            except OSError:
                found[name.as_posix()] = ""
    return found


def _of_session(study: Study, session: SessionKey) -> Iterator[Fault]:
    by_rule = folders_by_rule(study, session)
    known = KnownDigests(study.root, session.folder(RESULTS))
    faults = [fault for folders in by_rule.values() for folder in folders for fault in _of_folder(study, folder, known)]
    recording_digests(study, session, known)
    state = combined([*known.digests(), ("configuration", contents(_configuration(study, session)))])
    if not faults and not known.was_noted("origin", state):
        faults = list(_of_origin(study, session, by_rule))
    if not faults:
        known.note("origin", state)
    known.save()
    yield from (replace(fault, session=session) for fault in faults)


def _of_folder(study: Study, folder: Path, known: KnownDigests) -> Iterator[Fault]:
    """Whether a folder's files are those of its list."""
    whole = study.root / folder
    if not whole.is_dir():
        yield Fault(folder, "is missing")
        return
    try:
        listed = read_sums(whole / SUMS)
    except ChecksumError as error:
        yield Fault(folder, error.problem)
        return
    known.digest(folder / SUMS)
    there = {folder / entry.name for entry in os.scandir(whole) if entry.name != SUMS and entry.name[0] != "."}
    for path in sorted(there | set(listed)):
        if path not in there:
            yield Fault(folder, f"{path.name} is missing")
        elif path not in listed:
            yield Fault(folder, f"{path.name} is not in its list of checksums")
        elif (found := _digest(known, path)) != listed[path]:
            yield Fault(folder, f"{path.name} is not as it was written" if found else f"{path.name} cannot be read")


def _of_study(study: Study) -> Iterator[Fault]:
    """Whether tables and pages of the study as a whole are those of their lists."""
    known = KnownDigests(study.root, RESULTS)
    for listed in study_lists(study):
        if not (study.root / listed).exists():
            yield Fault(listed, "is missing")
            continue
        try:
            sums = read_sums(study.root / listed)
        except ChecksumError as error:
            yield Fault(listed, error.problem)
            continue
        for path, written in sums.items():
            if not (study.root / path).is_file():
                yield Fault(path, "is missing")
            elif _digest(known, path) != written:
                yield Fault(path, "is not as it was written")
    known.save()


def _of_origin(study: Study, session: SessionKey, by_rule: dict[str, list[Path]]) -> Iterator[Fault]:
    """Whether each stage's file is of its trial, and from the files that are there."""
    for rule in by_rule:
        job = JOBS[rule](study, session)
        for output, key, inputs in _origins(job, session):
            path = study.root / output
            if output.suffix != STAGE_SUFFIX:
                continue
            try:
                provenance, _ = read_status(path)
                if provenance.trial_key != key:
                    yield Fault(output.parent, f"{output.name} is of {provenance.trial_key or 'another trial'}")
                for name in sorted(set(inputs) | set(provenance.inputs)):
                    now = input_digest(_at(study, inputs[name])) if name in inputs else None
                    if now != provenance.inputs.get(name):
                        yield Fault(output.parent, f"{output.name} is not from the present {name.replace('_', ' ')}")
            except (PipelineError, OSError) as error:
                yield Fault(output.parent, str(error))


def _origins(job: Any, session: SessionKey) -> Iterator[tuple[Path, str, dict[str, Path]]]:
    """File, trial and inputs of everything that a job writes."""
    for part in job:
        if isinstance(part, Sweep):
            for row in part.predictions:
                output = session.folder(RESULTS) / "predictions" / f"{row.prediction}{STAGE_SUFFIX}"
                yield output, f"{session}/{row.prediction}", dict(part.inputs)
        else:
            for request in requests_of(part, code=""):
                yield request.output, request.trial_key, dict(request.inputs)


def _configuration(study: Study, session: SessionKey) -> list[Path]:
    """Files of the configuration that the stages of a session read."""
    trials = study.sessions.get(session, ())
    sets = {path for trial in trials for path in study.marker_set_files(trial).values()}
    norms = {path for path in (study.norm_of(session), study.emg_norm_of(session)) if path} if trials else set()
    return sorted({*sets, *norms, study.skeleton})


def _digest(known: KnownDigests, path: Path) -> str:
    try:
        return known.digest(path)
    except OSError:
        return ""


def _at(study: Study, path: Path) -> Path:
    """A stage's file is named from the study's folder, any other as the study gives it."""
    return study.root / path if path.parts[:2] == RESULTS.parts else path


def _from_root(study: Study, path: Path) -> Path:
    return path.relative_to(study.root) if path.is_relative_to(study.root) else path.resolve()


def _duration(seconds: float) -> str:
    return f"{seconds / 3600.0:.1f} h" if seconds >= 3600.0 else f"{seconds / 60.0:.0f} min"
