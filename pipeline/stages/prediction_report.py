"""Stage: the page of a predicted walk, with a measured walk of the same subject."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration, Prediction
from pipeline.provenance import Provenance
from pipeline.reporting import MeasuredWalk, write_failed_prediction_report, write_prediction_report
from pipeline.results import Failure, read_best_iterate
from pipeline.trial import GaitCycles, Kinematics, MuscleLoads, PredictedComparison, PredictedWalk, WholeBody
from pipeline.workflow.predictions import prediction_entry, stored_walk
from pipeline.workflow.report_runs import PageOf, run_of_session


def run(
    prediction: PredictedWalk,
    comparison: PredictedComparison,
    requested: Prediction,
    motions: tuple[Path, ...],
    cycles: tuple[Path, ...],
    bodies: tuple[Path, ...],
    muscles: tuple[Path, ...],
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
    unconfirmed: tuple[str, ...] = (),
) -> None:
    """Write the page; ``motions`` to ``muscles`` are files of the walks with which it may be compared."""
    subject, session, name = requested.key
    inputs = {"skeleton": prediction.skeleton}
    page = PageOf(subject, session, name, configuration, provenance, unconfirmed=unconfirmed)
    report = run_of_session([name], page, inputs)
    loads = stored_walk(comparison.walk, muscles, MuscleLoads) if prediction.muscles else None
    measured = MeasuredWalk(
        stored_walk(comparison.walk, motions, Kinematics),
        stored_walk(comparison.walk, cycles, GaitCycles) if loads else None,
        stored_walk(comparison.walk, bodies, WholeBody),
        loads,
    )
    write_prediction_report(output, prediction, comparison, report, measured)


def on_failure(
    failure: Failure,
    prediction: Path,
    requested: Prediction,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
    unconfirmed: tuple[str, ...] = (),
) -> None:
    """Write the page of a prediction without result, with the solver's best iterate if there is one."""
    subject, session, name = requested.key
    report = run_of_session([name], PageOf(subject, session, name, configuration, provenance, unconfirmed=unconfirmed))
    best = read_best_iterate(prediction, PredictedWalk)
    write_failed_prediction_report(output, prediction_entry(requested, failure), failure.step, report, best)
