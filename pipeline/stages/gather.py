"""Step: the stages of a trial in one file."""

from __future__ import annotations

from pathlib import Path

from pipeline.provenance import Provenance
from pipeline.results import gather

MAY_FAIL = ("whole_body",)
"""The stage whose group then holds the reason in place of the values."""


def run(output: Path, provenance: Provenance, leave_out: tuple[str, ...], **stages: Path) -> None:
    """Write the stages side by side, without the arrays along the dimensions to leave out."""
    gather(output, stages, provenance, leave_out)
