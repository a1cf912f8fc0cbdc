"""Attributes of a file's root: status and provenance."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pipeline
from pipeline.errors import ResultsError
from pipeline.provenance import Provenance

T = TypeVar("T")

FORMAT = 5
"""Version of the layout; increased by a change that older readers cannot follow."""

RESERVED = frozenset(
    {"format", "status", "step", "inputs", "settings", "code", "versions", "trial_key"}
    | {"reason", "failed_step", "failed_trial", "defect"}
)


@dataclass(frozen=True)
class Failure:
    """Why a trial has no result.

    Attributes:
        trial: the trial in which it happened; for a walk this can be its static trial.
        step: name of the step.
        reason: a sentence for the user.
        defect: whether the program is at fault rather than the data.
    """

    trial: str
    step: str
    reason: str
    defect: bool = False


def needed(found: T | Failure | None, stage: str) -> T:
    """The value of a walk's stage. Raises ResultsError if there is none: the stage failed, or is not there."""
    if isinstance(found, Failure) or found is None:
        reason = found.reason if isinstance(found, Failure) else "it is not there"
        raise ResultsError(
            f"has no values of the stage '{stage}': {reason}",
            where="the walk",
            remedy="Give what analyse or open_trial returned",
        )
    return found


_TEXTS, _TABLES = ("step", "settings", "code", "trial_key"), ("inputs", "versions")
"""Fields of the provenance that are stored as they are, and as JSON."""

_OF_FAILURE = {"trial": "failed_trial", "step": "failed_step", "reason": "reason", "defect": "defect"}
"""Attribute of each field of a failure."""


def write_header(file: Any, provenance: Provenance, failure: Failure | None) -> None:
    """Set the root's attributes of an open HDF5 file."""
    attributes = file.attrs
    attributes["format"] = FORMAT
    attributes["status"] = "failed" if failure else "ok"
    for name in _TEXTS:
        attributes[name] = getattr(provenance, name)
    for name in _TABLES:
        attributes[name] = json.dumps(getattr(provenance, name), sort_keys=True)
    for field, name in _OF_FAILURE.items() if failure else ():
        attributes[name] = getattr(failure, field)


def read_header(group: Any, where: str) -> tuple[Provenance, Failure | None]:
    """Read what `write_header` wrote.

    Raises:
        ResultsError: the attributes are missing or of another version of the layout.
    """
    attributes = group.attrs
    check_format(attributes, where)
    texts = {name: attributes[name] for name in _TEXTS}
    provenance = Provenance(**texts, **{name: json.loads(attributes[name]) for name in _TABLES})
    if attributes["status"] == "ok":
        return provenance, None
    failure = Failure(**{field: attributes[name] for field, name in _OF_FAILURE.items()})
    return provenance, replace(failure, defect=bool(failure.defect))


def failure_in(group: Any, where: str) -> Failure | None:
    """The failure that `read_header` returns, in half the time if there is none."""
    check_format(group.attrs, where)
    return None if group.attrs["status"] == "ok" else read_header(group, where)[1]


def check_format(attributes: Any, where: str) -> None:
    """Raise ResultsError if the attributes of a file's root are not of this version of the layout."""
    if attributes.get("format") != FORMAT:
        raise ResultsError(
            f"was written by {_writer(attributes)} in layout {attributes.get('format', 'unknown')}, but this program, "
            f"gait-pipeline {pipeline.__version__}, reads layout {FORMAT}",
            where=where,
            remedy="Compute it again: gait run",
        )


def _writer(attributes: Any) -> str:
    """The program that wrote a file, with its version if the file states it."""
    try:
        return f"gait-pipeline {json.loads(attributes['versions'])['gait-pipeline']}"
    except (KeyError, TypeError, ValueError):
        return "an unknown version"
