"""Last steps of a study: its page, and the verdict that makes the workflow fail if a trial did.

The trials' names come from the study's tables: a year of them would not fit on a command line.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.config import Study, load_study
from pipeline.errors import PipelineError
from pipeline.provenance import library_versions
from pipeline.reporting import ReportRun, StudyEntry, read_entry, write_study_report
from pipeline.results import read_status
from pipeline.steps import predictions


def entries_of(study: Study, results: Path) -> list[StudyEntry]:
    """What became of every walk, and of every static trial that failed, in the order of the table."""
    entries = []
    for name, trial in study.trials.items():
        if trial.kind == "walk":
            entries.append(read_entry(results / name / "entry.json"))
            continue
        _, failure = read_status(results / name / "raw.h5")
        if failure:
            entries.append(StudyEntry(trial.subject, name, failed_step=failure.step, reason=failure.reason))
    return entries


def sentence(entry: StudyEntry) -> str:
    """What became of a failed trial, in one line."""
    return f"{entry.trial} failed at {entry.failed_step}: {entry.reason}"


def main() -> int:
    """Write the page, or the verdict; the verdict returns 1 and writes nothing if a trial failed."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.steps.study", description=__doc__)
    parser.add_argument("what", choices=("page", "verdict"))
    parser.add_argument("--home", required=True, type=Path, help="folder of the Snakefile")
    parser.add_argument("--results", required=True, type=Path, help="folder of the trials' files")
    parser.add_argument("--output", required=True, type=Path, help="file to write")
    options = parser.parse_args()
    try:
        study = load_study(Path(), options.home)
        entries = entries_of(study, options.results)
        predicted = predictions.predictions_of(study, options.results)
    except PipelineError as error:
        sys.exit(str(error))
    configuration = study.configuration
    if options.what == "page":
        run = ReportRun(
            title=configuration.study.title,
            configuration=configuration.model_dump(),
            versions=library_versions(),
            predictions=predicted,
        )
        write_study_report(options.output, entries, run)
        return 0
    failed = [sentence(entry) for entry in entries if entry.status == "failed"]
    not_predicted = [predictions.sentence(entry) for entry in predicted if entry.reason]
    for sentences, count, kind in (
        (failed, len(study.trials), "trials"),
        (not_predicted, len(predicted), "predictions"),
    ):
        if sentences:
            print(f"\n{len(sentences)} of {count} {kind} failed; the others are complete:", file=sys.stderr)
            print("\n".join(f"  {text}" for text in sentences), file=sys.stderr)
    if failed or not_predicted:
        return 1
    told = f"all {len(study.trials)} trials are complete\n"
    options.output.write_text(told + (f"all {len(predicted)} predictions are complete\n" if predicted else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
