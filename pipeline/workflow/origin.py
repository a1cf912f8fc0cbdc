"""Origin of the folders of a session: a file in each with its inputs and code, to find folders of another run.

Results files state the same of themselves; pages and lines of tables do not, and neither states the settings of the
files next to it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pipeline.config import RESULTS
from pipeline.provenance import PACKAGE_ROOT, code_digest, library_versions
from pipeline.whole_files import write_text
from pipeline.workflow.jobs import MODULES, SessionStage, Sweep, file_in, job_digest, path_of, paths_in
from pipeline.workflow.known_digests import keep

FROM_OTHERS = "was not made from the present"
"""First words of the report on results with changed inputs."""

ORIGIN = "_origin.json"
"""Name of the file; trials' names begin with a letter or a digit."""

CODES = PACKAGE_ROOT / "pipeline/__pycache__/code_digests.json"
"""Digests of the code of modules, for one state of all source files."""


@dataclass(frozen=True)
class Origin:
    """Origin of a folder.

    Attributes:
        job: digest of the whole request.
        code: digest of the code.
        inputs: digest of each file that was read, by a name without a path of this computer; empty for a missing file.
    """

    job: str
    code: str
    inputs: Mapping[str, str]

    def differs(self, present: Origin) -> str:
        """What differs from the origin that a job would have at present, in words; empty if nothing does."""
        for name in dict.fromkeys((*present.inputs, *self.inputs)):
            if present.inputs.get(name) != self.inputs.get(name):
                return f"{FROM_OTHERS} {name}"
        if self.job != present.job:
            return "was made with other settings"
        return "" if self.code == present.code else "was made by another version of the program"


def origin_of(job: Sequence[Any], code: str, digest: Callable[[Path], str]) -> Origin:
    """The origin of the folders that a job of a rule would write at present, in the study's folder.

    It has the digest of the rule's code, and of each input by its path (raising OSError if it cannot be read).
    """
    inputs: dict[str, str] = {}
    for path in inputs_of(job):
        name, number = _name(path), 1
        while name in inputs:
            number += 1
            name = f"{_name(path)} ({number})"
        try:
            inputs[name] = digest(path)
        except OSError:
            inputs[name] = ""
    return Origin(job_digest(job), code, inputs)


def write_origin(folder: Path, origin: Origin) -> None:
    """Write it, completely or not at all."""
    write_text(folder / ORIGIN, json.dumps(asdict(origin), indent=1, sort_keys=True) + "\n")


def read_origin(folder: Path) -> Origin | None:
    """The origin written by `write_origin`, or None."""
    try:
        return Origin(**json.loads((folder / ORIGIN).read_bytes()))
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def inputs_of(job: Sequence[Any]) -> list[Path]:
    """Files that a job reads and does not write itself, relative to the study's folder if they are in it."""
    read: dict[Path, None] = {}
    written: set[Path] = set()
    for part in job:
        if isinstance(part, Sweep):
            read |= dict.fromkeys(part.inputs.values())
        else:
            read |= dict.fromkeys(_read(part))
            written |= set(outputs_of(part))
    return [path for path in read if path not in written]


def outputs_of(stage: SessionStage) -> Iterator[Path]:
    """Files that a stage writes, for all its trials."""
    for trial in stage.trials:
        for path in (stage.output, *stage.also.values()):
            yield path_of(path, trial)


def folders_of(job: Sequence[Any], session: Any) -> list[Path]:
    """Folders that a job writes, including those without a trial."""
    found: dict[Path, None] = {}
    for part in job:
        written = [file_in(session, "predictions")] if isinstance(part, Sweep) else [part.output, *part.also.values()]
        found |= dict.fromkeys(path.parent for path in written)
    return list(found)


def code_of(rule: str) -> str:
    """Digest of all code that a rule's stages import."""
    stages = [f"pipeline.stages.{name}" for name in MODULES.get(rule, (rule,))]
    return code_of_modules(*stages, "pipeline.workflow.__main__")


def code_of_modules(*modules: str) -> str:
    """Digest of all code that modules import, from the record if no source file has changed since.

    Finding what they import takes a second, for which each start of Snakemake would wait, including every cluster job.
    """
    state, name = state_of_code(), " ".join(modules)
    known = _recorded_codes()
    if known.get("state") != state:
        known = {"state": state}
    if name not in known:
        known[name] = code_digest(modules)
        keep(CODES, json.dumps(known))
    return known[name]


def _recorded_codes() -> dict[str, str]:
    try:
        found = json.loads(CODES.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def state_of_code() -> str:
    """Digest of size, times and inode of every source file of the program, and of the libraries' versions."""
    found = [repr(sorted(library_versions().items()))]
    for folder, folders, names in os.walk(PACKAGE_ROOT / "pipeline"):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith((".py", ".pyi")):
                state = os.stat(os.path.join(folder, name))
                found.append(f"{folder}/{name} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}")
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def _read(stage: SessionStage) -> Iterator[Path]:
    """Files that a stage reads, for all its trials; a path without a suffix is a folder."""
    shared = [*paths_in([stage.inputs, stage.settings])]
    for trial, own in stage.trials.items():
        for path in (*shared, *paths_in([own.inputs, own.settings])):
            if path.suffix:
                yield path_of(path, trial)


def _name(path: Path) -> str:
    return path.as_posix() if path.parts[:2] == RESULTS.parts else path.name
