"""Exports of one trial: one module per kind of file, named after the file's suffix, whose `write` makes the file."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

from pipeline.errors import ResultsError


def export_trial(session: Path, trial: str, path: Path) -> list[str]:
    """Write one file with a trial's results, for another program or for sharing.

    Args:
        session: folder of the session's results.
        trial: name of the trial.
        path: file to write; replaced if it exists. Its suffix determines the kind of file.

    Returns:
        Notes on what is otherwise in the file than in the results, such as names of markers.

    Raises:
        ResultsError: there is no such trial, one of its files cannot be read, it lacks the results that the file needs,
            or there is no such kind of file.
    """
    kinds = [module.name for module in pkgutil.iter_modules(__path__)]
    kind = path.suffix.removeprefix(".")
    if kind not in kinds:
        remedy = f"Use a file name that ends in {' or '.join(f'.{known}' for known in kinds)}"
        raise ResultsError(f"files of the kind '{path.suffix}' are not exported", where=str(path), remedy=remedy)
    notes: list[str] | None = importlib.import_module(f"{__name__}.{kind}").write(session, trial, path)
    return notes or []
