"""Last step of the predictions: one table and one page of all predicted walks beside the measured ones."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet

from pipeline.comparison.predicted_tidy import measure_table
from pipeline.config import Study, load_study
from pipeline.errors import PipelineError
from pipeline.provenance import library_versions
from pipeline.reporting import ReportRun
from pipeline.reporting.predicted_study_page import write_predicted_study_page
from pipeline.results import read_stage, read_status
from pipeline.trial import PredictedComparison


def comparisons_of(study: Study, results: Path) -> tuple[list[PredictedComparison], list[tuple[str, str]]]:
    """Comparisons of the predictions that name a measured walk, and name and reason of those that failed."""
    found, failed = [], []
    for name, row in study.predictions.items():
        if row.trial is None:
            continue
        path = results / "predictions" / f"{name}.comparison.h5"
        _, failure = read_status(path)
        if failure:
            failed.append((name, failure.reason))
        elif (both := read_stage(path, PredictedComparison)).asked:
            found.append(both)
        else:
            failed.append((name, f"walk {row.trial} has no whole gait cycle to compare with"))
    return found, failed


def write(study: Study, results: Path, page: Path, tables: list[Path]) -> None:
    """Write the page, and the table as Parquet or CSV by the suffix; files appear whole or not at all."""
    found, failed = comparisons_of(study, results)
    run = ReportRun(
        title=study.configuration.study.title,
        configuration=study.configuration.model_dump(),
        versions=library_versions(),
        index="index.html",
    )
    write_predicted_study_page(page, found, failed, run)
    table = measure_table(found)
    for path in tables:
        beside = path.with_name(f".{path.stem}.partial{path.suffix}")
        try:
            if path.suffix == ".parquet":
                pyarrow.parquet.write_table(table, beside, compression="zstd")
            else:
                pyarrow.csv.write_csv(table, beside)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


def main() -> None:
    """Write what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.steps.predicted_vs_measured", description=__doc__)
    parser.add_argument("--home", required=True, type=Path, help="folder of the Snakefile")
    parser.add_argument("--results", required=True, type=Path, help="folder of the trials' files")
    parser.add_argument("--page", required=True, type=Path, help="page to write")
    parser.add_argument("--tables", required=True, type=Path, nargs="+", help="tables to write")
    options = parser.parse_args()
    try:
        write(load_study(Path(), options.home), options.results, options.page, options.tables)
    except PipelineError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
