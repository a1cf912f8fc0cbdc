"""Export joint moments or estimated muscle forces of a trial as an OpenSim storage file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipeline.results.opensim import loaded_frames, longest_run, motion_of, storage_text, stored_results
from pipeline.signals import runs_of
from pipeline.trial import MuscleLoads, WholeBody
from pipeline.whole_files import write_text

ACTIVATIONS, FORCES = "_activation", "_force"
"""Ends of a file's name before .sto, as in OpenSim's static optimisation."""


def write(session: Path, trial: str, path: Path) -> None:
    """Write the longest run of frames in which all columns are known.

    The end of the name selects the contents: ``_activation.sto`` the muscles' activations; ``_force.sto`` their forces
    (N) and the reserve moments (Nm), which no muscle provides; ``_residual_reduced.sto`` the generalised forces of the
    skeleton's joints (Nm and N) in the residual-reduced motion; any other end those in the kinematic motion. The
    header gives the times at which muscle forces follow from loads that are estimated from motion.

    Raises:
        ResultsError: there is no such trial, or the contents were not computed.
    """
    if path.stem.endswith((ACTIVATIONS, FORCES)):
        loads = stored_results(session, trial, MuscleLoads)
        activations = zip(loads.muscle_names, loads.activation.T, strict=True)
        columns = dict(activations) if path.stem.endswith(ACTIVATIONS) else _forces(loads)
        columns = {name: values for name, values in columns.items() if np.isfinite(values).any()}
        known = np.full(len(loads.time), bool(columns))
        for values in columns.values():
            known &= np.isfinite(values)
        frames = longest_run(known, loads.name, "muscle forces of both legs")
        time = loads.time
        remarks = _estimated(loads, frames)
    else:
        body = stored_results(session, trial, WholeBody)
        frames, time, remarks = loaded_frames(body), body.time, []
        tau = motion_of(body, path).tau
        columns = {
            f"{name}_{'force' if kind == 'P' else 'moment'}": values
            for name, kind, values in zip(body.joint_names, body.model.kind, tau.T, strict=True)
        }
    columns = {name: row[frames] for name, row in columns.items()}
    write_text(path, storage_text(path.name, time[frames], columns, remarks))


def _estimated(loads: MuscleLoads, frames: slice) -> list[str]:
    """A remark for each leg with estimated loads, with their times."""
    remarks, time = [], loads.time[frames]
    for side, estimated in loads.loads_estimated.items():
        if runs := runs_of(estimated[frames]).tolist():
            times = ", ".join(f"{time[start]:.6g} to {time[stop - 1]:.6g}" for start, stop in runs)
            remarks.append(f"Loads of the {side} leg are estimated from motion at these times in s: {times}")
    return remarks


def _forces(loads: MuscleLoads) -> dict[str, np.ndarray]:
    reserves = (f"{name}_reserve" for name in loads.coordinates)
    forces = dict(zip(loads.muscle_names, loads.force.T, strict=True))
    return forces | dict(zip(reserves, loads.reserve.T, strict=True))
