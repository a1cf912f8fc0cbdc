"""Step: a C3D file to a recording in SI units and in G."""

from __future__ import annotations

from pathlib import Path

from pipeline.acquisition import AxisOverrides, read_trial
from pipeline.errors import AcquisitionError
from pipeline.stages.memory import memory_limit
from pipeline.trial import RawTrial

ROOM = 3 * 2**30
"""Address space that any trial may take, bytes; most of it is libraries."""

PER_BYTE = 40
"""Further address space for each byte of the file: integers become several arrays of doubles."""


def run(c3d: Path, name: str, axes: AxisOverrides) -> RawTrial:
    """Read the file; one whose header claims more than the file can hold is refused rather than allocated."""
    try:
        with memory_limit(ROOM + PER_BYTE * c3d.stat().st_size):
            return read_trial(c3d, name=name, overrides=axes)
    except MemoryError:
        raise AcquisitionError(
            f"reading its {c3d.stat().st_size} bytes takes far more memory than they can fill",
            where=c3d.name,
            remedy="Its header is damaged: export the file again",
        ) from None
