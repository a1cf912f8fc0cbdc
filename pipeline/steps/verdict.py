"""Last step of a study: names the trials that failed, and ends with status 1 if there are any."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from pipeline.config import load_study
from pipeline.errors import PipelineError
from pipeline.results import Failure, read_status


def sentence(trial: str, failure: Failure) -> str:
    """What became of a trial, in one line."""
    whose = "" if failure.trial == trial else f", as {failure.trial} did"
    hint = f" (see logs/{failure.trial}/{failure.step}.log)" if failure.defect else ""
    return f"{trial} failed at {failure.step}{whose}: {failure.reason}{hint}"


def failures_of(files: Mapping[str, Path]) -> dict[str, Failure]:
    """Failures by trial, from the last file of each trial."""
    statuses = {trial: read_status(path)[1] for trial, path in files.items()}
    return {trial: failure for trial, failure in statuses.items() if failure}


def main() -> int:
    """Write the verdict if all is well; else print it and return 1.

    The trials' names come from the study's table: a year of them would not fit on a command line.
    """
    parser = argparse.ArgumentParser(prog="python -m pipeline.steps.verdict", description=__doc__)
    parser.add_argument("--home", required=True, type=Path, help="folder of the Snakefile")
    parser.add_argument("--results", required=True, type=Path, help="folder of the trials' files")
    parser.add_argument("--output", required=True, type=Path, help="text file to write if no trial failed")
    options = parser.parse_args()
    try:
        trials = load_study(Path(), options.home).trials
        failures = failures_of({trial: options.results / f"{trial}.h5" for trial in trials})
    except PipelineError as error:
        sys.exit(str(error))
    if failures:
        print(f"\n{len(failures)} of {len(trials)} trials failed; the others are complete:", file=sys.stderr)
        for trial, failure in failures.items():
            print(f"  {sentence(trial, failure)}", file=sys.stderr)
        return 1
    options.output.write_text(f"all {len(trials)} trials are complete\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
