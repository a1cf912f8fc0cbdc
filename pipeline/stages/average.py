"""Stage: averages over all walks of a session and condition, compared with a norm and between sides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.analysis import installed, person_notes, pooled, repeated_notes, sides_compared, summarise
from pipeline.errors import ResultsError
from pipeline.results import load_norm, plausible, read_stage
from pipeline.trial import BodyMass, GaitCycles, GaitSummary


def run(
    subject: str,
    cycles: tuple[Path, ...],
    summary: tuple[Path, ...],
    plausibility: tuple[Path, ...],
    inverse_dynamics: tuple[Path, ...],
    norm: Path | None = None,
    age: float | None = None,
) -> GaitSummary:
    """Average the cycles of all walks, by the files of their stages; walks that failed or were refused are left out.

    The subject's age is in years, None if it is not known; without a file of a norm there is none.

    Raises:
        ResultsError: every walk failed or was refused.
    """
    every = zip(cycles, summary, inverse_dynamics, strict=True)
    computed = [files for files, use in zip(every, plausible(plausibility), strict=True) if use]
    if not computed:
        raise ResultsError("no walk of the session and condition has plausible results", where=subject)
    walks = [read_stage(own, GaitCycles) for own, *_ in computed]
    leg_lengths = {
        own.name: read_stage(files[1], GaitSummary).leg_length for own, files in zip(walks, computed, strict=True)
    }
    masses = {own.name: read_stage(files[2], BodyMass).mass for own, files in zip(walks, computed, strict=True)}
    leg_length = float(np.mean(list(leg_lengths.values())))
    together = summarise(pooled(subject, walks), leg_length, load_norm(norm) if norm else None, age=age)
    of_walks = (*person_notes(masses, leg_lengths), *repeated_notes({walk.name: walk for walk in walks}))
    together = replace(together, notes=(*of_walks, *together.notes))
    return replace(together, sides_compared=sides_compared(walks)) if installed() else together
