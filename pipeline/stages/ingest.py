"""Stage: read a file as a recording in SI units and in G, with the labels of its marker set."""

from __future__ import annotations

from pathlib import Path

from pipeline.acquisition import AxisOverrides, check_size, read_trial
from pipeline.anatomy import load_marker_set, with_set_labels
from pipeline.errors import AcquisitionError
from pipeline.provenance import file_digest
from pipeline.trial import Part, RawTrial
from pipeline.workflow.machine import memory_limit

ROOM = 3 * 2**30
"""Address space that any trial may use, bytes; most of it is taken by libraries."""

PER_BYTE = 40
"""Further address space per byte of the file, bytes: integers become several arrays of doubles."""


def run(
    file: str,
    trial: str,
    axes: AxisOverrides,
    marker_set: Path,
    recording: Path | None = None,
    forces: Path | None = None,
    part: Part | None = None,
) -> RawTrial:
    """Read the file; if its header claims more than the file can hold, refuse it instead of allocating memory.

    ``file`` is its name in the study's table, ``recording`` its path, if there is one, and ``forces`` the storage file
    of its ground reactions. The recording gets the labels of the marker set; ``part`` of it is the trial.

    Raises:
        AcquisitionError: there is no such file, it cannot be read, what it declares cannot be true, or its markers
            cannot be those of a body.
        OSError: the file changed while it was read, whatever the result.
    """
    if recording is None:
        problem = "there is no such file, in data/raw or relative to the study's folder"
        remedy = "Put it back, or remove the trial from config/trials.tsv"
        if "\\" in file:
            remedy = "Separate folders by / instead of \\ in config/trials.tsv"
        raise AcquisitionError(problem, where=file, remedy=remedy)
    files = [path for path in (recording, forces) if path]
    before, size = [file_digest(path) for path in files], sum(path.stat().st_size for path in files)
    try:
        with memory_limit(ROOM + PER_BYTE * size):
            read = read_trial(recording, forces=forces, name=trial, overrides=axes, part=part)
    except MemoryError:
        raise AcquisitionError(
            f"reading its {size} bytes needs far more memory than they can fill",
            where=recording.name,
            remedy="Its header is damaged: export the file again",
        ) from None
    finally:
        if [file_digest(path) for path in files] != before:
            raise OSError(f"{recording} changed while it was read; run the workflow again when it is complete")
    check_size(read)
    return with_set_labels(read, load_marker_set(marker_set))
