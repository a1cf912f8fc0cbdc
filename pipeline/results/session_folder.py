"""Files of a session: a folder for each stage, with a file for each trial."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import ResultsError

STAGES = (
    *("raw", "kinematics", "inverse_dynamics", "cutoff_peaks", "cycles", "summary", "emg", "plausibility"),
    *("whole_body", "ground_from_motion", "muscles", "uncertainty"),
)
"""Folders of the stages of a trial, in the order of computation."""


def stage_files(session: Path, trial: str) -> dict[str, Path]:
    """The existing files of a trial, by stage.

    Args:
        session: folder of the session's results, such as data/results/SUBJECT/SESSION.
        trial: name of the trial.

    Raises:
        ResultsError: the session has no results of such a trial.
    """
    files = {name: session / name / f"{trial}.h5" for name in STAGES}
    found = {name: path for name, path in files.items() if path.is_file()}
    if not found:
        raise ResultsError(f"has no trial '{trial}'", where=str(session), remedy="Run the workflow, or check the name")
    return found
