"""Runs one stage of one trial, and records a failure with its reason, so that the other trials go on.

A stage's module has a function ``run``. Its parameters are resolved by name:

- a parameter that the rule gives as an input file is the file's path if it is annotated `Path` (or `Path | None`),
  otherwise the stage's value;
- ``output`` is the path to write, for a stage that does not return a value; further files requested by the rule are
  paths under their own names;
- ``provenance`` is the provenance of the output;
- a parameter annotated with a `Gathered` dataclass takes each of its fields in the same way, by the field's name;
- any other parameter comes from the settings, converted to its annotation (a section, a dataclass, a number).

A stage can do without some of its inputs if its module names them in ``MAY_FAIL``: their failure is then no failure of
the stage. A parameter that is not a path gets the `Failure` instead of the value, and its annotation includes it.
Inputs in ``MAY_HAVE_DEFECT`` may be missing because of a defect of the program: errors of a walk are reported in one
place, but a defect must not take away anything that does not depend on it.

A stage that writes its files itself may also have ``on_failure(failure, ...)`` with the same kinds of parameters. It
writes files in their place if the stage or an earlier one failed; without it, a results file with the reason is
written.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, get_args, get_type_hints

from pydantic import TypeAdapter

from pipeline.errors import PipelineError
from pipeline.provenance import Provenance, file_digest, library_versions
from pipeline.results import (
    DamagedFileError,
    Failure,
    read_failure,
    read_stage,
    verified_digest,
    write_failure,
    write_stage,
)
from pipeline.whole_files import written_whole
from pipeline.workflow.previous import kept_file, take_over

STAGE_SUFFIX = ".h5"

T = TypeVar("T")


class Gathered:
    """Base of the frozen dataclasses that combine several parameters of a stage."""


@dataclass(frozen=True)
class Request:
    """One stage of one trial.

    Attributes:
        step: name of the stage's module in `pipeline.stages`.
        trial: name of the trial, for the reason of a failure.
        inputs: files by the name of the parameter; those of earlier stages end in .h5.
        output: file to write.
        also: further files to write, by the name of the parameter.
        settings: JSON object of the remaining parameters.
        code: digest of the stage's code.
        session: subject and session, as SUBJECT/SESSION.
        reads_inputs_alone: whether it reads no file but its inputs, so that its provenance determines its value.
    """

    step: str
    trial: str
    inputs: Mapping[str, Path]
    output: Path
    also: Mapping[str, Path] = field(default_factory=dict)
    settings: str = "{}"
    code: str = ""
    session: str = ""
    reads_inputs_alone: bool = False


def execute(request: Request) -> Failure | None:
    """Run a stage, or pass on the failure of an earlier one; the output exists afterwards in any case.

    Returns:
        The failure, if there is one.

    Raises:
        OSError, MemoryError, DamagedFileError: the machine failed, not the trial; nothing is recorded, so that the next
            run tries again.
    """
    module = importlib.import_module(f"pipeline.stages.{request.step}")
    provenance = provenance_of(request, _digests_of(request))
    failure = stopping(module, _recorded(request.inputs)) or _attempt(module.run, request, provenance)
    if failure and hasattr(module, "on_failure"):
        _write_files(module.on_failure, request, provenance, {"failure": failure})
        _record_defect(request, failure)
    elif failure:
        write_failure(request.output, failure, provenance)
    return failure


def taken_over(request: Request) -> bool:
    """Whether the last run made the output in the same way; its file is then the output, and nothing is computed.

    Raises:
        OSError, DamagedFileError: as `execute`.
    """
    if not (request.reads_inputs_alone and kept_file(request.output)):
        return False  # before the inputs are read for their digests, as in most runs
    return take_over(request.output, provenance_of(request, _digests_of(request)))


def _digests_of(request: Request) -> dict[str, str]:
    return {name: input_digest(path) for name, path in request.inputs.items()}


def defect_file(page: Path) -> Path:
    """Text file that records, in one line, that a page is missing because of a program defect: people read pages."""
    return page.with_name(f".{page.stem}.defect")


def _record_defect(request: Request, failure: Failure) -> None:
    record = defect_file(request.output)
    record.unlink(missing_ok=True)
    if failure.defect and failure.step == request.step:
        record.write_text(f"{failure.step}: {failure.reason}", encoding="utf-8")


def provenance_of(request: Request, inputs: Mapping[str, str]) -> Provenance:
    """Provenance of the output of a request, with the digests of its inputs."""
    trial_key = f"{request.session}/{request.trial}"
    return Provenance(request.step, dict(inputs), request.settings, request.code, library_versions(), trial_key)


def input_digest(path: Path) -> str:
    """SHA-256 of an input's contents. Raises DamagedFileError if a stage's file is not as it was written."""
    return verified_digest(path) if path.suffix == STAGE_SUFFIX else file_digest(path)


def stopping(module: ModuleType, failures: Mapping[str, Failure]) -> Failure | None:
    """The first failure, by input name, of an input that a stage cannot do without; None if the stage can run."""
    spared, of_defects = getattr(module, "MAY_FAIL", ()), getattr(module, "MAY_HAVE_DEFECT", ())
    for name, failure in failures.items():
        if name not in spared and not (failure.defect and name in of_defects):
            return failure
    return None


def _recorded(inputs: Mapping[str, Path]) -> dict[str, Failure]:
    """The failures recorded by stage files, by the inputs' names."""
    files = {name: path for name, path in inputs.items() if path.suffix == STAGE_SUFFIX}
    return {name: failure for name, path in files.items() if (failure := read_failure(path))}


