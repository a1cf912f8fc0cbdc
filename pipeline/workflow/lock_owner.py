"""The process that holds a study's lock.

Snakemake's lock names no process, so the workflow writes its own next to it when it starts to compute. A lock may be
released only if that process, on this host, is known to have ended, and none of its jobs is still running.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.whole_files import write_text

OWNER, LOCKS = Path(".snakemake/owner.json"), Path(".snakemake/locks")

PACKAGES = (b"pipeline.workflow", b"pipeline.stages")
"""Packages of the modules that a job runs, as named in its command line."""


@dataclass(frozen=True)
class Owner:
    """A process.

    Attributes:
        host: name of the computer.
        namespace: of process numbers on it; containers have their own. Empty if the system does not tell.
        process: its number.
        started: when it started, in the system's count, since numbers are reused; empty if the system does not tell.
    """

    host: str
    namespace: str
    process: int
    started: str


def this_process() -> Owner:
    """The calling process."""
    return Owner(*_place(), os.getpid(), _started(os.getpid()) or "")


def write_owner(study: Path) -> None:
    """Record this process as the one that runs the study."""
    write_text(study / OWNER, json.dumps(asdict(this_process())))


def is_locked(study: Path) -> bool:
    """Whether a run holds the study's lock, or held it when it ended without releasing it."""
    return any((study / LOCKS).glob("*.lock"))


def reason_to_keep(study: Path) -> str:
    """Why a study's lock must not be released; empty if the process that held it, and its jobs, have ended."""
    try:
        owner = Owner(**json.loads((study / OWNER).read_text(encoding="utf-8")))
        locked = max(path.stat().st_mtime_ns for path in (study / LOCKS).glob("*.lock"))
        unknown = (study / OWNER).stat().st_mtime_ns < locked  # the lock of a later run
    except (OSError, ValueError, TypeError):
        unknown = True
    if unknown:
        return "a run that did not record its process holds its lock"
    if (owner.host, owner.namespace) != _place():
        return f"process {owner.process} on {owner.host} holds its lock; only there can it be seen whether it has ended"
    if _started(owner.process) in (owner.started, "") and _started(owner.process) is not None:
        return f"process {owner.process} runs it now"
    left = _jobs_at_work(study)
    return f"the run has ended, but its job {left[0]} is still at work" if left else ""


def _place() -> tuple[str, str]:
    try:
        return platform.node(), os.readlink("/proc/self/ns/pid")
    except OSError:
        return platform.node(), ""


def _started(process: int) -> str | None:
    """When a process started; empty if the system does not tell, None if there is no such process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return None if fields[0] in "ZX" else fields[19]


def _jobs_at_work(study: Path) -> list[int]:
    """Processes of the pipeline that run in the study's folder; none if the system has no /proc."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes()
            at_work = any(package in words for package in PACKAGES) and (path / "cwd").samefile(study)
        except OSError:
            continue
        if at_work and int(path.name) != os.getpid():
            found.append(int(path.name))
    return found
