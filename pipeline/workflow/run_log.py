"""The run log: everything that differs from run to run, outside the results, shown by pages in one marked block.

It has a line of JSON for each job that ended, appended to the file that the workflow names in the environment. Jobs run
in parallel, so a line is written by one call at the end of the file. Results and pages never depend on it.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import sys
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

VARIABLE = "GAIT_RUN_LOG"
"""Environment variable with the file's path; nothing is recorded without it."""


@dataclass(frozen=True)
class Job:
    """One job that ended.

    Attributes:
        step: what was done. name: of which trial, prediction or subject; empty for the study.
        outcome: how it ended, in a word or two.
        ended: UTC.
        machine: name, processor and system.
        seconds: processor time of the job's process and its children.
        peak: largest memory of the process, MB.
        solver_seconds: processor time of the solver within it; None if there was none.
    """

    step: str
    name: str
    outcome: str
    ended: str
    machine: str
    seconds: float
    peak: float
    solver_seconds: float | None = None


def processor_seconds() -> float:
    """Processor time so far of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


def record(
    step: str, name: str, outcome: str, seconds: float | None = None, solver_seconds: float | None = None
) -> None:
    """Add a job to the log, if there is one. Arguments are as in `Job`; its time is by default all of this process."""
    log = os.environ.get(VARIABLE)
    if not log:
        return
    unit = 2.0**20 if sys.platform == "darwin" else 2.0**10  # getrusage gives bytes there, otherwise kilobytes
    job = Job(
        step=step,
        name=name,
        outcome=outcome,
        ended=datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        machine=f"{platform.node()}, {platform.machine()}, {platform.system()}",
        seconds=round(processor_seconds() if seconds is None else seconds, 3),
        peak=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1),
        solver_seconds=solver_seconds,
    )
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    with open(log, "ab", buffering=0) as file:
        file.write(json.dumps(asdict(job)).encode() + b"\n")


def jobs() -> list[Job]:
    """The latest job of each step and name, in the order in which they ended; incomplete lines are ignored."""
    log = Path(os.environ.get(VARIABLE, ""))
    found: dict[tuple[str, str], Job] = {}
    for line in log.read_text(encoding="utf-8").splitlines() if log.is_file() else ():
        try:
            job = Job(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found.pop((job.step, job.name), None)
        found[job.step, job.name] = job
    return list(found.values())


def facts(names: Collection[str] | None = None, asked: Callable[[str], bool] = lambda step: True) -> dict[str, str]:
    """Run information shown on a page: of the jobs of these trials, predictions and subjects, or of all.

    Of them, jobs of steps that were ``asked`` for count: those of stages that were switched off later are in the log
    too.
    """
    own = [job for job in jobs() if (names is None or job.name in names) and asked(job.step)]
    if not own:
        return {}
    by_step: dict[str, float] = {}
    for job in own:
        by_step[job.step] = by_step.get(job.step, 0.0) + job.seconds
    solver = [job.solver_seconds for job in own if job.solver_seconds is not None]
    ended = sorted(job.ended for job in own)
    when = ended[-1] if len(own) == 1 else f"{ended[0]} to {ended[-1]}"
    return {
        "processor time": f"{sum(by_step.values()):.2f} s",
        "of which": ", ".join(f"{step} {seconds:.2f} s" for step, seconds in by_step.items()),
        **({"processor time of the solver": f"{sum(solver):.2f} s"} if solver else {}),
        "largest memory": f"{max(job.peak for job in own):.0f} MB",
        "jobs": str(len(own)),
        "ended": f"{when} UTC",
        "machine": "; ".join(dict.fromkeys(job.machine for job in own)),
    }
