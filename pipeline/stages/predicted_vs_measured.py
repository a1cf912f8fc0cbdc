"""Last step of the predictions: tables and one page of all predicted walks beside the measured ones."""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from pathlib import Path

from pipeline.analysis import predicted_study
from pipeline.config import Study, load_study
from pipeline.errors import PipelineError
from pipeline.provenance import Provenance, extra_versions, file_digest, library_versions
from pipeline.reporting import write_predicted_study_report
from pipeline.results import read_stage, read_status, write_stage
from pipeline.results.tables import comparison_tables, sample_tables, write_tables
from pipeline.stages.report_runs import run_of_many
from pipeline.stages.run_log import record
from pipeline.trial import PredictedComparison, PredictedWalk


def comparison_of(prediction: str, results: Path) -> Path:
    """File of a prediction's comparison with a measured walk."""
    return results / "predictions" / f"{prediction}.comparison.h5"


def comparisons_of(study: Study, results: Path) -> tuple[list[PredictedComparison], list[tuple[str, str]]]:
    """All comparisons, and name and reason of the predictions that name a measured walk and have none with it."""
    found, failed = [], []
    for name, row in study.predictions.items():
        path = comparison_of(name, results)
        _, failure = read_status(path)
        both = None if failure else read_stage(path, PredictedComparison)
        if both:
            found.append(both)
        if failure and row.trial:
            failed.append((name, failure.reason))
        elif row.trial and both and not both.asked:
            failed.append((name, f"walk {row.trial} has no whole gait cycle to compare with"))
    return found, failed


def write(study: Study, results: Path, page: Path, stage: Path, tables: list[Path], code: str) -> None:
    """Write the page, what the walks say together as a results file, and the tables."""
    found, failed = comparisons_of(study, results)
    asked = [both for both in found if both.asked]
    by_kind: dict[str, list[PredictedComparison]] = {}
    for both in asked:
        row = study.predictions[both.name]
        by_kind.setdefault(f"{row.preset} {row.form}", []).append(both)
    together = predicted_study(by_kind)
    versions = library_versions() | extra_versions()
    inputs = {both.name: file_digest(comparison_of(both.name, results)) for both in found}
    write_stage(stage, together, Provenance("predicted_vs_measured", inputs, "{}", code, versions))
    write_predicted_study_report(page, asked, failed, together, run_of_many(study, set(study.predictions)))
    pieces = (
        comparison_tables(both, read_stage(results / "predictions" / f"{both.name}.h5", PredictedWalk).solver)
        for both in found
    )
    write_tables(tables, chain(pieces, [sample_tables(together)]))


def main() -> None:
    """Write what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages.predicted_vs_measured", description=__doc__)
    parser.add_argument("--home", required=True, type=Path, help="folder of the Snakefile")
    parser.add_argument("--results", required=True, type=Path, help="folder of the trials' files")
    parser.add_argument("--page", required=True, type=Path, help="page to write")
    parser.add_argument("--stage", required=True, type=Path, help="results file to write")
    parser.add_argument("--tables", required=True, type=Path, nargs="+", help="tables to write")
    parser.add_argument("--code", default="", help="digest of the code, for the file's provenance")
    options = parser.parse_args()
    try:
        study = load_study(Path(), options.home)
        write(study, options.results, options.page, options.stage, options.tables, options.code)
    except PipelineError as error:
        sys.exit(str(error))
    record("predicted_vs_measured", "", "done")


if __name__ == "__main__":
    main()
