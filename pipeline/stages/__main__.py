"""Command line of the steps, for the workflow's rules: ``python -m pipeline.stages NAME --trial T ... input=FILE``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.stages.framework import Request, execute
from pipeline.stages.run_log import record


def main() -> None:
    """Run one step; its failure is in its output, so the process ends well unless the machine fails."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.stages", description=__doc__)
    parser.add_argument("step", help="name of a module in pipeline.stages")
    parser.add_argument("inputs", nargs="*", metavar="NAME=FILE", help="input files by the step's parameter")
    parser.add_argument("--trial", required=True, help="name of the trial")
    parser.add_argument("--output", required=True, type=Path, help="file to write")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=FILE", help="further file to write")
    parser.add_argument("--settings", default="{}", help="JSON object of the step's other parameters")
    parser.add_argument("--code", default="", help="digest of the step's code, for the output's provenance")
    options = parser.parse_intermixed_args()
    inputs, also = _named(options.inputs), _named(options.also)
    try:
        failure = execute(
            Request(options.step, options.trial, inputs, options.output, also, options.settings, options.code)
        )
    except PipelineError as error:  # an input that is no results file: nothing to hand on
        sys.exit(str(error))
    record(options.step, options.trial, "failed" if failure else "done")


def _named(items: list[str]) -> dict[str, Path]:
    return {name: Path(file) for name, _, file in (item.partition("=") for item in items)}


if __name__ == "__main__":
    main()
