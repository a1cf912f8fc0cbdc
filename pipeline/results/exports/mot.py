"""The coordinates of a trial's skeleton as a motion file of OpenSim, in rad and m, for the `osim` export's model."""

from __future__ import annotations

from pathlib import Path

from pipeline.results.opensim import moving_frames, storage_text, stored_body, write_text


def write(session: Path, trial: str, path: Path) -> None:
    """Write the coordinates of the longest run of frames that has them all.

    Raises:
        ResultsError: there is no such trial, or it was not computed on the skeleton.
    """
    body = stored_body(session, trial)
    frames = moving_frames(body)
    columns = dict(zip(body.joint_names, body.kinematic.q[frames].T, strict=True))
    write_text(path, storage_text(path.name, body.time[frames], columns))
