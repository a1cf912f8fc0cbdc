"""Attributes of a file's root: how it went, and where it comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pipeline.errors import ResultsError
from pipeline.provenance import Provenance

FORMAT = 1
"""Version of the layout; a change that older readers cannot follow raises it."""

RESERVED = frozenset(
    {"format", "status", "step", "inputs", "settings", "code", "versions"}
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


def write_header(file: Any, provenance: Provenance, failure: Failure | None) -> None:
    """Set the root's attributes of an open HDF5 file."""
    attributes = file.attrs
    attributes["format"] = FORMAT
    attributes["status"] = "failed" if failure else "ok"
    attributes["step"] = provenance.step
    attributes["settings"] = provenance.settings
    attributes["code"] = provenance.code
    attributes["inputs"] = json.dumps(provenance.inputs, sort_keys=True)
    attributes["versions"] = json.dumps(provenance.versions, sort_keys=True)
    if failure:
        attributes["reason"] = failure.reason
        attributes["failed_step"] = failure.step
        attributes["failed_trial"] = failure.trial
        attributes["defect"] = failure.defect


def read_header(group: Any, where: str) -> tuple[Provenance, Failure | None]:
    """Read what `write_header` wrote.

    Raises:
        ResultsError: the attributes are missing or of another version of the layout.
    """
    attributes = group.attrs
    if attributes.get("format") != FORMAT:
        raise ResultsError(
            f"has layout {attributes.get('format', 'unknown')}, this program reads {FORMAT}",
            where=where,
            remedy="Delete the file and run the workflow again",
        )
    provenance = Provenance(
        step=attributes["step"],
        inputs=json.loads(attributes["inputs"]),
        settings=attributes["settings"],
        code=attributes["code"],
        versions=json.loads(attributes["versions"]),
    )
    if attributes["status"] == "ok":
        return provenance, None
    failure = Failure(
        trial=attributes["failed_trial"],
        step=attributes["failed_step"],
        reason=attributes["reason"],
        defect=bool(attributes["defect"]),
    )
    return provenance, failure
