"""Last step of the predictions: tables and one page of all predicted walks beside the measured ones."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.analysis.predicted.maps import predicted_study
from pipeline.config import Prediction, Study, load_study
from pipeline.errors import PipelineError
from pipeline.provenance import Provenance, extra_versions, library_versions
from pipeline.reporting.prediction.study_page import write_predicted_study_page
from pipeline.results import DamagedFileError, read_stage, read_status, verified_digest, write_stage
from pipeline.results.tables.predicted import write_predicted_tables
from pipeline.stages.damaged import set_aside
from pipeline.stages.predictions import file_of
from pipeline.stages.report_runs import run_of_study
from pipeline.stages.run_log import record
from pipeline.trial import PredictedComparison, PredictedWalk

Compared = tuple[Prediction, PredictedComparison]


def comparisons_of(study: Study, results: Path) -> tuple[list[Compared], list[tuple[str, str, str]]]:
    """All comparisons with what was requested; and of the predictions that name a measured walk and have no comparison
    with it, the folder of their pages, name and reason."""
    found, failed = [], []
    for row in study.predictions.values():
        path = file_of(row, results, "comparisons")
        _, failure = read_status(path)
        both = None if failure else read_stage(path, PredictedComparison)
        if both:
            found.append((row, both))
        if failure and row.trial:
            failed.append((folder_of(row), row.prediction, failure.reason))
        elif row.trial and both and not both.asked:
            reason = f"walk {row.trial} has no whole gait cycle to compare with"
            failed.append((folder_of(row), row.prediction, reason))
    return found, failed


def folder_of(row: Prediction) -> str:
    """Folder of the pages of a prediction's session from the study's page."""
    return f"{row.subject}/{row.session}"


def write(study: Study, results: Path, page: Path, stage: Path, tables: list[Path], code: str) -> None:
    """Write the page, what the walks say together as a results file, and the tables; those of curves have "curves" in
    their names. Files appear whole or not at all."""
    found, failed = comparisons_of(study, results)
    asked = [(row, both) for row, both in found if both.asked]
    by_kind: dict[str, list[PredictedComparison]] = {}
    for row, both in asked:
        by_kind.setdefault(f"{row.preset} {row.form}", []).append(both)
    together = predicted_study(by_kind)
    versions = library_versions() | extra_versions()
    inputs = {str(row.key): verified_digest(file_of(row, results, "comparisons")) for row, _ in found}
    write_stage(stage, together, Provenance("predicted_vs_measured", inputs, "{}", code, versions))
    write_predicted_study_page(
        page,
        [(folder_of(row), both) for row, both in asked],
        failed,
        together,
        run_of_study(study, set(map(str, study.predictions))),
    )
    beside = {path: path.with_name(f".{path.stem}.partial{path.suffix}") for path in tables}
    curves, agreement = (
        [beside[path] for path in tables if ("curves" in path.name) == wanted] for wanted in (True, False)
    )
    try:
        solved = ((both, read_stage(file_of(row, results), PredictedWalk).solver) for row, both in found)
        write_predicted_tables(agreement, curves, solved, together)
        for path in tables:
            beside[path].replace(path)
    finally:
        for path in beside.values():
            path.unlink(missing_ok=True)


def main() -> None:
    """Write what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages.predicted_vs_measured", description=__doc__)
    parser.add_argument("--home", required=True, type=Path, help="folder of the Snakefile")
    parser.add_argument("--results", required=True, type=Path, help="folder of the sessions' results")
    parser.add_argument("--page", required=True, type=Path, help="page to write")
    parser.add_argument("--stage", required=True, type=Path, help="results file to write")
    parser.add_argument("--tables", required=True, type=Path, nargs="+", help="tables to write")
    parser.add_argument("--code", default="", help="digest of the code, for the file's provenance")
    options = parser.parse_args()
    try:
        study = load_study(Path(), options.home)
        write(study, options.results, options.page, options.stage, options.tables, options.code)
    except DamagedFileError as error:
        sys.exit(set_aside(error))
    except PipelineError as error:
        sys.exit(str(error))
    record("predicted_vs_measured", "", "done")


if __name__ == "__main__":
    main()
