"""Run a study with Snakemake: show progress by trial, and the verdict in words at the end."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from pipeline.cli.following import Followed, follow
from pipeline.cli.paths import check_utf8
from pipeline.cli.profiles import check_executors, with_profiles
from pipeline.cli.ready import ready_study
from pipeline.cli.status import BusyError, Status
from pipeline.cli.terminal import complain, say
from pipeline.config import HOME, RESULTS, Study, check_home
from pipeline.errors import ConfigError, PipelineError
from pipeline.workflow.audit import Fault, audit, left_over, set_faults_aside, settle_times, times_ahead
from pipeline.workflow.completed import note_completed, was_completed
from pipeline.workflow.lock_owner import is_locked, reason_to_keep
from pipeline.workflow.origin import FROM_OTHERS
from pipeline.workflow.previous import keeping_results
from pipeline.workflow.verdict import verdict, write_verdict

INDEX, LOG, VERDICT = Path("reports/index.html"), Path("logs/snakemake.log"), RESULTS / "verdict.txt"
WRITTEN = (str(RESULTS), "reports", "logs", ".snakemake")
"""Folders of a study that a run writes."""

WRONG_OPTIONS = 2
"""Exit status of Snakemake if it does not know an option or its value."""

MAX_NAMED = 10
"""Largest number of folders of earlier runs that are named."""

LITTLE_SPACE = 50e6
"""Free disk space below which it is named as the likely cause of a stop, bytes."""


def command(study: Path, cores: int, *options: str) -> list[str]:
    """The command line that runs the workflow on a study, as a Snakemake user would type it."""
    start = [sys.executable, "-P", "-m", "snakemake", "--snakefile", str(HOME / "Snakefile")]
    folder = f"./{study}" if str(study).startswith("-") else str(study)  # not an option of Snakemake
    return [*start, "--directory", folder, "--cores", str(cores), *options]


def available_cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_study(folder: Path, cores: int, targets: Sequence[str] = (), options: Sequence[str] = ()) -> int:
    """Run a study to its verdict, or make only the files or rules that are its targets; return the exit status.

    Further options are Snakemake's.

    Raises:
        ConfigError: the study's configuration has a mistake.
        BusyError: its folder cannot be written, or another run holds its lock.
    """
    check_home()
    check_utf8(folder.resolve())
    study = ready_study(folder)
    for name in WRITTEN:
        problem = why_not_writable(folder / name)
        if problem:
            raise BusyError(problem, where=str(folder / name), remedy="Make the study's folder writable")
    release_stale_lock(folder)
    passed, profiles = with_profiles(options)
    check_executors(profiles)
    words = command(folder, cores, *targets, "--quiet", "host", *passed)  # everything else is in the log
    environment = {**os.environ, **caches(folder), "PYTHONUNBUFFERED": "1"}
    dry = bool({"--dry-run", "--dryrun", "-n"} & set(options))
    faults: list[Fault] = []
    if not dry:
        _tell_times(study)
        faults = audit(study)
        _tell_changes(faults)
        if not (faults or targets or options) and was_completed(study):
            return _tell_verdict(study, Followed(idle=True), 0)
    say(shlex.join(words), "dim")

    def followed_run() -> tuple[Followed, int]:
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment) as process:
            followed = follow(process, folder / LOG)
        if not followed.interrupted:
            _tell_stops(study, followed, process.returncode)
        return followed, process.returncode

    changed = list(dict.fromkeys(fault.session for fault in faults if fault.session))
    environment["GAIT_CHANGED_SESSIONS"] = str(len(changed))
    with keeping_results(folder, changed):
        _repair(study, [fault for fault in faults if not fault.stale])
        followed, status = followed_run()
        if not (dry or targets or followed.interrupted):
            faults = faults if followed.idle else audit(study)
            ended = status == 0 or (followed.judged and not followed.stops)
            if ended and _repair(study, faults):  # differences that the workflow did not notice
                followed, status = followed_run()
                faults = audit(study)
    if followed.interrupted:
        complain("Interrupted; the next run continues from here.")
        return Status.INTERRUPTED
    if dry:
        say("\n".join(followed.last_lines))
    elif targets:
        made = "made" if status == 0 else f"not made ({followed.last_words()})"
        say("\n".join(f"{target}: {made}" for target in targets))
    if targets or dry:
        return Status.COMPLETE if status == 0 else Status.STOPPED
    outcome = _tell_verdict(study, followed, status, faults)
    if outcome == Status.COMPLETE:
        note_completed(study)
    return outcome


def _tell_times(study: Study) -> None:
    """Print recordings and results whose time is in the future."""
    ahead = [*times_ahead(study), *settle_times(study)]
    if ahead:
        say("\n".join([*ahead, "What is computed depends on the contents of the files, not on their times."]))


def _tell_changes(faults: Sequence[Fault]) -> None:
    """Print results whose input files changed. Results made from these, and changes of settings or code, which the user
    made, are not printed."""
    for fault in faults:
        if fault.stale and fault.reason.startswith(FROM_OTHERS) and RESULTS.as_posix() not in fault.reason:
            say(str(fault))


def _repair(study: Study, faults: Sequence[Fault]) -> bool:
    """Set damaged files aside so that the workflow computes them again; return whether there were any.

    The workflow finds missing files itself, except those of which its output is only a list.
    """
    messages = set_faults_aside(study, faults)
    for line in messages:
        complain(line)
    if messages or any(not (study.root / fault.path).exists() for fault in faults):
        (study.root / VERDICT).unlink(missing_ok=True)
        return True
    return False


def why_not_writable(folder: Path) -> str:
    """Why no file can be created in a folder, or in its nearest existing parent; empty if one can."""
    # os.path.exists, since Path.exists raises PermissionError within a folder that may not be read.
    while not os.path.exists(folder) and folder != folder.parent and not os.path.islink(folder):
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return f"cannot be written ({error.strerror})"


def caches(study: Path) -> dict[str, str]:
    """Environment that places caches in the study's folder if the user's own cannot be written; else empty.

    Accounts of services and containers often have no home folder, without which Snakemake would not start.
    """
    own = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    lacking = own.startswith("~") or why_not_writable(Path(own))
    return {"XDG_CACHE_HOME": str((study / ".snakemake/cache").resolve())} if lacking else {}


def release_stale_lock(folder: Path) -> None:
    """Release the lock that a killed run left. Raises BusyError if the run may still be at work."""
    if not is_locked(folder):
        return
    reason = reason_to_keep(folder)
    if reason:
        remedy = "Wait until it ends; if it was killed, release the lock with: gait unlock"
        raise BusyError(f"is locked: {reason}", where=str(folder), remedy=f"{remedy} {shlex.quote(str(folder))}")
    say("An earlier run was killed: its lock is released.")
    unlock(folder)


def unlock(folder: Path) -> None:
    """Release the study's lock, whatever process holds it.

    Raises:
        ConfigError: there is no such folder, which Snakemake would make.
        BusyError: Snakemake cannot.
    """
    if not folder.is_dir():
        raise ConfigError("there is no such folder", where=str(folder))
    words = command(folder, 1, "--unlock")
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **caches(folder)})
    if done.returncode:
        lines = deque((done.stderr.strip() or done.stdout.strip()).splitlines())
        raise BusyError(f"cannot be unlocked: {Followed(last_lines=lines).last_words()}", where=str(folder))


def _tell_stops(study: Study, followed: Followed, status: int) -> None:
    """Print which jobs stopped, and why. Raises BusyError if another run held the lock."""
    for stop in followed.stops:
        trials = [trial.trial for trial in study.sessions.get(stop.session, ())] if stop.session else []
        what = f"{stop.job} of {stop.session} (trials {', '.join(trials)})" if stop.session else stop.job
        complain(f"stopped: {what}: {stop.reason}")
    if status and shutil.disk_usage(study.root).free < LITTLE_SPACE:
        free = shutil.disk_usage(study.root).free / 1e6
        complain(f"The disk of {study.root} has only {free:.1f} MB free. Free some space and run again")
    if followed.refused_lock:
        raise BusyError("is locked by another run that began at the same time", where=str(study.root))


def _tell_verdict(study: Study, followed: Followed, status: int, faults: Sequence[Fault] = ()) -> int:
    """Print where the report is, then the verdict; return the exit status."""
    if (study.root / INDEX).is_file():
        say(f"Report: {(study.root / INDEX).resolve()}")
    if former := left_over(study):
        more = [f"and {len(former) - MAX_NAMED} more"] if len(former) > MAX_NAMED else []
        names = ", ".join([*map(str, former[:MAX_NAMED]), *more])
        say(f"Not updated, since the study no longer asks for them; delete them if you do not need them: {names}")
    try:
        lines, complete = verdict(study, study.root / RESULTS, faults)
    except (PipelineError, OSError) as error:
        lines, complete = [f"the results cannot be read: {error}"], False
    if status and not followed.judged and not followed.stops:
        lines, complete = [f"the run ended early: {followed.last_words()}"], False
    if complete and followed.stops:
        jobs = ", ".join(stop.job for stop in followed.stops)
        lines, complete = [*lines, f"but other results are not: {jobs} stopped, for the reason above; run again"], False
    if status:
        say(f"All messages: {study.root / LOG}", "dim")
    say("\n".join(lines).strip("\n"), "green" if complete else "red")
    if status == WRONG_OPTIONS and not (followed.stops or followed.judged):
        return Status.NOT_STARTED  # the former verdict still holds
    if not complete:
        (study.root / VERDICT).unlink(missing_ok=True)
    elif status == 0:
        write_verdict(lines, study.root / VERDICT)
    if followed.stops or (status and not followed.judged):
        return Status.STOPPED
    return Status.COMPLETE if complete else Status.INCOMPLETE
