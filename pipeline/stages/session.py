"""Runs stages on all trials of a session, one trial after another in one process.

The trials' arrays are in memory one trial at a time. A trial that fails is recorded in its file and stops nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from pipeline.config import settings_json
from pipeline.stages.framework import Request, execute
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


def run_stage(stage: SessionStage, code: str, progress: Progress) -> None:
    """Run a stage on each trial of its session.

    Args:
        stage: what to run.
        code: digest of the stage's code, for the provenance of the files.
        progress: told of every trial.

    Raises:
        OSError, MemoryError, DamagedFileError: the machine failed; the session is to be computed again.
    """
    stage.output.parent.mkdir(parents=True, exist_ok=True)
    for path in stage.also.values():
        path.parent.mkdir(parents=True, exist_ok=True)
    before = processor_seconds()
    requests = stage.requests(code)
    for number, request in enumerate(requests, start=1):
        failure = execute(request)
        now = processor_seconds()
        record(stage.stage, f"{stage.session}/{request.trial}", "failed" if failure else "done", now - before)
        before = now
        progress.trial(stage.stage, stage.session, request.trial, number, len(requests), failure is not None)


def _of_trial(paths: Mapping[str, Path], trial: str) -> dict[str, Path]:
    return {name: _path_of(path, trial) for name, path in paths.items()}


def _path_of(path: Path, trial: str) -> Path:
    return Path(str(path).replace(PLACEHOLDER, trial))
