"""Stage: curves and measures of agreement of a predicted walk with its measured walk, or the closest of its session."""

from __future__ import annotations

from pathlib import Path

from pipeline.analysis import compare, nearest_walk
from pipeline.results import load_norm, read_computed
from pipeline.trial import GaitCycles, PredictedComparison, PredictedWalk, WholeBody
from pipeline.workflow.entries import stored_walk


def run(
    prediction: PredictedWalk, walks: tuple[Path, ...], bodies: tuple[Path, ...], norm: Path | None = None
) -> PredictedComparison:
    """Compare a prediction with one of the measured walks; walks that failed are left out.

    ``walks`` are files of the cycles of the one walk that was asked for, or of all walks of the subject; ``bodies``
    those of these walks on the skeleton. The norm, if any, is also compared with the measured walk.
    """
    measured = [found for path in walks if (found := read_computed(path, GaitCycles))]
    nearest = nearest_walk(prediction, measured)
    body = stored_walk(nearest.name, bodies, WholeBody) if nearest else None
    return compare(prediction, nearest, body, load_norm(norm) if norm else None)
