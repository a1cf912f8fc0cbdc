"""Which of several walks have results that may be used: neither failed nor refused, and checked in full."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.results import read_outcome
from pipeline.trial import Findings


def plausible(findings: Iterable[Path]) -> list[bool]:
    """For the file of each walk's findings, whether there are results, all were checked, and none was refused."""
    found = [read_outcome(path, Findings) for path in findings]
    return [isinstance(own, Findings) and own.complete and not own.refused for own in found]
