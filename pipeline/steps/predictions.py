"""What became of a study's predicted walks, for its page and its verdict."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Prediction, Study
from pipeline.reporting.prediction_page import PredictionEntry
from pipeline.results import Failure, read_stage, read_status
from pipeline.trial import PredictedWalk, SolverReport


def page_of(prediction: str) -> str:
    """Address of a prediction's page from the study's page."""
    return f"prediction_{prediction}.html"


def predictions_of(study: Study, results: Path) -> tuple[PredictionEntry, ...]:
    """Lines of all predictions, in the order of the table.

    Args:
        study: the study.
        results: folder of the trials' files, with the predictions in ``predictions``.

    Raises:
        ResultsError: a prediction's file is missing or of another version.
    """
    entries = []
    for name, row in study.predictions.items():
        path = results / "predictions" / f"{name}.h5"
        _, failure = read_status(path)
        solver = None if failure else read_stage(path, PredictedWalk).solver
        entries.append(prediction_entry(row, failure, solver))
    return tuple(entries)


def prediction_entry(row: Prediction, failure: Failure | None, solver: SolverReport | None = None) -> PredictionEntry:
    """The line of a prediction that failed, or that a solver ended."""
    return PredictionEntry(
        prediction=row.prediction,
        subject=row.subject,
        page=page_of(row.prediction),
        speed=row.speed_m_s,
        step_length=row.step_length_m,
        preset=row.preset,
        reason=failure.reason if failure else "",
        ended=solver.ended if solver else "",
        iterations=solver.iterations if solver else 0,
    )


def sentence(entry: PredictionEntry) -> str:
    """What became of a failed prediction, in one line."""
    return f"prediction {entry.prediction} failed: {entry.reason}"
