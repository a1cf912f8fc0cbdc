"""Which of several walks have results that may be used: neither failed nor refused."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.results import read_stage, read_status
from pipeline.trial import Findings


def plausible(findings: Iterable[Path]) -> list[bool]:
    """For the file of each walk's findings, whether there are results and they were not refused."""
    return [read_status(path)[1] is None and not read_stage(path, Findings).refused for path in findings]
