"""Runs stages on all trials of a session, one trial after another in one process.

The trials' arrays are in memory one trial at a time. A trial that fails is recorded in its file and stops nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from pipeline.config import settings_json
from pipeline.stages.framework import Request, execute, forget_inputs
from pipeline.stages.progress import Progress
from pipeline.stages.run_log import processor_seconds, record

PLACEHOLDER = "{trial}"
"""Stands for the trial's name in the paths that all trials share."""


class Own(BaseModel):
    """Inputs and settings of one trial beside those of all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    inputs: dict[str, Path] = {}
    settings: dict[str, object] = {}


class SessionStage(BaseModel):
    """A stage of a session.

    Attributes:
        stage: name of a module in `pipeline.stages`.
        session: subject and session, for messages and the run log.
        output: file to write for a trial.
        also, inputs, settings: as in `Request`, for all trials.
        trials: by name, in the order of computation. A trial's settings come with its name as ``trial``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    stage: str
    session: str
    output: Path
    also: dict[str, Path] = {}
    inputs: dict[str, Path] = {}
    settings: dict[str, object] = {}
    trials: dict[str, Own]

    def requests(self, code: str) -> list[Request]:
        """One for each trial."""
        return [
            Request(
                step=self.stage,
                trial=name,
                inputs=_of_trial(self.inputs, name) | own.inputs,
                output=_path_of(self.output, name),
                also=_of_trial(self.also, name),
                settings=settings_json(**{"trial": name, **self.settings, **own.settings}),
                code=code,
            )
            for name, own in self.trials.items()
        ]


def read_stages(text: str) -> list[SessionStage]:
    """Stages from a JSON array of objects with the attributes of `SessionStage`."""
    return TypeAdapter(list[SessionStage]).validate_json(text)


def run_stages(stages: Sequence[SessionStage], code: str, progress: Progress) -> None:
    """Run stages on the trials of their session.

    Stages of the same trials are run trial by trial, so that what several of them read is read once.

    Args:
        stages: what to run, a stage after those whose files it reads.
        code: digest of the stages' code, for the provenance of the files.
        progress: told of every trial.

    Raises:
        OSError, MemoryError, DamagedFileError: the machine failed; the session is to be computed again.
    """
    for path in (path for stage in stages for path in (stage.output, *stage.also.values())):
        path.parent.mkdir(parents=True, exist_ok=True)  # the workflow's output, even without a trial
    for trials, together in groupby(stages, lambda stage: list(stage.trials)):
        of_stages = [(stage, stage.requests(code)) for stage in together]
        for number in range(len(trials)):
            for stage, requests in of_stages:
                _run_trial(stage, requests, number, progress)
            forget_inputs()


def _run_trial(stage: SessionStage, requests: Sequence[Request], number: int, progress: Progress) -> None:
    before, request = processor_seconds(), requests[number]
    failure = execute(request)
    outcome = "failed" if failure else "done"
    record(stage.stage, f"{stage.session}/{request.trial}", outcome, processor_seconds() - before)
    progress.trial(stage.stage, stage.session, request.trial, number + 1, len(requests), failure is not None)


def _of_trial(paths: Mapping[str, Path], trial: str) -> dict[str, Path]:
    return {name: _path_of(path, trial) for name, path in paths.items()}


def _path_of(path: Path, trial: str) -> Path:
    return Path(str(path).replace(PLACEHOLDER, trial))
