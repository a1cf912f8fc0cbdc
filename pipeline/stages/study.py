"""Last steps of a study: its page and tables, and the verdict that makes the workflow fail if a trial failed.

The names of the trials come from the study's tables, since those of a year would not fit on a command line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from pipeline.config import HOME, Study, load_study
from pipeline.errors import printable
from pipeline.results import write_sums
from pipeline.workflow.audit import Fault, audit
from pipeline.workflow.machine import reason_at_exit
from pipeline.workflow.run_log import record
from pipeline.workflow.session_folders import PREDICTED_LIST, REPORTS, lists_read
from pipeline.workflow.verdict import verdict, write_verdict

LIST = ".sha256"
"""File suffix of a list of checksums of the other files that are written."""


def main() -> int:
    """Write what is asked for; the verdict returns 1 and writes nothing if a trial failed."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages.study", description=__doc__)
    parser.add_argument("what", choices=("page", "tables", "verdict", "partial"))
    parser.add_argument("--results", required=True, type=Path, help="folder of the sessions' results")
    parser.add_argument("--output", required=True, type=Path, nargs="+", help="files to write")
    options = parser.parse_args()
    results, outputs = options.results, options.output
    with reason_at_exit():
        study = load_study(Path(), HOME)
        if options.what in ("page", "tables"):
            write(options.what, study, results, outputs)
        elif options.what == "verdict":
            return tell_verdict(study, results, outputs[0], audit(study))
        elif not is_complete(study, results):
            for path in outputs:  # the results' folder may have been deleted
                path.parent.mkdir(parents=True, exist_ok=True)
            pages = [path for path in outputs if path.suffix in (".html", ".js")]
            write("page", study, results, pages)
            write("tables", study, results, [path for path in outputs if path not in pages and path.suffix != LIST])
            tell_verdict(study, results, None)
    record(options.what, "", "done")
    return 0


def is_complete(study: Study, results: Path) -> bool:
    """Whether every session has its results, failed trials included; if so, no job was stopped."""
    measured = all(
        (session.folder(results) / name).is_dir()
        for session in study.measured_sessions
        for name in ("kinematics", "summary", "plausibility", "report")
    )
    raw = all((session.folder(results) / "raw").is_dir() for session in study.sessions)
    return measured and raw


def tell_verdict(study: Study, results: Path, output: Path | None, faults: Sequence[Fault] = ()) -> int:
    """Print the verdict, and write it if everything is complete; return 0 then, otherwise 1."""
    lines, complete = verdict(study, results, faults)
    print(printable("\n".join(lines)), file=sys.stderr)
    if not complete:
        return 1
    if output:
        write_verdict(lines, output)
    return 0


def write(what: str, study: Study, results: Path, outputs: list[Path]) -> None:
    """Write the page or the tables. Each imports much that the other and the verdict do not need."""
    if what == "page":
        from pipeline.stages.study_page import write_page as write_files
    else:
        from pipeline.stages.study_tables import write_study_tables as write_files
    listed = [path for path in outputs if path.suffix == LIST]
    files = [path for path in outputs if path.suffix != LIST]
    write_files(study, results, files)
    for path in listed:
        write_sums(path, [*files, *lists_read(study, path)])
    if what == "tables":
        remove_former(study, results, files)


def remove_former(study: Study, results: Path, tables: Collection[Path]) -> None:
    """Remove tables that the study no longer has, such as those of removed comparisons: `open_study` reads all."""
    from pipeline.results.tables import table_files

    former = [path for path in table_files(results) if path not in tables]
    if study.predictions:
        former = [path for path in former if not path.name.startswith("predicted_")]
    else:
        former += [results / "predicted_vs_measured.h5", PREDICTED_LIST, REPORTS / "predicted_vs_measured.html"]
    for path in former:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
