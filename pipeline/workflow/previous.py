"""Results of the last run, for the trials of a session in which nothing changed.

A rule computes a session as a whole, and Snakemake deletes the folders that it will write. Before a run, the results of
sessions in which something changed are linked in another folder (`keeping_results`); a link needs no space. A file of a
stage states the digests of everything it was made from (`Provenance`). If these are the present ones, the stage takes
the file over instead of computing it (`take_over`). The links are deleted after the run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.config import RESULTS, SessionKey
from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results import read_provenance
from pipeline.whole_files import files_in

PREVIOUS = RESULTS / ".previous"
"""Folder of the links, relative to the study's folder, in the order of the results: SUBJECT/SESSION/STAGE/TRIAL.h5."""


@contextmanager
def keeping_results(study: Path, sessions: Iterable[SessionKey]) -> Iterator[None]:
    """Link the results of sessions for the time of a run; on a file system without hard links, nothing is kept."""
    kept = study / PREVIOUS
    shutil.rmtree(kept, ignore_errors=True)  # of a run that was killed
    try:
        with suppress(OSError):
            for session in sessions:
                for path in files_in(study / session.folder(), "*/*.h5"):
                    link = kept / path.relative_to(study / RESULTS)
                    link.parent.mkdir(parents=True, exist_ok=True)
                    os.link(path, link)
        yield
    finally:
        shutil.rmtree(kept, ignore_errors=True)


def kept_file(output: Path) -> Path | None:
    """The file that the last run made under a name relative to the study, the current folder; None if there is none."""
    kept = PREVIOUS / output.relative_to(RESULTS) if output.is_relative_to(RESULTS) else None
    return kept if kept and kept.is_file() else None


def take_over(output: Path, provenance: Provenance) -> bool:
    """Give the file of the last run its name again if it holds a value of the same provenance; whether it does.

    Args:
        output: file of a stage to write, relative to the study's folder, which is the current one.
        provenance: that the stage's value would have now.
    """
    kept = kept_file(output)
    with suppress(ResultsError, OSError):  # damaged, or of another version
        if kept and read_provenance(kept) == provenance:
            os.link(kept, output)
            return True
    return False
