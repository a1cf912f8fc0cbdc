"""Stage: the page of a predicted walk, with a measured walk of the same subject."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Prediction
from pipeline.reporting import MeasuredWalk, write_failed_prediction_report, write_prediction_report
from pipeline.results import Failure, read_best_iterate
from pipeline.trial import GaitCycles, Kinematics, MuscleLoads, PredictedComparison, PredictedWalk, WholeBody
from pipeline.workflow.entries import prediction_entry, stored_walk
from pipeline.workflow.report_runs import PageOf, run_of_session


def run(
    prediction: PredictedWalk,
    comparison: PredictedComparison,
    motions: tuple[Path, ...],
    cycles: tuple[Path, ...],
    bodies: tuple[Path, ...],
    muscles: tuple[Path, ...],
    page: PageOf,
    output: Path,
) -> None:
    """Write the page; ``motions`` to ``muscles`` are files of the walks with which it may be compared."""
    report = run_of_session([page.trial], page, {"skeleton": prediction.skeleton})
    loads = stored_walk(comparison.walk, muscles, MuscleLoads) if prediction.muscles else None
    measured = MeasuredWalk(
        stored_walk(comparison.walk, motions, Kinematics),
        stored_walk(comparison.walk, cycles, GaitCycles) if loads else None,
        stored_walk(comparison.walk, bodies, WholeBody),
        loads,
    )
    write_prediction_report(output, prediction, comparison, report, measured)


def on_failure(failure: Failure, prediction: Path, requested: Prediction, page: PageOf, output: Path) -> None:
    """Write the page of a prediction without result, with the solver's best iterate if there is one."""
    report = run_of_session([page.trial], page)
    best = read_best_iterate(prediction, PredictedWalk)
    write_failed_prediction_report(output, prediction_entry(requested, failure), failure.step, report, best)
