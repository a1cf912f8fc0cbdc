"""Motion and loads of a trial, read from its results files, as needed for OpenSim's files."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import numpy as np

from pipeline.conventions import SIDES
from pipeline.errors import ResultsError
from pipeline.math3d import Wrench
from pipeline.results.reading import read_computed, read_stage
from pipeline.results.session_folder import stage_files
from pipeline.signals import runs_of
from pipeline.trial import BodyDynamics, GroundFromMotion, MuscleLoads, RawTrial, WholeBody

T = TypeVar("T")


_NEEDED: dict[type, tuple[str, str, str]] = {
    RawTrial: ("raw", "has no recording of trial '{trial}'", "Run the workflow"),
    WholeBody: (
        "whole_body",
        "trial '{trial}' was not computed on the skeleton",
        "Set whole_body: {enabled: true} in config.yaml and run the workflow",
    ),
    MuscleLoads: (
        "muscles",
        "trial '{trial}' has no muscle forces",
        "Set muscles: {enabled: true} in config.yaml and run the workflow",
    ),
}
"""By class: its stage, and what is wrong and to be done if a trial has no file of it."""


def stored_results(session: Path, trial: str, cls: type[T]) -> T:
    """Read a trial's recording, or its results on the skeleton: RawTrial, WholeBody or MuscleLoads.

    Raises:
        ResultsError: there is no such trial, it has no such results, or they failed.
    """
    stage, problem, remedy = _NEEDED[cls]
    files = stage_files(session, trial)
    if stage not in files:
        raise ResultsError(problem.format(trial=trial), where=str(session), remedy=remedy)
    return read_stage(files[stage], cls)


REDUCED = "_residual_reduced"
"""End of a file's name (before its suffix) that selects the residual-reduced motion and its skeleton."""

ESTIMATED = "_estimated"
"""End of a file's name (before its suffix) that selects loads estimated from motion."""


def motion_of(body: WholeBody, path: Path) -> BodyDynamics:
    """The motion for a file: the kinematic one, or the residual-reduced one if the file's name selects it.

    Raises:
        ResultsError: the walk has no residual-reduced motion.
    """
    if not path.stem.endswith(REDUCED):
        return body.kinematic
    if body.residual_reduced is None:
        remedy = "See the notes on the walk's page on the skeleton"
        raise ResultsError(f"trial '{body.name}' has no residual-reduced motion", where=str(path), remedy=remedy)
    return body.residual_reduced


def loaded_frames(body: WholeBody) -> slice:
    """The longest run of frames in which the ground reactions of both feet are known.

    Raises:
        ResultsError: there is none.
    """
    return longest_run(body.loads_known, body.name, "ground reactions of both feet")


def longest_run(known: np.ndarray, trial: str, what: str) -> slice:
    """The longest run of frames that are known. Raises ResultsError if there is none."""
    runs = runs_of(known)
    if not len(runs):
        raise ResultsError(f"trial '{trial}' has no frame with {what}, so there is nothing to export")
    start, stop = max(runs.tolist(), key=lambda run: run[1] - run[0])
    return slice(start, stop)


def ground_reactions(body: WholeBody) -> dict[str, Wrench]:
    """Ground reaction on each foot about a point of the floor, by side, in the frames of `loaded_frames`.

    The point is the centre of pressure. If the force is too small to define one, the nearest in time is used, since a
    wrench may refer to any point. The loads are those of the inverse dynamics.
    """
    frames, found = loaded_frames(body), {}
    for side in SIDES:
        about_origin = Wrench(body.ground[side].force_G[frames], body.ground_moments[side][frames], np.zeros(3))
        found[side] = about_origin.about(_nearest_points(body.ground[side].point_G, frames))
    return found


def stored_estimate(session: Path, trial: str) -> GroundFromMotion:
    """Read the loads of a trial that were estimated from motion.

    Raises:
        ResultsError: there is no such trial, or none were estimated.
    """
    files = stage_files(session, trial)
    found = read_computed(files["ground_from_motion"], GroundFromMotion) if "ground_from_motion" in files else None
    if not found:
        remedy = "The walk's page says why, if it is on the skeleton (whole_body: {enabled: true} in config.yaml)"
        raise ResultsError(f"trial '{trial}' has no loads estimated from motion", where=str(session), remedy=remedy)
    return found


def estimated_wrenches(found: GroundFromMotion) -> tuple[np.ndarray, dict[str, Wrench]]:
    """Times (T,) s and estimated ground reactions, as in `ground_reactions`, of the longest run with both feet known.

    Raises:
        ResultsError: there is none.
    """
    known = np.all([np.isfinite(wrench.force_G).all(axis=1) for wrench in found.ground.values()], axis=0)
    frames, wrenches = longest_run(known, found.name, "estimated ground reactions of both feet"), {}
    for side in SIDES:
        own = found.ground[side]
        # without load there is no centre of pressure, but force and moment are zero about any point
        wrenches[side] = Wrench(own.force_G[frames], own.moment_G[frames], _nearest_points(own.point_G, frames))
    return found.time[frames], wrenches


def _nearest_points(point_G: np.ndarray, frames: slice) -> np.ndarray:
    """Centres of pressure (F, 3) in the given frames; missing ones are replaced by the nearest in time."""
    known, count = np.flatnonzero(np.isfinite(point_G).all(axis=1)), np.arange(frames.start, frames.stop)
    if not len(known):
        return np.zeros((len(count), 3))
    return point_G[known[np.abs(count[:, None] - known).argmin(axis=1)]]
