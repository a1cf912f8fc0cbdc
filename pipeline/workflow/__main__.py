"""Command line of the stages, for the workflow's rules: ``python -m pipeline.workflow RULE SUBJECT SESSION``."""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback
from contextlib import suppress
from pathlib import Path

from pipeline.config import HOME, RESULTS, SessionKey, load_study
from pipeline.errors import ConfigError, PipelineError
from pipeline.provenance import file_digest
from pipeline.results import DamagedFileError, seal_folder
from pipeline.workflow.jobs import JOBS, job_digest
from pipeline.workflow.machine import MACHINE_ERRORS, machine_failure, set_aside
from pipeline.workflow.origin import folders_of, origin_of, write_origin
from pipeline.workflow.progress import Progress, progress_with_log
from pipeline.workflow.run_log import record
from pipeline.workflow.session import run_stages


def main() -> int:
    """Run a job; a trial's failure is stored in its file, so the exit code is 0 unless the machine or study fails."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.workflow", description=__doc__)
    parser.add_argument("rule", choices=JOBS)
    parser.add_argument("subject")
    parser.add_argument("session")
    parser.add_argument("--job", required=True, help="digest of the job that the rule knows")
    parser.add_argument("--code", default="", help="digest of the stages' code, for the provenance of their files")
    parser.add_argument("--workers", type=int, default=1, help="number of processes among which trials are divided")
    parser.add_argument("--log", type=Path, help="file for all output except the progress")
    options = parser.parse_args()
    progress = Progress(sys.stderr)
    try:
        progress = progress_with_log(options.log)
        run(options, progress)
    except DamagedFileError as error:
        reason = set_aside(error)
    except PipelineError as error:
        reason = str(error)
    except MACHINE_ERRORS as error:
        reason = machine_failure(error)
        with suppress(OSError):  # the log is on the same disk
            traceback.print_exc()
    else:
        return 0
    progress.stopped(options.rule, f"{options.subject}/{options.session}", reason)
    return 1


def run(options: argparse.Namespace, progress: Progress) -> None:
    """Run a rule's stages on the session.

    Raises:
        ConfigError: the configuration has a mistake, or has changed since the workflow read it.
        OSError, MemoryError, DamagedFileError: the machine failed.
    """
    session = SessionKey(options.subject, options.session)
    study = load_study(Path(), HOME)
    job = JOBS[options.rule](study, session)
    if job_digest(job) != options.job:
        problem = "its configuration or files changed while the workflow ran"
        raise ConfigError(problem, where=f"session {session}", remedy="Run the workflow again")
    record("start", str(session), "done")
    origin = origin_of(job, options.code, file_digest)
    if options.rule == "predict":
        importlib.import_module("pipeline.stages.predict").run_sweeps(job, session, options.code, progress)
    else:
        run_stages(job, options.code, progress, options.workers)
    folders = folders_of(job, session)
    if options.rule == "report":
        module = importlib.import_module("pipeline.stages.study_tables")
        folders.append(module.write_tables_of_session(study, session, RESULTS))
    for folder in folders:
        write_origin(folder, origin)
        seal_folder(folder)


if __name__ == "__main__":
    sys.exit(main())
