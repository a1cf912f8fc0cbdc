"""Files of a session: a folder for each stage, with a file for each trial."""

from __future__ import annotations

import json
from pathlib import Path

import h5py

from pipeline.errors import ResultsError
from pipeline.results.integrity import verified_digest

STAGES = (
    *("raw", "kinematics", "inverse_dynamics", "cutoff_peaks", "cycles", "summary", "emg", "plausibility"),
    *("whole_body", "ground_from_motion", "muscles", "uncertainty"),
)
"""Folders of the stages of a trial, in the order of computation."""

OPTIONAL = STAGES[-4:]
"""Stages that settings switch off; their files remain."""


def stage_files(session: Path, trial: str) -> dict[str, Path]:
    """The existing files of a trial, by stage; without those of stages switched off since their inputs changed.

    Raises:
        ResultsError: the session, a folder such as data/results/SUBJECT/SESSION, has no results of such a trial.
    """
    files = {name: session / name / f"{trial}.h5" for name in STAGES}
    found = {name: path for name, path in files.items() if path.is_file()}
    if not found:
        raise ResultsError(f"has no trial '{trial}'", where=str(session), remedy="Run the workflow, or check the name")
    return {name: path for name, path in found.items() if name not in OPTIONAL or _is_current(path, found)}


def _is_current(path: Path, files: dict[str, Path]) -> bool:
    """Whether a file was made from the present files of the other stages; True for a damaged one, which is reported."""
    try:
        with h5py.File(path) as file:
            made_from = json.loads(file.attrs.get("inputs", "{}"))
    except OSError:
        return True
    return all(verified_digest(files[name]) == made_from[name] for name in files.keys() & made_from.keys())
