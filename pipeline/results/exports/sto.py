"""The joint moments of a trial's skeleton, Nm and N, as a storage file like that of OpenSim's inverse dynamics."""

from __future__ import annotations

from pathlib import Path

from pipeline.results.opensim import loaded_frames, storage_text, stored_body, write_text


def write(session: Path, trial: str, path: Path) -> None:
    """Write the generalised forces of the longest run of frames with the ground reactions of both feet.

    Raises:
        ResultsError: there is no such trial, or it was not computed on the skeleton.
    """
    body = stored_body(session, trial)
    frames = loaded_frames(body)
    names = [
        f"{name}_{'force' if kind == 'P' else 'moment'}"
        for name, kind in zip(body.joint_names, body.model.kind, strict=True)
    ]
    columns = dict(zip(names, body.kinematic.tau[frames].T, strict=True))
    write_text(path, storage_text(path.name, body.time[frames], columns))
