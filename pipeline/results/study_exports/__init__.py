"""Exports of a whole study: one module per kind, whose `write` makes a folder of files."""

from __future__ import annotations

import importlib
from pathlib import Path

from pipeline.config import Study, TrialKey
from pipeline.errors import ResultsError

STUDY_EXPORTS = ("bids", "repeatability", "tidy", "wide")


def export_study(study: Study, results: Path, folder: Path, kind: str) -> dict[TrialKey, str]:
    """Write a folder of files with a study's recordings or results, for other programs.

    Args:
        study, results: the study, and the folder of its sessions' results.
        folder: a new or empty folder to write to.
        kind: one of `STUDY_EXPORTS`.

    Returns:
        By key, why walks are left out of the tables of results; empty for recordings (bids).

    Raises:
        ResultsError: there is no such kind, the folder has files already, or nothing was computed.
    """
    if kind not in STUDY_EXPORTS:
        raise ResultsError(f"there is no study export '{kind}'", remedy=f"Choose {', '.join(STUDY_EXPORTS)}")
    if folder.is_dir() and any(folder.iterdir()):
        raise ResultsError("already has files", where=str(folder), remedy="Name a new folder")
    return importlib.import_module(f"{__name__}.{kind}").write(study, results, folder)
