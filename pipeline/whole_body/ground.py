"""Ground reactions on both feet of the skeleton, filtered like the motion they are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import SIDES
from pipeline.dynamics import at_frames
from pipeline.math3d import Wrench
from pipeline.signals import filtered_at_frames, ground_reaction, load_of, swing_frames
from pipeline.trial import LowPass, MarkersAndPlates, MotionAndPlates

TRANSIENT = 0.25
"""Periods of the cut-off. This close to a contact that no plate measured, the smooth motion shows its impact but the
loads lack it: on published walks the pelvis residual rises there to 15 % of body weight."""


@dataclass(frozen=True)
class GroundReactions:
    """Ground reactions of T frames.

    Attributes:
        wrenches: by foot segment, about G's origin; zero if there is no measured contact.
        known: (T,) by side, frames in which its ground reaction is known.
        all_known: (T,) frames in which both are known and the motion is valid: the pelvis residuals are defined there.
    """

    wrenches: Mapping[str, Wrench]
    known: Mapping[str, np.ndarray]
    all_known: np.ndarray

    def at(self, frames: np.ndarray | slice) -> dict[str, Wrench]:
        """The wrenches in some frames."""
        return at_frames(self.wrenches, frames)


def filtered_ground_reactions(
    walk: MarkersAndPlates, kinematics: MotionAndPlates, filter: LowPass, valid: np.ndarray
) -> GroundReactions:
    """Ground reactions by foot segment, and the frames in which they are known.

    The motion is smooth through an initial contact, and so must be its load: it is filtered in the same way and, unlike
    in the matrix form, keeps the filter's transient outside the contact. Therefore it is not known in swing near a
    contact that was not measured either.
    """
    wrenches, known = {}, {}
    window = np.ones(2 * round(TRANSIENT * walk.rate / filter.markers) + 1)
    for side in SIDES:
        swing = swing_frames(side, kinematics.events, kinematics.time)
        load = ground_reaction(side, kinematics.stances, kinematics.plates, swing)
        unknown = ~np.isfinite(load.force_G).all(axis=1)
        near = np.convolve(unknown, window)[len(window) // 2 :][: len(unknown)] > 0.0
        known[side] = ~unknown & ~(near & swing)
        force, moment = np.zeros((len(walk.time), 3)), np.zeros((len(walk.time), 3))
        for number in {p for s in kinematics.stances if s.side == side and not s.rejected for p in s.plates}:
            plate = next(plate for plate in walk.plates if plate.number == number)
            wrench = filtered_at_frames(plate, walk.analog_rate, walk.time, filter.forces, filter.order)
            wrench = wrench.about(np.zeros(3))
            frames = _nearest_contact(number, side, kinematics)
            force[frames] += np.nan_to_num(wrench.force_G[frames])
            moment[frames] += np.nan_to_num(wrench.moment_G[frames])
        wrenches[f"{side}_foot"] = Wrench(force, moment, np.zeros_like(force))
    return GroundReactions(wrenches, known, known["left"] & known["right"] & valid)


def _nearest_contact(plate: int, side: str, kinematics: MotionAndPlates) -> np.ndarray:
    """Frames (T,) whose nearest contact with a plate is a clean one of this foot."""
    frames = np.arange(len(kinematics.time))
    stances = [stance for stance in kinematics.stances if plate in stance.plates]
    away = [np.maximum(np.maximum(s.start - frames, frames - s.stop + 1), 0) for s in stances]
    nearest = np.argmin(away, axis=0)
    return np.isin(nearest, [k for k, s in enumerate(stances) if s.side == side and not s.rejected])


def ground_moments(ground: GroundReactions) -> dict[str, np.ndarray]:
    """Moment (T, 3) Nm of the load on each foot about G's origin, by side; NaN if unknown."""
    return {
        side: np.where(ground.known[side][:, None], ground.wrenches[f"{side}_foot"].moment_G, np.nan) for side in SIDES
    }


def reactions_about_cop(ground: GroundReactions, kinematics: MotionAndPlates) -> dict[str, Wrench]:
    """Load on each foot about its centre of pressure, by side; NaN if the force is too small to have one."""
    found = {}
    for side in SIDES:
        cop_G = np.full((len(kinematics.time), 3), np.nan)
        for stance in kinematics.stances:
            if stance.side == side and not stance.rejected:
                frames = slice(stance.start, stance.stop)
                cop_G[frames] = load_of(stance, kinematics.plates).cop_G[frames]
        wrench = ground.wrenches[f"{side}_foot"].about(cop_G)
        force_G = np.where(ground.known[side][:, None], wrench.force_G, np.nan)
        found[side] = Wrench(force_G, wrench.moment_G, cop_G)
    return found
