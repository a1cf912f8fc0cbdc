"""Check that a study's files are those that the workflow wrote, for the right trials and from the present inputs."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from pipeline.config import RESULTS, SessionKey, Study
from pipeline.results import SUMS, ChecksumError, listed_files, read_sums
from pipeline.whole_files import files_in
from pipeline.workflow.jobs import JOBS, MUSCLE_MODEL, STORED_WALKS, STRIDE_SPREAD
from pipeline.workflow.known_digests import KnownDigests, combined, contents, file_contents
from pipeline.workflow.machine import set_aside_path
from pipeline.workflow.origin import FROM_OTHERS, code_of, origin_of, read_origin, state_of_code
from pipeline.workflow.session_folders import REPORTS, all_sessions, folders_by_rule, lists_read, study_lists

AHEAD = 60.0
"""Seconds by which a recording's time may be ahead of this machine's clock before it is reported."""

RESOLUTION = 2.0
"""Seconds by which the time of a result may be ahead: the coarsest resolution of file systems in use."""


@dataclass(frozen=True)
class Fault:
    """Results that are not intact.

    Attributes:
        path: the folder or file, relative to the study's folder, that is to be computed again.
        reason: what is wrong with it.
        session: its session; None for the study's own files.
        stale: whether it is as it was written, but not as it would be written at present: a change that the workflow
            mostly finds by itself.
    """

    path: Path
    reason: str
    session: SessionKey | None = None
    stale: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def audit(study: Study) -> list[Fault]:
    """All files that are missing, not as they were written, or not as their job would write them at present."""
    with chdir(study.root):
        here = replace(study, root=Path())
        configuration = files_in(Path("config"), "**/*")
        state = [("configuration", contents(configuration)), ("code", state_of_code())]
        found = [fault for session in all_sessions(here) for fault in _of_session(here, session, state)]
        return found + list(_of_study(here))


def outdated(study: Study, session: SessionKey | None = None) -> str:
    """A warning if results of a session, or of all, are not those of the present files and program; else empty."""
    ran = (study.root / RESULTS).is_dir()  # otherwise the audit's own record of digests would be all that is there
    faults = [fault for fault in audit(study) if fault.stale and session in (None, fault.session)] if ran else []
    if not faults:
        return ""
    others = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"the results are not up to date ({faults[0]}{others}); compute them again with: gait run"


def left_over(study: Study) -> list[Path]:
    """Folders of results and pages that no table or setting of the study asks for any more, relative to its folder.

    A session or subject of which nothing is asked for is one folder.
    """
    asked = {
        folder
        for session in all_sessions(study)
        for folders in folders_by_rule(study, session).values()
        for folder in folders
    }
    above = {parent for folder in asked for parent in folder.parents} | {RESULTS, REPORTS}
    found = set()
    for path in (path for top in (RESULTS, REPORTS) for path in (study.root / top).glob("*/*/*/")):
        folder = path.relative_to(study.root)
        if folder not in asked and (path / SUMS).is_file():
            found.add(next((place for place in reversed(folder.parents) if place not in above), folder))
    return sorted(found)


def set_faults_aside(study: Study, faults: Sequence[Fault]) -> list[str]:
    """Move faulty results out of the workflow's way, so that they are computed again; a sentence for each."""
    messages = []
    for path, reason in {fault.path: fault.reason for fault in reversed(faults)}.items():
        whole = study.root / path
        if not whole.exists():
            continue
        if whole.is_dir() and not (whole / SUMS).exists():  # of a job that was killed, or of an earlier version
            shutil.rmtree(whole, ignore_errors=True)
            messages.append(f"{path}: {reason}; computed again")
        else:
            aside = set_aside_path(whole)
            messages.append(f"{path}: {reason}; set aside as {aside.name} and computed again")
    return messages[::-1]


def times_ahead(study: Study) -> list[str]:
    """Recordings with a time in the future; results depend on their contents, not on their times."""
    now, found = time.time(), []
    for key, trial in study.trials.items():
        for path in study.files_of(trial).values():
            ahead = path.stat().st_mtime - now
            if ahead > AHEAD:
                found.append(f"{key}: the time of {path.name} is {_duration(ahead)} in the future (a clock is wrong)")
    return found


def settle_times(study: Study) -> list[str]:
    """Set the time of results to now if it is in the future, such as after a run with this computer's clock ahead.

    Snakemake takes a job with an output older than an input for a failed one, and repeats it at every run until that
    time has come. All results get the same time, so that none is newer than those made from it.
    """
    now, found = time.time(), []
    with chdir(study.root):
        for path in _dated(replace(study, root=Path())):
            try:
                ahead = path.stat().st_mtime - now
            except OSError:
                continue
            if ahead > RESOLUTION:
                os.utime(path, (now, now))
                found.append(f"{path.as_posix()}: its time was {_duration(ahead)} in the future; it is set to now")
    return found


def _dated(study: Study) -> Iterator[Path]:
    """Paths with the time of a result for Snakemake: a file in each folder, or the folder; files of the study."""
    for session in all_sessions(study):
        for folders in folders_by_rule(study, session).values():
            for folder in folders:
                yield folder
                yield folder / ".snakemake_timestamp"
    for listed in study_lists(study):
        yield listed
        try:
            yield from (path for path in read_sums(listed) if not _is_read(path))
        except ChecksumError:  # the audit says so
            continue