def guarded(trial: str, step: str, action: Callable[[], T]) -> T | Failure:
    """Run an action, and return its value, or the failure of the trial or the program.

    Raises:
        OSError, MemoryError, DamagedFileError: the machine failed.
    """
    try:
        return action()
    except DamagedFileError:
        raise
    except PipelineError as error:
        print(error, file=sys.stderr)
        return Failure(trial, step, str(error))
    except (OSError, MemoryError):
        raise
    except Exception as error:
        traceback.print_exc()
        reason = f"a defect of the program, {type(error).__name__}: {error}"
        return Failure(trial, step, reason, defect=True)


def _attempt(run: Callable[..., Any], request: Request, provenance: Provenance) -> Failure | None:
    def write() -> None:
        if "output" in inspect.signature(run).parameters:
            _write_files(run, request, provenance, {})
        else:
            write_stage(request.output, run(**arguments_of(run, request, provenance, {})), provenance)

    return guarded(request.trial, request.step, write)


def arguments_of(
    function: Callable[..., Any], request: Request, provenance: Provenance, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Arguments of a stage's function: the ``given`` ones by name, otherwise the request's inputs and settings."""
    hints = get_type_hints(function)
    settings = json.loads(request.settings)
    arguments: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "provenance":
            arguments[name] = provenance
        elif name in given:
            arguments[name] = given[name]
        elif isinstance(hints[name], type) and issubclass(hints[name], Gathered):
            arguments[name] = hints[name](**arguments_of(hints[name], request, provenance, given))
        elif name in request.inputs:
            arguments[name] = _input(request.inputs[name], hints[name])
        elif name in settings:
            arguments[name] = TypeAdapter(hints[name]).validate_json(json.dumps(settings[name]))
        elif parameter.default is parameter.empty:
            raise TypeError(f"the rule gives stage '{request.step}' no '{name}'")
    return arguments


def _input(path: Path, hint: Any) -> Any:
    """The path, the stage's value, or the failure in its place, depending on the annotation."""
    kinds = get_args(hint) or (hint,)
    if Path in kinds:
        return path
    if Failure in kinds and (failure := read_failure(path)):
        return failure
    return _value(path, verified_digest(path), next(kind for kind in kinds if kind not in (Failure, type(None))))


@lru_cache(maxsize=16)
def _value(path: Path, _digest: str, kind: type) -> Any:
    """A stage's value, read once for consecutive stages of a trial."""
    return read_stage(path, kind)


def forget_inputs() -> None:
    """Free the memory of inputs read for a trial."""
    _value.cache_clear()


def _write_files(write: Callable[..., Any], request: Request, provenance: Provenance, given: Mapping[str, Any]) -> None:
    """Let ``write`` make the request's files, which get their final names only when all are complete."""
    files = {"output": request.output, **request.also}
    with written_whole(*files.values()) as beside:
        write(**arguments_of(write, request, provenance, {**dict(zip(files, beside, strict=True)), **given}))
