"""Stage: curves and measures of agreement of a predicted walk with its measured walk, or the nearest of its session."""

from __future__ import annotations

from pathlib import Path

from pipeline.analysis import compare, nearest_walk
from pipeline.results import load_norm, read_stage, read_status
from pipeline.trial import GaitCycles, PredictedComparison, PredictedWalk, WholeBody
from pipeline.workflow.predictions import stored_walk


def run(
    prediction: PredictedWalk, walks: tuple[Path, ...], bodies: tuple[Path, ...], norm: Path | None = None
) -> PredictedComparison:
    """Compare with one of the walks; those that failed are left out, their own pages say why.

    Args:
        prediction: the walk.
        walks: cycles of the walk that was asked for alone, or of all walks of the subject.
        bodies: these walks on the skeleton.
        norm: file of the norm that is compared with the measured walk too.
    """
    measured = [read_stage(path, GaitCycles) for path in walks if read_status(path)[1] is None]
    nearest = nearest_walk(prediction, measured)
    body = stored_walk(nearest.name, bodies, WholeBody) if nearest else None
    return compare(prediction, nearest, body, load_norm(norm) if norm else None)
