"""Loads of the ground on both feet, as smooth as the motion that they are compared with."""

from __future__ import annotations

import numpy as np

from pipeline.config import FilterSettings
from pipeline.conventions import SIDES
from pipeline.math3d import Wrench
from pipeline.signals import ground_load, low_pass, swing_frames
from pipeline.trial import MarkersAndPlates, WalkOnPlates

REACH = 0.25
"""Periods of the cut-off: so far from a step that no plate measured, a smooth motion still shows its impact, which the
loads lack: on published walks the residual rises there to 15 % of body weight."""


def smooth_ground(
    walk: MarkersAndPlates, kinematics: WalkOnPlates, filter: FilterSettings
) -> tuple[dict[str, Wrench], dict[str, np.ndarray]]:
    """Loads of the ground by foot segment, and by side the frames (T,) in which they are known.

    The coordinates are smooth through an initial contact, and so must be the load that they are compared with: it is
    filtered like them and, unlike in the matrix form, keeps the filter's tails outside the contact. So in swing it is
    not known near a contact that was not measured, either.
    """
    ground, known = {}, {}
    reach = np.ones(2 * round(REACH * walk.rate / filter.markers) + 1)
    for side in SIDES:
        swing = swing_frames(side, kinematics.events, kinematics.time)
        load = ground_load(side, kinematics.stances, kinematics.plates, swing)
        unknown = ~np.isfinite(load.force_G).all(axis=1)
        near = np.convolve(unknown, reach)[len(reach) // 2 :][: len(unknown)] > 0.5
        known[side] = ~unknown & ~(near & swing)
        force, moment = np.zeros((len(walk.time), 3)), np.zeros((len(walk.time), 3))
        for number in {s.plate for s in kinematics.stances if s.side == side and not s.rejected}:
            plate = next(plate for plate in walk.plates if plate.number == number)
            wrench = plate.wrench
            smooth = low_pass(
                np.hstack([wrench.force_G, wrench.moment_G + np.cross(wrench.point_G, wrench.force_G)]),
                walk.analog_rate,
                filter.forces_cutoff,
                filter.order,
            )
            at_frames = np.stack([np.interp(walk.time, walk.analog_time, column) for column in smooth.T], axis=1)
            mine = _nearest_contact(number, side, kinematics)
            force[mine] += np.nan_to_num(at_frames[mine, :3])
            moment[mine] += np.nan_to_num(at_frames[mine, 3:])
        ground[f"{side}_foot"] = Wrench(force, moment, np.zeros_like(force))
    return ground, known


def _nearest_contact(plate: int, side: str, kinematics: WalkOnPlates) -> np.ndarray:
    """Frames (T,) whose nearest contact with a plate is a clean one of this foot."""
    frames = np.arange(len(kinematics.time))
    stances = [stance for stance in kinematics.stances if stance.plate == plate]
    away = [np.maximum(np.maximum(s.start - frames, frames - s.stop + 1), 0) for s in stances]
    nearest = np.argmin(away, axis=0)
    return np.isin(nearest, [k for k, s in enumerate(stances) if s.side == side and not s.rejected])
