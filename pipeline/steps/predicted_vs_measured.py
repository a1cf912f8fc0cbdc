"""Last step of the predictions: tables and one page of all predicted walks beside the measured ones."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.comparison.predicted_tidy import write_predicted_tables
from pipeline.config import Study, load_study
from pipeline.errors import PipelineError
from pipeline.provenance import library_versions
from pipeline.reporting import ReportRun
from pipeline.reporting.predicted_study_page import write_predicted_study_page
from pipeline.results import read_stage, read_status
from pipeline.steps.run_log import facts, record
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
    """Write the page and the tables; those of curves have "curves" in their names. Files appear whole or not at all."""
    found, failed = comparisons_of(study, results)
    run = ReportRun(
        title=study.configuration.study.title,
        configuration=study.configuration.model_dump(),
        versions=library_versions(),
        index="index.html",
        facts=facts(set(study.predictions)),
    )
    write_predicted_study_page(page, found, failed, run)
    beside = {path: path.with_name(f".{path.stem}.partial{path.suffix}") for path in tables}
    curves, agreement = (
        [beside[path] for path in tables if ("curves" in path.name) == wanted] for wanted in (True, False)
    )
    try:
        write_predicted_tables(agreement, curves, found)
        for path in tables:
            beside[path].replace(path)
    finally:
        for path in beside.values():
            path.unlink(missing_ok=True)


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
    record("predicted_vs_measured", "", "done")


if __name__ == "__main__":
    main()
