"""Runs stages on all trials of a session, one trial after another in each process.

Only one trial's arrays are in the memory of a process at a time. A trial that fails is recorded in its file and stops
nothing.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import groupby
from pathlib import Path

from pipeline.config import settings_json
from pipeline.workflow.framework import Request, execute, forget_inputs, taken_over
from pipeline.workflow.job_server import end_with_parent
from pipeline.workflow.jobs import SessionStage, path_of, paths_in
from pipeline.workflow.progress import Progress
from pipeline.workflow.run_log import processor_seconds, record

Requests = Sequence[Request]
"""Of the stages of one trial."""


def run_stages(stages: Sequence[SessionStage], code: str, progress: Progress, workers: int = 1) -> None:
    """Run stages on the trials of their session.

    Stages of the same trials are run trial by trial, so that files read by several of them are read once.

    Args:
        stages: what to run; a stage comes after those whose files it reads.
        code: digest of the stages' code, for the provenance of the files.
        progress: informed of every trial.
        workers: number of processes among which the trials are divided.

    Raises:
        OSError, MemoryError, DamagedFileError: the machine failed; the session has to be computed again.
        BrokenProcessPool: a process of the session was killed.
    """
    for path in (path for stage in stages for path in (stage.output, *stage.also.values())):
        path.parent.mkdir(parents=True, exist_ok=True)  # the workflow's output, even without a trial
    for trials, together in groupby(stages, lambda stage: list(stage.trials)):
        of_stages = [requests_of(stage, code) for stage in together]
        by_trial = list(zip(*of_stages, strict=True))
        for ended, (requests, failed) in enumerate(_each(by_trial, min(workers, len(trials))), start=1):
            for request, own in zip(requests, failed, strict=True):
                progress.trial(request.step, request.session, request.trial, ended, len(trials), own)


def _each(by_trial: Sequence[Requests], workers: int) -> Iterator[tuple[Requests, list[bool]]]:
    """The requests of each trial when they have ended, and which of them failed."""
    if workers < 2 or sys.platform != "linux":  # elsewhere the libraries do not support a fork
        yield from ((requests, _run_trial(requests)) for requests in by_trial)
        return
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent) as pool:
        running = {pool.submit(_run_trial, requests): requests for requests in by_trial}
        try:
            yield from ((running[one], one.result()) for one in as_completed(running))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def requests_of(stage: SessionStage, code: str) -> list[Request]:
    """A request for each trial."""
    return [
        Request(
            step=stage.stage,
            session=stage.session,
            trial=name,
            inputs=_of_trial(stage.inputs, name) | dict(own.inputs),
            output=path_of(stage.output, name),
            also=_of_trial(stage.also, name),
            settings=settings_json(**{"trial": name, **stage.settings, **own.settings}),
            code=code,
            reads_inputs_alone=not any(paths_in([stage.settings, own.settings])),
        )
        for name, own in stage.trials.items()
    ]


def _run_trial(requests: Requests) -> list[bool]:
    """Which of a trial's requests failed, after all of them."""
    failed = [_run(request) for request in requests]
    forget_inputs()
    return failed


def _run(request: Request) -> bool:
    """Whether a request failed."""
    if taken_over(request):  # the log has the time of the run that computed it
        return False
    before = processor_seconds()
    failure = execute(request)
    outcome = "failed" if failure else "done"
    record(request.step, f"{request.session}/{request.trial}", outcome, processor_seconds() - before)
    return failure is not None


def _of_trial(paths: Mapping[str, Path], trial: str) -> dict[str, Path]:
    return {name: path_of(path, trial) for name, path in paths.items()}
