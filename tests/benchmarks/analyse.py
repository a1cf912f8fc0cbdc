"""Processor time of the demo walk by `pipeline.analyse` and by the stages of a study, in one process.

`python -m tests.benchmarks.analyse` prints three times and two ratios. The stages of a study read and write files; the
bare stages are what `analyse` calls, without its tree of labelled arrays.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from pipeline.workflow import analyse as module
from pipeline.workflow.framework import Request, execute, forget_inputs
from tests.conftest import ROOT

DEMO = ROOT / "data/demo"
REPEATS = 5


def main() -> None:
    """Print the times and their ratios."""
    requests: list[Request] = []
    in_stages = [0.0]
    outcome = module.outcome

    def noted(request: Request, known: Any) -> Any:
        requests.append(request)
        return outcome(request, known)

    def timed(request: Request, known: Any) -> Any:
        began = time.process_time()
        found = outcome(request, known)
        in_stages[-1] += time.process_time() - began
        return found

    def walk(instead: Callable[[Request, Any], Any] = timed) -> None:
        in_stages.append(0.0)
        with mock.patch.object(module, "outcome", instead):
            module.analyse(DEMO / "walk.c3d", DEMO / "static.c3d", mass=70, sex="f")

    walk(noted)
    in_stages.clear()
    with tempfile.TemporaryDirectory() as folder:
        stored = [_stored(request, Path(folder), {own.output for own in requests}) for request in requests]

        def stages() -> None:
            for request in stored:
                assert execute(request) is None
            forget_inputs()

        stages()
        of_stages, whole = zip(*((_seconds(stages), _seconds(walk)) for _ in range(REPEATS)), strict=True)
    study, own, alone = map(statistics.median, (of_stages, whole, in_stages))
    print(f"processor time: analyse {own:.2f} s, stages of a study {study:.2f} s, stages without files {alone:.2f} s")
    print(f"analyse by stages of a study {own / study:.2f}, by stages without files {own / alone:.2f}")


def _stored(request: Request, folder: Path, made: set[Path]) -> Request:
    """The request, with the files of the stages in a folder."""

    def moved(path: Path) -> Path:
        return folder / path.relative_to(path.anchor) if path in made else path

    inputs = {name: moved(path) for name, path in request.inputs.items()}
    moved(request.output).parent.mkdir(parents=True, exist_ok=True)
    return replace(request, inputs=inputs, output=moved(request.output))


def _seconds(action: Callable[[], None]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


if __name__ == "__main__":
    main()
