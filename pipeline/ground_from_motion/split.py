"""Total load of the ground split between two feet whose centres of pressure are known up to a learned path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import SIDES, X, Y, Z
from pipeline.math3d import Wrench

HORIZONTAL = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True)
class FootOnGround:
    """One foot over T frames.

    Attributes:
        on: (T,) whether it may bear load: within its contact, widened as the smooth motion is.
        start, stop: (T,) s of the contact; NaN where there is none.
        path_G: (T, 3) m, centre of pressure on its path; NaN where there is no contact.
        single: (T,) whether it alone is in contact, not widened.
    """

    on: np.ndarray
    start: np.ndarray
    stop: np.ndarray
    path_G: np.ndarray
    single: np.ndarray


@dataclass(frozen=True)
class SplitLoads:
    """Loads of both feet.

    Attributes:
        ground: by side, at the centre of pressure, the moment vertical (free moment); zero without load.
        zmp_offset_G: (3,) m, the walk's constant offset of the zero-moment point, which is added to it.
        unbalanced_moment_G: (T, 3) Nm, moment of the motion about G's origin that these loads do not give.
    """

    ground: Mapping[str, Wrench]
    zmp_offset_G: np.ndarray
    unbalanced_moment_G: np.ndarray


def zero_moment_point(force_G: np.ndarray, moment_G: np.ndarray, floor: float) -> np.ndarray:
    """Point (T, 3) m on a floor at which a load, with its moment about G's origin, has no horizontal moment.

    Vukobratovic and Borovac (2004), International Journal of Humanoid Robotics 1(1), 157-173.
    """
    fy = force_G[:, Y]
    x = (moment_G[:, Z] + floor * force_G[:, X]) / fy
    z = (floor * force_G[:, Z] - moment_G[:, X]) / fy
    return np.stack([x, np.full(len(fy), floor), z], axis=1)


def split_between_feet(
    force_G: np.ndarray,
    moment_G: np.ndarray,
    feet: Mapping[str, FootOnGround],
    time: np.ndarray,
    floor: float,
    pivot_height: float,
    zmp_gain: np.ndarray,
    share_gain: float,
    widening: float,
) -> SplitLoads:
    """Split the load of the ground; the forces of both feet add up to it in every frame in which a foot is on it.

    In double support the leading foot's share of the vertical force is where the zero-moment point lies between the two
    centres of pressure, mixed with a smooth step over the double support (after Ren, Jones and Howard 2008, Journal of
    Biomechanics 41(12), 2750-2759, who have the step alone). The horizontal forces point to one virtual pivot above the
    body (Maus et al. 2010, Nature Communications 1, 70), placed such that their sum is the motion's. The moment about
    the vertical that remains is shared like the vertical force.

    Args:
        force_G, moment_G: (T, 3) N and Nm about G's origin, of the motion.
        feet: by side.
        time: (T,) s.
        floor: m, height of the floor in G.
        pivot_height: m above the floor.
        zmp_gain: (T, 3, 3) by which the centre of pressure follows the zero-moment point in single support, by foot in
            contact.
        share_gain: weight of the zero-moment point in the share.
        widening: s, as in `FootOnGround.on`.
    """
    zmp = zero_moment_point(force_G, moment_G, floor)
    single = {side: feet[side].single & np.isfinite(zmp).all(axis=1) for side in SIDES}
    apart = np.concatenate([(feet[side].path_G - zmp)[single[side]] for side in SIDES])
    apart = apart[np.isfinite(apart).all(axis=1)]
    offset = np.median(apart, axis=0) * HORIZONTAL if len(apart) else np.zeros(3)
    zmp = zmp + offset
    cop = {side: _following(feet[side], single[side], zmp, zmp_gain, time) for side in SIDES}
    right = _share_of_right(feet, cop, zmp, time, share_gain, widening)
    share = {"left": np.where(feet["left"].on, 1.0 - right, 0.0), "right": np.where(feet["right"].on, right, 0.0)}
    vertical = {side: share[side] * force_G[:, Y] for side in SIDES}
    centre = sum(np.nan_to_num(cop[side]) * share[side][:, None] for side in SIDES)
    lever = force_G * HORIZONTAL / force_G[:, Y : Y + 1]  # of the pivot above the centre of pressure, over its height
    forces = {}
    for side in SIDES:
        direction = lever + (centre - np.nan_to_num(cop[side])) * HORIZONTAL / pivot_height
        direction[:, Y] = 1.0
        forces[side] = vertical[side][:, None] * direction
    left_over = moment_G - sum(np.cross(np.nan_to_num(cop[side]), forces[side]) for side in SIDES)
    ground = {
        side: Wrench(forces[side], share[side][:, None] * left_over * [0.0, 1.0, 0.0], cop[side]) for side in SIDES
    }
    loaded = feet["left"].on | feet["right"].on
    return SplitLoads(ground, offset, np.where(loaded[:, None], left_over * HORIZONTAL, np.nan))


def _following(
    foot: FootOnGround, single: np.ndarray, zmp: np.ndarray, gain: np.ndarray, time: np.ndarray
) -> np.ndarray:
    """Centre of pressure (T, 3): on the path, drawn to the zero-moment point, the less the further from single
    support."""
    cop = foot.path_G.copy()
    for start in np.unique(foot.start[single & np.isfinite(foot.start)]):
        own = foot.start == start
        alone = np.flatnonzero(own & single & np.isfinite(cop[:, X]))
        if len(alone) < 3:
            continue
        apart = np.einsum("tij,tj->ti", gain[alone], zmp[alone] - cop[alone])
        frames = np.flatnonzero(own)
        drawn = np.stack([np.interp(time[frames], time[alone], apart[:, k]) for k in range(3)], axis=1)
        begin, end, stop = time[alone[0]], time[alone[-1]], foot.stop[alone[0]]
        before = (time[frames] - start) / max(begin - start, 1e-6)
        after = (stop - time[frames]) / max(stop - end, 1e-6)
        cop[frames] += drawn * np.clip(np.minimum(before, after), 0.0, 1.0)[:, None]
    return cop


def _share_of_right(
    feet: Mapping[str, FootOnGround],
    cop: Mapping[str, np.ndarray],
    zmp: np.ndarray,
    time: np.ndarray,
    share_gain: float,
    widening: float,
) -> np.ndarray:
    """The right foot's share (T,) of the vertical force."""
    left, right = feet["left"], feet["right"]
    share = np.where(right.on, 1.0, 0.0)
    both = np.flatnonzero(left.on & right.on)
    if not len(both):
        return share
    way = (cop["right"] - cop["left"])[both] * HORIZONTAL
    along = np.einsum("ti,ti->t", (zmp - cop["left"])[both], way) / np.einsum("ti,ti->t", way, way)
    leads = right.start[both] > left.start[both]
    start = np.where(leads, right.start[both], left.start[both]) - widening
    stop = np.where(leads, left.stop[both], right.stop[both]) + widening
    passed = np.clip((time[both] - start) / np.maximum(stop - start, 1e-6), 0.0, 1.0)
    smooth = passed**2 * (3.0 - 2.0 * passed)
    smooth = np.where(leads, smooth, 1.0 - smooth)
    share[both] = share_gain * np.clip(along, 0.0, 1.0) + (1.0 - share_gain) * smooth
    return share
