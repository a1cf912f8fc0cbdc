"""Last steps of a study: its page and tables, and the verdict that makes the workflow fail if a trial did.

The trials' names come from the study's tables: a year of them would not fit on a command line.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pandas as pd

from pipeline.config import HOME, GroupKey, Study, Trial, average_name, load_study
from pipeline.errors import PipelineError, printable
from pipeline.reporting import TEMPLATES, ComparisonLink, write_study_report
from pipeline.results import DamagedFileError, computed_comparisons, read_stage, read_status
from pipeline.results.tables import (
    WalkResults,
    WholeBodyWalk,
    dictionary_table,
    group_tables,
    subject_tables,
    walk_tables,
    write_tables,
)
from pipeline.stages.damaged import set_aside
from pipeline.stages.entries import entries_of, files_that_changed
from pipeline.stages.machine import MACHINE_ERRORS, machine_failure
from pipeline.stages.predictions import predictions_of
from pipeline.stages.report_runs import run_of_study
from pipeline.stages.run_log import record
from pipeline.stages.verdict import verdict
from pipeline.trial import (
    CurveUncertainty,
    Findings,
    GaitCycles,
    GaitSummary,
    InverseDynamics,
    WalkOnPlates,
    WholeBody,
)


def main() -> int:
    """Write what is named; the verdict returns 1 and writes nothing if a trial failed."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages.study", description=__doc__)
    parser.add_argument("what", choices=("page", "tables", "verdict", "partial"))
    parser.add_argument("--results", required=True, type=Path, help="folder of the sessions' results")
    parser.add_argument("--output", required=True, type=Path, nargs="+", help="files to write")
    options = parser.parse_args()
    results, outputs = options.results, options.output
    try:
        study = load_study(Path(), HOME)
        if options.what == "page":
            write_page(study, results, outputs)
        elif options.what == "tables":
            write_study_tables(study, results, outputs)
        elif options.what == "verdict":
            return tell_verdict(study, results, outputs[0])
        elif not is_complete(study, results):
            for path in outputs:  # the results' folder may have been deleted
                path.parent.mkdir(parents=True, exist_ok=True)
            write_page(study, results, [path for path in outputs if path.suffix in (".html", ".js")])
            write_study_tables(study, results, [path for path in outputs if path.suffix not in (".html", ".js")])
            tell_verdict(study, results, None)
    except DamagedFileError as error:
        sys.exit(set_aside(error))
    except PipelineError as error:
        sys.exit(str(error))
    except MACHINE_ERRORS as error:
        sys.exit(machine_failure(error))
    record(options.what, "", "done")
    return 0


def is_complete(study: Study, results: Path) -> bool:
    """Whether every session has its results, failed trials among them, so that no job was stopped."""
    measured = all(
        (session.folder(results) / name).is_dir()
        for session in study.measured_sessions
        for name in ("kinematics", "summary", "plausibility", "report")
    )
    raw = all((session.folder(results) / "raw").is_dir() for session in study.sessions)
    return measured and raw


def tell_verdict(study: Study, results: Path, output: Path | None) -> int:
    """Print the verdict and, where all is complete, write it; what was read from changed C3D files is set aside."""
    lines, complete = verdict(study, results)
    print(printable("\n".join(lines)), file=sys.stderr)
    for session in {study.trials[key].session_key for key in files_that_changed(study, results)}:
        shutil.rmtree(session.folder(results) / "raw", ignore_errors=True)
    if not complete:
        return 1
    if output:
        output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def write_page(study: Study, results: Path, outputs: list[Path]) -> None:
    """Write the study's page, and the scripts that all pages share."""
    rows = predictions_of(study, results)
    run = replace(run_of_study(study), predictions=rows, comparisons=comparison_links(study))
    for path in outputs:
        if path.suffix == ".js":
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(TEMPLATES / path.name, path)
        else:
            write_study_report(path, entries_of(study, results), run, len(study.trials) - len(study.walks))


def comparison_links(study: Study) -> tuple[ComparisonLink, ...]:
    """The comparisons of groups of walks, with the address of each page."""

    def text(group: GroupKey, side: str | None) -> str:
        return ", ".join(filter(None, (f"session {group.session}", group.condition, side)))

    return tuple(
        ComparisonLink(
            *(row.subject, row.second.session, row.comparison),
            *(text(row.first, row.first_side), text(row.second, row.second_side)),
            f"{row.subject}/{row.second.session}/comparisons/{row.comparison}.html",
        )
        for row in study.comparisons
    )


def write_study_tables(study: Study, results: Path, outputs: list[Path]) -> None:
    """Write the tidy tables, files named after them as study_curves.csv.gz."""
    walks, averages = _walks(study, results), _averages(study, results)
    compared = map(group_tables, computed_comparisons(study, results))
    write_tables(outputs, chain([dictionary_table()], map(walk_tables, walks), averages, compared))


def _walks(study: Study, results: Path) -> Iterator[WalkResults]:
    """Each computed walk with its whole skeleton, where it has one; one walk at a time, for a study has thousands."""
    for trial in study.walks:
        if not _computed(results, trial, "summary"):
            continue
        plates = read_stage(_file(results, trial, "kinematics"), WalkOnPlates)
        cycles = read_stage(_file(results, trial, "cycles"), GaitCycles)
        summary = read_stage(_file(results, trial, "summary"), GaitSummary)
        findings = read_stage(_file(results, trial, "plausibility"), Findings)
        whole = None
        if study.configuration.whole_body.enabled and _computed(results, trial, "whole_body"):
            body = read_stage(_file(results, trial, "whole_body"), WholeBody)
            whole = WholeBodyWalk(body, read_stage(_file(results, trial, "inverse_dynamics"), InverseDynamics))
        bands = None
        if study.configuration.uncertainty.enabled and _computed(results, trial, "uncertainty"):
            bands = read_stage(_file(results, trial, "uncertainty"), CurveUncertainty)
        yield WalkResults(plates, cycles, summary, findings, whole, trial.session, trial.condition or "", bands)


def _averages(study: Study, results: Path) -> Iterator[dict[str, pd.DataFrame]]:
    """The rows of the averages of each session and condition, where there are some."""
    for session in study.measured_sessions:
        for condition in study.conditions_of(session):
            path = session.folder(results) / "average" / f"{average_name(condition)}.h5"
            if path.is_file() and read_status(path)[1] is None:
                yield subject_tables(read_stage(path, GaitSummary), session.session, condition or "")


def _file(results: Path, trial: Trial, stage: str) -> Path:
    return trial.session_key.folder(results) / stage / f"{trial.trial}.h5"


def _computed(results: Path, trial: Trial, stage: str) -> bool:
    path = _file(results, trial, stage)
    return path.is_file() and read_status(path)[1] is None


if __name__ == "__main__":
    sys.exit(main())