def recording_digests(study: Study, session: SessionKey, known: KnownDigests | None = None) -> dict[str, str]:
    """Digest of each file of the session's recordings, by its path; empty for a file that cannot be read."""
    known = known or KnownDigests(study.root, session.folder(RESULTS))
    found = {}
    for trial in study.sessions.get(session, ()):
        for path in study.files_of(trial).values():
            name = path.relative_to(study.root) if path.is_relative_to(study.root) else path.resolve()
            found[name.as_posix()] = _digest(known, name)
    return found


def _of_session(study: Study, session: SessionKey, state: list[tuple[str, str]]) -> Iterator[Fault]:
    """Faults of a session; the origin is not checked if session, configuration and code are unchanged."""
    by_rule = folders_by_rule(study, session)
    known = KnownDigests(Path(), session.folder())
    faults = [fault for folders in by_rule.values() for folder in folders for fault in _of_folder(folder, known)]
    recording_digests(study, session, known)
    now = combined([*known.digests(), *state, ("shared", contents(shared_files(study, session)))])
    if not faults and not known.was_noted("origin", now):
        faults = list(_of_origin(study, session, by_rule, known))
    if not faults:
        known.note("origin", now)
    known.save()
    yield from (replace(fault, session=session) for fault in faults)


def _of_folder(folder: Path, known: KnownDigests) -> Iterator[Fault]:
    """Whether a folder's files are those of its list."""
    if not folder.is_dir():
        yield Fault(folder, "is missing")
        return
    try:
        listed = read_sums(folder / SUMS)
    except ChecksumError as error:
        yield Fault(folder, error.problem)
        return
    known.digest(folder / SUMS)
    there = set(listed_files(folder))
    for path in sorted(there | set(listed)):
        if path not in there:
            yield Fault(folder, f"{path.name} is missing")
        elif path not in listed:
            yield Fault(folder, f"{path.name} is not in its list of checksums")
        elif (found := _digest(known, path)) != listed[path]:
            yield Fault(folder, f"{path.name} is not as it was written" if found else f"{path.name} cannot be read")


def _of_study(study: Study) -> Iterator[Fault]:
    """Whether tables and pages of the whole study are those of their lists, made from the sessions' present ones."""
    known = KnownDigests(Path(), RESULTS)
    for listed in study_lists(study):
        if not listed.exists():
            yield Fault(listed, "is missing")
            continue
        try:
            sums = read_sums(listed)
        except ChecksumError as error:
            yield Fault(listed, error.problem)
            continue
        read = dict.fromkeys(lists_read(study, listed))
        for path, written in sums.items():
            if not (path in read or _is_read(path) or path.is_file()):
                yield Fault(path, "is missing")
            elif not _is_read(path) and _digest(known, path) != written:
                yield Fault(path, "is not as it was written")
        other = [path for path in (*read, *filter(_is_read, sums)) if _digest(known, path) != sums.get(path)]
        if other:
            yield Fault(listed, f"{FROM_OTHERS} {other[0].as_posix()}", stale=True)
    known.save()


def _is_read(path: Path) -> bool:
    """Whether a file named in the list of a study's files is one of their inputs."""
    return path.name == SUMS or path.parts[0] == "config"


def _of_origin(
    study: Study, session: SessionKey, by_rule: dict[str, list[Path]], known: KnownDigests
) -> Iterator[Fault]:
    """Whether each folder is what its rule would make from the present files, settings and code."""
    for rule, folders in by_rule.items():
        present = origin_of(JOBS[rule](study, session), _code_of(rule), partial(_digest_of_input, known))
        for folder in folders:
            origin = read_origin(folder)
            problem = origin.differs(present) if origin else "does not state what it was made from"
            if problem:
                yield Fault(folder, problem, stale=True)


_code_of = cache(code_of)


def _digest_of_input(known: KnownDigests, path: Path) -> str:
    """For a file in the study, from the session's record; for another one, kept during the audit."""
    return known.digest(path) if path.parts[:2] == RESULTS.parts else file_contents(path)


def shared_files(study: Study, session: SessionKey) -> list[Path]:
    """Files besides the study's configuration that the stages of a session read."""
    trials = study.sessions.get(session, ())
    sets = {path for trial in trials for path in study.marker_set_files(trial).values()}
    norms = {path for path in (study.norm_of(session), study.emg_norm_of(session)) if path} if trials else set()
    written = filter(None, [study.interpretation_of(session), study.parameter_norm])
    data = [study.file(name) for name in ("residuals.json", "ground_from_motion.json", "skeleton.yaml")]
    shipped = [study.home / path for path in (MUSCLE_MODEL, STRIDE_SPREAD, STORED_WALKS)]
    return sorted({*sets, *norms, *written, *data, *shipped})


def _digest(known: KnownDigests, path: Path) -> str:
    """Digest of a file; empty if it cannot be read."""
    try:
        return known.digest(path)
    except OSError:
        return ""


def _duration(seconds: float) -> str:
    return f"{seconds / 3600.0:.1f} h" if seconds >= 3600.0 else f"{seconds / 60.0:.0f} min"
