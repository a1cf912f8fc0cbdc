"""Draft a study, describe a C3D file, find hip centres or knee axes from a trial of movement, or export a trial."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.acquisition import read_trial
from pipeline.cli.check import describe
from pipeline.cli.draft import draft_study
from pipeline.cli.hips import hip_lines
from pipeline.cli.knees import knee_lines
from pipeline.cli.marker_sets import DRAFTED
from pipeline.errors import PipelineError
from pipeline.results import export_trial


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the process's status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    init = commands.add_parser("init", help="draft the tables of a new study")
    init.add_argument("study", type=Path, help="the study's folder")
    init.add_argument("--from", dest="source", type=Path, required=True, help="folder with its C3D files")
    check = commands.add_parser("check", help="describe what the reader finds in a C3D file")
    check.add_argument("file", type=Path)
    hips = commands.add_parser("hips", help="hip centres from a trial in which both hips are moved")
    hips.add_argument("file", type=Path)
    hips.add_argument("--marker-set", type=Path, help="file of the marker set; recognised by the labels if omitted")
    knees = commands.add_parser("knees", help="turns of the knees' axes from a trial in which both knees are bent")
    knees.add_argument("file", type=Path)
    knees.add_argument("--static", type=Path, required=True, help="C3D file of the static trial")
    knees.add_argument("--marker-set", type=Path, help="file of the marker set; recognised by the labels if omitted")
    export = commands.add_parser("export", help="write one file with all results of a trial")
    export.add_argument(
        "trial", type=Path, help="a session's results and the trial: data/results/SUBJECT/SESSION/TRIAL"
    )
    export.add_argument("file", type=Path, help="file to write: NAME.h5")
    options = parser.parse_args(arguments)
    try:
        if options.command == "check":
            print(describe(read_trial(options.file)))
        elif options.command == "hips":
            print("\n".join(hip_lines(read_trial(options.file), options.marker_set)))
        elif options.command == "knees":
            print("\n".join(knee_lines(read_trial(options.file), read_trial(options.static), options.marker_set)))
        elif options.command == "export":
            export_trial(options.trial.parent, options.trial.name, options.file)
        else:
            drafts = draft_study(options.study, options.source)
            for draft in drafts:
                session = f", session {draft.session}" if draft.session else ""
                condition = f", {draft.condition}" if draft.condition else ""
                print(f"{draft.trial}: {draft.kind} of {draft.subject}{session}{condition} ({draft.remark})")
            print(f"Check the tables in {options.study / 'config'}, and fill in the sex of each subject.")
            if any(draft.marker_set == DRAFTED for draft in drafts):
                print(f"Check every guess in {options.study / 'config/marker_sets' / DRAFTED}.yaml.")
    except PipelineError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
