"""Last steps of a study: its pages and tables, and the verdict that makes the workflow fail if a trial did.

The trials' names come from the study's tables: a year of them would not fit on a command line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from pipeline.config import Study, load_study
from pipeline.errors import PipelineError
from pipeline.reporting import StudyEntry, read_entry, write_study_report
from pipeline.results import Failure, read_stage, read_status
from pipeline.results.tables import (
    WalkResults,
    WholeBodyWalk,
    dictionary_table,
    subject_tables,
    walk_tables,
    write_tables,
)
from pipeline.stages.predictions import predictions_of
from pipeline.stages.predictions import sentence as prediction_sentence
from pipeline.stages.report_runs import run_of_many
from pipeline.stages.run_log import record
from pipeline.stages.subject import computed_walks, write_subject
from pipeline.trial import GaitSummary, InverseDynamics, WalkOnPlates, WholeBody
from pipeline.trial.prediction import MEASURED_WALK


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
    """Write what is asked for; the verdict returns 1 and writes nothing if a trial failed."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages.study", description=__doc__)
    parser.add_argument("what", choices=("page", "subject", "tables", "verdict"))
    parser.add_argument("--home", required=True, type=Path, help="folder of the Snakefile")
    parser.add_argument("--results", required=True, type=Path, help="folder of the trials' files")
    parser.add_argument("--output", required=True, type=Path, nargs="+", help="files to write")
    parser.add_argument("--subject", default="", help="whose page to write")
    parser.add_argument("--code", default="", help="digest of the code, for the output's provenance")
    options = parser.parse_args()
    try:
        study = load_study(Path(), options.home)
        if options.what == "page":
            run = replace(run_of_many(study), predictions=predictions_of(study, options.results))
            write_study_report(options.output[0], entries_of(study, options.results), run)
        elif options.what == "subject":
            page, output = options.output
            names = {options.subject, *study.walks_of(options.subject)}
            run = run_of_many(study, names)
            write_subject(study, options.results, options.subject, page, output, run, options.code)
        elif options.what == "tables":
            write_study_tables(study, options.results, options.output)
        else:
            return verdict(study, options.results, options.output[0])
    except PipelineError as error:
        sys.exit(str(error))
    record(options.what, options.subject, "done")
    return 0


def write_study_tables(study: Study, results: Path, outputs: list[Path]) -> None:
    """Write the tidy tables, files named after them as study_curves.csv.gz."""
    walks, subjects = _walks(study, results), _subjects(study, results)
    write_tables(outputs, chain([dictionary_table()], map(walk_tables, walks), map(subject_tables, subjects)))


def _walks(study: Study, results: Path) -> Iterator[WalkResults]:
    """Each computed walk with its whole skeleton, where it has one; one body at a time, for a study has thousands."""
    for cycles, summary in computed_walks(study.names("walk"), results):
        folder = results / cycles.name
        whole = None
        if study.configuration.whole_body.enabled and read_status(folder / "whole_body.h5")[1] is None:
            whole = WholeBodyWalk(
                read_stage(folder / "whole_body.h5", WholeBody),
                read_stage(folder / "inverse_dynamics.h5", InverseDynamics),
            )
        yield WalkResults(read_stage(folder / "kinematics.h5", WalkOnPlates), cycles, summary, whole)


def _subjects(study: Study, results: Path) -> Iterator[GaitSummary]:
    """Each subject's summary of all walks, where there are some."""
    for subject in dict.fromkeys(study.trials[name].subject for name in study.names("walk")):
        path = results / f"subject.{subject}.h5"
        if read_status(path)[1] is None:
            yield read_stage(path, GaitSummary)


def not_on_skeleton(study: Study, results: Path, entries: list[StudyEntry]) -> list[Failure]:
    """Why walks that have their other results are not on the whole skeleton."""
    if not study.configuration.whole_body.enabled:
        return []
    walks = [entry.trial for entry in entries if entry.whole_body and entry.whole_body.reason]
    found = [read_status(results / name / "whole_body.h5")[1] for name in walks]
    return [failure for failure in found if failure]


def verdict(study: Study, results: Path, output: Path) -> int:
    """Say how many trials and predictions are complete, or which failed; 1 and no file in that case.

    A walk that cannot be put on the whole skeleton is named but is no failure, unless the program is at fault.
    """
    entries, predicted = entries_of(study, results), predictions_of(study, results)
    failed = [sentence(entry) for entry in entries if entry.status == "failed"]
    # A walk that failed counts as itself, and one without a gait cycle is no failure: its page says what it lacks.
    without_walk = [entry for entry in predicted if entry.failed_step == MEASURED_WALK]
    not_predicted = [prediction_sentence(entry) for entry in predicted if entry.reason and entry not in without_walk]
    if without_walk:
        print(
            f"\n{len(without_walk)} of {len(predicted)} predictions have no measured walk to follow:", file=sys.stderr
        )
        print("\n".join(f"  {prediction_sentence(entry)}" for entry in without_walk), file=sys.stderr)
    for sentences, count, kind in (
        (failed, len(study.trials), "trials"),
        (not_predicted, len(predicted), "predictions"),
    ):
        if sentences:
            print(f"\n{len(sentences)} of {count} {kind} failed; the others are complete:", file=sys.stderr)
            print("\n".join(f"  {text}" for text in sentences), file=sys.stderr)
    lacking = not_on_skeleton(study, results, entries)
    if lacking:
        share = f"{len(lacking)} of {len(study.names('walk'))} walks"
        print(f"\n{share} not on the whole skeleton; all else of them is complete:", file=sys.stderr)
        print("\n".join(f"  {failure.trial}: {failure.reason}" for failure in lacking), file=sys.stderr)
    if failed or not_predicted or any(failure.defect for failure in lacking):
        return 1
    told = f"all {len(study.trials)} trials are complete\n"
    left = len(predicted) - len(without_walk)
    output.write_text(told + (f"all {left} predictions are complete\n" if left else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
