"""Results of a study's predicted walks, for its page and its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pipeline.config import Prediction, Study
from pipeline.reporting import PredictionEntry
from pipeline.results import Failure, read_computed, read_outcome
from pipeline.trial import PredictedWalk
from pipeline.workflow.entries import not_computed

T = TypeVar("T")


def file_of(row: Prediction, results: Path, stage: str = "predictions") -> Path:
    """File of a prediction, or of its comparison."""
    return results / row.subject / str(row.session) / stage / f"{row.prediction}.h5"


def predictions_of(study: Study, results: Path) -> tuple[PredictionEntry, ...]:
    """Lines of all predictions, in the order of the table. Raises ResultsError if a file is of another version."""
    entries = []
    for row in study.predictions.values():
        path = file_of(row, results)
        outcome = read_outcome(path, PredictedWalk) if path.is_file() else not_computed(row.key)
        entries.append(prediction_entry(row, outcome))
    return tuple(entries)


def prediction_entry(row: Prediction, outcome: PredictedWalk | Failure) -> PredictionEntry:
    """The line of a prediction that failed, or of the predicted walk."""
    failure, walk = (outcome, None) if isinstance(outcome, Failure) else (None, outcome)
    unknown = float("nan")
    return PredictionEntry(
        prediction=row.prediction,
        subject=row.subject,
        session=str(row.session),
        page=f"{row.subject}/{row.session}/predictions/{row.prediction}.html",
        walk=row.trial or "",
        speed=walk.task.speed if walk else row.speed_m_s or unknown,
        step_length=walk.task.step_length if walk else row.step_length_m or unknown,
        preset=row.preset,
        form=row.form,
        failed_step=failure.step if failure else "",
        reason=failure.reason if failure else "",
        ended=walk.solver.ended if walk else "",
        warnings=tuple(f"{one.subject}: {one.sentence}" for one in walk.findings) if walk else (),
        iterations=walk.solver.iterations if walk else 0,
    )


def stored_walk(walk: str, files: Sequence[Path], stage: type[T]) -> T | None:
    """A stage of a measured walk, given the files of several; None if the walk lacks it or failed."""
    return next((read_computed(path, stage) for path in files if path.stem == walk), None)


def sentence(entry: PredictionEntry) -> str:
    """The failure of a prediction, in one line."""
    return f"prediction {entry.subject}/{entry.session}/{entry.prediction} failed: {entry.reason}"


def warning(entry: PredictionEntry) -> str:
    """Features of a prediction that people do not show, in one line."""
    more = f"; and {len(entry.warnings) - 1} more on its page" if len(entry.warnings) > 1 else ""
    return f"prediction {entry.subject}/{entry.session}/{entry.prediction}: {entry.warnings[0]}{more}"
