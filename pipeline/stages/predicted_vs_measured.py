"""Last step of the predictions: tables and one page of all predicted walks against the measured ones."""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

from pipeline.analysis import predicted_study
from pipeline.config import HOME, Prediction, Study, TrialKey, load_study
from pipeline.config.study import grouped
from pipeline.provenance import Provenance, extra_versions, library_versions
from pipeline.reporting import write_predicted_study_report
from pipeline.results import (
    Failure,
    read_computed,
    read_outcome,
    read_stage,
    verified_digest,
    write_stage,
    write_sums,
)
from pipeline.results.tables import comparison_tables, sample_tables, write_tables
from pipeline.trial import PredictedComparison, PredictedWalk
from pipeline.workflow.entries import file_of
from pipeline.workflow.machine import reason_at_exit
from pipeline.workflow.report_runs import run_of_study
from pipeline.workflow.run_log import record
from pipeline.workflow.session_folders import lists_read

Compared = tuple[Prediction, PredictedComparison]


def comparisons_of(study: Study, results: Path) -> tuple[list[Compared], list[tuple[str, str, str]]]:
    """All comparisons with what was requested, and the predictions that could not be compared with their measured walk.

    The second list has the folder of the prediction's pages, its name and the reason. It holds only predictions that
    name a measured walk.
    """
    found, failed = [], []
    for row in study.predictions.values():
        both = read_outcome(file_of(row, results, "comparisons"), PredictedComparison)
        if isinstance(both, Failure):
            reason = both.reason
        else:
            found.append((row, both))
            reason = "" if both.asked else f"walk {row.trial} has no complete gait cycle to compare with"
        if row.trial and reason:
            failed.append((folder_of(row), row.prediction, reason))
    return found, failed


def folder_of(row: Prediction) -> str:
    """Folder of the pages of a prediction's session, relative to the study's page."""
    return f"{row.subject}/{row.session}"


def condition_of(study: Study, row: Prediction, both: PredictedComparison) -> str:
    """Condition of the measured walk with which a prediction is compared."""
    walk = study.trials.get(TrialKey(row.subject, str(row.session), both.walk))
    return (walk and walk.condition) or ""


def write(study: Study, results: Path, page: Path, stage: Path, tables: list[Path], code: str) -> None:
    """Write the page, the results file of all walks together, and the tables."""
    found, failed = comparisons_of(study, results)
    asked = [(row, both) for row, both in found if both.asked and not row.what_if]
    cases = [row for row in study.predictions.values() if row.what_if]
    by_kind = grouped(asked, lambda pair: f"{pair[0].preset} {pair[0].form}")
    together = predicted_study({kind: [both for _, both in pairs] for kind, pairs in by_kind.items()})
    versions = library_versions() | extra_versions()
    inputs = {str(row.key): verified_digest(file_of(row, results, "comparisons")) for row, _ in found}
    write_stage(stage, together, Provenance("predicted_vs_measured", inputs, "{}", code, versions))
    write_predicted_study_report(
        page,
        [(folder_of(row), both) for row, both in asked],
        [(folder_of(row), walk) for row in cases if (walk := read_computed(file_of(row, results), PredictedWalk))],
        failed,
        together,
        run_of_study(study, set(map(str, study.predictions))),
    )
    pieces = (
        comparison_tables(
            both,
            read_stage(file_of(row, results), PredictedWalk),
            str(row.session),
            condition_of(study, row, both),
            row.what_if or "",
        )
        for row, both in found
    )
    write_tables(tables, chain(pieces, [sample_tables(together)]))


def main() -> None:
    """Write the files named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages.predicted_vs_measured", description=__doc__)
    parser.add_argument("--results", required=True, type=Path, help="folder of the sessions' results")
    parser.add_argument("--page", required=True, type=Path, help="page to write")
    parser.add_argument("--stage", required=True, type=Path, help="results file to write")
    parser.add_argument("--tables", required=True, type=Path, nargs="+", help="tables to write")
    parser.add_argument("--list", required=True, type=Path, help="list of the checksums of these to write")
    parser.add_argument("--code", default="", help="digest of the code, for the file's provenance")
    options = parser.parse_args()
    with reason_at_exit():
        study = load_study(Path(), HOME)
        write(study, options.results, options.page, options.stage, options.tables, options.code)
        read = lists_read(study, options.list)
        write_sums(options.list, [options.page, options.stage, *options.tables, *read])
    record("predicted_vs_measured", "", "done")


if __name__ == "__main__":
    main()
