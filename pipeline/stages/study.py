"""Last steps of a study: its page and tables, and the verdict that makes the workflow fail if a trial did.

The trials' names come from the study's tables: a year of them would not fit on a command line.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from pipeline.config import HOME, Study, load_study
from pipeline.errors import PipelineError, printable
from pipeline.results import DamagedFileError
from pipeline.stages.damaged import set_aside
from pipeline.stages.entries import files_that_changed
from pipeline.stages.machine import MACHINE_ERRORS, machine_failure
from pipeline.stages.run_log import record
from pipeline.stages.verdict import verdict


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
        if options.what in ("page", "tables"):
            write(options.what, study, results, outputs)
        elif options.what == "verdict":
            return tell_verdict(study, results, outputs[0])
        elif not is_complete(study, results):
            for path in outputs:  # the results' folder may have been deleted
                path.parent.mkdir(parents=True, exist_ok=True)
            pages = [path for path in outputs if path.suffix in (".html", ".js")]
            write("page", study, results, pages)
            write("tables", study, results, [path for path in outputs if path not in pages])
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


def write(what: str, study: Study, results: Path, outputs: list[Path]) -> None:
    """Write the page or the tables; each imports much that the other does not use, and the verdict uses neither."""
    if what == "page":
        from pipeline.stages.study_page import write_page as write_files
    else:
        from pipeline.stages.study_tables import write_study_tables as write_files
    write_files(study, results, outputs)


if __name__ == "__main__":
    sys.exit(main())
