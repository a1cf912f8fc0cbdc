"""Stage: averages over all walks of a session and condition, beside a norm, and the sides compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.analysis import installed, pooled, sides_compared, summarise
from pipeline.errors import ResultsError
from pipeline.results import load_norm, read_stage, read_status
from pipeline.trial import Findings, GaitCycles, GaitSummary


def run(
    subject: str,
    cycles: tuple[Path, ...],
    summary: tuple[Path, ...],
    plausibility: tuple[Path, ...],
    norm: Path | None = None,
) -> GaitSummary:
    """Average the cycles of all walks together; those that failed or were refused are left out.

    Args:
        subject: whose walks they are.
        cycles, summary, plausibility: the walks' files of these stages.
        norm: file of the norm; None for no norm.

    Raises:
        ResultsError: every walk failed or was refused.
    """
    computed = [
        (own, means)
        for own, means, findings in zip(cycles, summary, plausibility, strict=True)
        if read_status(findings)[1] is None and not read_stage(findings, Findings).refused
    ]
    if not computed:
        raise ResultsError("no walk of the session and condition has plausible results", where=subject)
    walks = [read_stage(own, GaitCycles) for own, _ in computed]
    leg_length = float(np.mean([read_stage(means, GaitSummary).leg_length for _, means in computed]))
    together = summarise(pooled(subject, walks), leg_length, load_norm(norm) if norm else None)
    return replace(together, sides_compared=sides_compared(walks)) if installed() else together
