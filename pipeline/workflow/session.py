"""Runs stages on all trials of a session, one trial after another in one process.

Only one trial's arrays are in memory at a time. A trial that fails is recorded in its file and stops nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from pipeline.config import settings_json
from pipeline.workflow.framework import Request, execute, forget_inputs
from pipeline.workflow.jobs import SessionStage, path_of
from pipeline.workflow.progress import Progress
from pipeline.workflow.run_log import processor_seconds, record


def run_stages(stages: Sequence[SessionStage], code: str, progress: Progress) -> None:
    """Run stages on the trials of their session; a stage comes after those whose files it reads.

    Stages of the same trials are run trial by trial, so that files read by several of them are read once. ``code`` is
    the digest of the stages' code, for the provenance of the files.

    Raises:
        OSError, MemoryError, DamagedFileError: the machine failed; the session has to be computed again.
    """
    for path in (path for stage in stages for path in (stage.output, *stage.also.values())):
        path.parent.mkdir(parents=True, exist_ok=True)  # the workflow's output, even without a trial
    for trials, together in groupby(stages, lambda stage: list(stage.trials)):
        of_stages = [(stage, requests_of(stage, code)) for stage in together]
        for number in range(len(trials)):
            for stage, requests in of_stages:
                _run_trial(stage, requests, number, progress)
            forget_inputs()


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
        )
        for name, own in stage.trials.items()
    ]


def _run_trial(stage: SessionStage, requests: Sequence[Request], number: int, progress: Progress) -> None:
    before, request = processor_seconds(), requests[number]
    failure = execute(request)
    outcome = "failed" if failure else "done"
    record(stage.stage, f"{stage.session}/{request.trial}", outcome, processor_seconds() - before)
    progress.trial(stage.stage, stage.session, request.trial, number + 1, len(requests), failure is not None)


def _of_trial(paths: Mapping[str, Path], trial: str) -> dict[str, Path]:
    return {name: path_of(path, trial) for name, path in paths.items()}
