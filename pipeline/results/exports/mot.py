"""Export the coordinates of a trial's skeleton as an OpenSim motion file (rad, m) for the `osim` export's model."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipeline.results.opensim import longest_run, motion_of, storage_text, stored_results
from pipeline.trial import WholeBody
from pipeline.whole_files import write_text


def write(session: Path, trial: str, path: Path) -> None:
    """Write the coordinates of the longest run of frames in which all are known.

    With a name that ends in ``_residual_reduced.mot``, those of the residual-reduced motion are written.

    Raises:
        ResultsError: there is no such trial, it was not computed on the skeleton, or has no such motion.
    """
    body = stored_results(session, trial, WholeBody)
    frames = longest_run(np.isfinite(body.kinematic.q).all(axis=1), body.name, "coordinates")
    columns = dict(zip(body.joint_names, motion_of(body, path).q[frames].T, strict=True))
    write_text(path, storage_text(path.name, body.time[frames], columns))
