"""Select the walks with usable results: neither failed nor refused, and fully checked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.results import read_outcome
from pipeline.trial import Findings


def plausible(findings: Iterable[Path]) -> list[bool]:
    """For each file of findings, whether the walk has results, all checks were made, and none refused them."""
    found = [read_outcome(path, Findings) for path in findings]
    return [isinstance(own, Findings) and own.complete and not own.refused for own in found]
