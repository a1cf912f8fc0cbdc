"""Command line of the stages, for the workflow's rules: ``python -m pipeline.stages --log FILE JOB``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.results import DamagedFileError
from pipeline.stages.damaged import set_aside
from pipeline.stages.progress import progress_with_log
from pipeline.stages.run_log import record
from pipeline.stages.session import read_stages, run_stages


def main() -> int:
    """Run stages of a session; a trial's failure is in its file, so the process ends well unless the machine fails."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages", description=__doc__)
    parser.add_argument("job", help="JSON array of stages, see pipeline.stages.session.SessionStage")
    parser.add_argument("--log", type=Path, help="file for all output but the progress")
    parser.add_argument("--code", default="", help="digest of the stages' code, for the provenance of their files")
    options = parser.parse_args()
    stages = read_stages(options.job)
    progress = progress_with_log(options.log)
    record("start", stages[0].session, "done")
    try:
        run_stages(stages, options.code, progress)
    except DamagedFileError as error:
        progress.line(set_aside(error))
        return 1
    except PipelineError as error:
        progress.line(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
