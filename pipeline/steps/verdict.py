"""Last step of a study: names the trials that failed, and ends with status 1 if there are any."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

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
    """Write the verdict if all is well; else print it and return 1."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.steps.verdict", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="TRIAL=FILE", help="last file of each trial")
    parser.add_argument("--output", required=True, type=Path, help="text file to write if no trial failed")
    options = parser.parse_args()
    files = {trial: Path(file) for trial, _, file in (item.partition("=") for item in options.files)}
    try:
        failures = failures_of(files)
    except PipelineError as error:
        sys.exit(str(error))
    if failures:
        print(f"\n{len(failures)} of {len(files)} trials failed; the others are complete:", file=sys.stderr)
        for trial, failure in failures.items():
            print(f"  {sentence(trial, failure)}", file=sys.stderr)
        return 1
    options.output.write_text(f"all {len(files)} trials are complete\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
