"""Total load of the ground split between two feet with centres of pressure known up to a learned path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import SIDES, X, Y, Z
from pipeline.math3d import Wrench
from pipeline.signals import runs_of

HORIZONTAL = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True)
class FootOnGround:
    """One foot over T frames.

    Attributes:
        on: (T,) whether it may bear load: within its contact, widened like the smooth motion.
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
class Sharing:
    """How the load is shared.

    Attributes:
        pivot_height: (3,) m, of the virtual pivot above the floor, for the force along X and Z of G.
        share_gain: weight of the zero-moment point in the share of the feet; the rest is a smooth step in time. With 0,
            the feet share by time alone, and the zero-moment point is taken to be where these shares put it.
        widening: s, as in `FootOnGround.on`.
        balance_gain: (3,) fraction of the zero-moment point's distance from the feet, along X, Y and Z of G, by which
            the horizontal force is corrected.
        centre_height: m above the floor, of the body's centre of mass, at which that correction acts.
    """

    pivot_height: np.ndarray
    share_gain: float
    widening: float
    balance_gain: np.ndarray
    centre_height: float


@dataclass(frozen=True)
class SplitLoads:
    """Loads of both feet.

    Attributes:
        ground: by side, at the centre of pressure, with a vertical moment (free moment); zero without load.
        zmp_offset_G: (3,) m, the walk's constant offset of the zero-moment point, which is added to it.
        correction_G: (T, 3) N, horizontal force added to the motion's, at the height of the centre of mass.
        unbalanced_moment_G: (T, 3) Nm, moment of the motion and the correction about G's origin that these loads do not
            produce.
    """

    ground: Mapping[str, Wrench]
    zmp_offset_G: np.ndarray
    correction_G: np.ndarray
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
    zmp_gain: np.ndarray,
    sharing: Sharing,
) -> SplitLoads:
    """Split the load of the ground; the forces of both feet add up to it in every frame in which a foot is on it.

    First, the motion's horizontal force is corrected. An error of the centre of mass's acceleration moves the
    zero-moment point away from the feet by the error times the height of the centre over gravity. The point must lie at
    the foot in single support, and on the line between the feet in double support; its distance from there shows the
    error.

    In double support, the leading foot's share of the vertical force follows the position of the zero-moment point
    between the two centres of pressure, mixed with a smooth step over the double support (after Ren, Jones and Howard
    2008, Journal of Biomechanics 41(12), 2750-2759; their function is used if the feet share by time alone). The
    horizontal forces point to one virtual pivot above the body (Maus et al. 2010, Nature Communications 1, 70), placed
    such that their sum is the motion's. The remaining moment about the vertical is shared like the vertical force.

    Args:
        force_G, moment_G: (T, 3) N and Nm about G's origin, of the motion.
        feet: by side.
        time: (T,) s.
        floor: m, height of the floor in G.
        zmp_gain: (T, 3, 3) by which the centre of pressure follows the zero-moment point in single support, for the
            foot in contact.
        sharing: how the load is shared.
    """
    zmp = zero_moment_point(force_G, moment_G, floor)
    single = {side: feet[side].single & np.isfinite(zmp).all(axis=1) for side in SIDES}
    paths = {side: feet[side].path_G for side in SIDES}
    by_time = _share_of_right(feet, paths, zmp, time, 0.0, sharing.widening)
    if sharing.share_gain:
        apart = np.concatenate([(paths[side] - zmp)[single[side]] for side in SIDES])
        apart = apart[np.isfinite(apart).all(axis=1)]
        offset = np.median(apart, axis=0) * HORIZONTAL if len(apart) else np.zeros(3)
    else:
        offset = _mean_between_ends(_support(feet, paths, by_time) - zmp) * HORIZONTAL
    zmp = zmp + offset
    cop = {side: _following(feet[side], single[side], zmp, zmp_gain, time) for side in SIDES}
    support = _support(feet, cop, _between(cop, zmp) if sharing.share_gain else by_time)
    away = np.nan_to_num(zmp - support) * sharing.balance_gain * HORIZONTAL
    correction = away * np.nan_to_num(force_G[:, Y : Y + 1]) / sharing.centre_height
    at = np.nan_to_num(support) + sharing.centre_height * np.array([0.0, 1.0, 0.0])
    force_G, moment_G, zmp = force_G + correction, moment_G + np.cross(at, correction), zmp - away
    right = _share_of_right(feet, cop, zmp, time, sharing.share_gain, sharing.widening)
    share = {"left": np.where(feet["left"].on, 1.0 - right, 0.0), "right": np.where(feet["right"].on, right, 0.0)}
    vertical = {side: share[side] * force_G[:, Y] for side in SIDES}
    centre = sum(np.nan_to_num(cop[side]) * share[side][:, None] for side in SIDES)
    lever = force_G * HORIZONTAL / force_G[:, Y : Y + 1]  # from centre of pressure to pivot, over the pivot's height
    forces = {}
    for side in SIDES:
        direction = lever + (centre - np.nan_to_num(cop[side])) * HORIZONTAL / sharing.pivot_height
        direction[:, Y] = 1.0
        forces[side] = vertical[side][:, None] * direction
    left_over = moment_G - sum(np.cross(np.nan_to_num(cop[side]), forces[side]) for side in SIDES)
    ground = {
        side: Wrench(forces[side], share[side][:, None] * left_over * [0.0, 1.0, 0.0], cop[side]) for side in SIDES
    }
    loaded = feet["left"].on | feet["right"].on
    return SplitLoads(ground, offset, correction, np.where(loaded[:, None], left_over * HORIZONTAL, np.nan))


def _mean_between_ends(apart: np.ndarray) -> np.ndarray:
    """Mean (3,) of values (T, 3), weighted to zero at the ends of each run without a gap; zero if there is no run.

    The plain mean of noisy accelerations between two instants depends on the noise of the velocities there. Weighted by
    a raised cosine it depends on that of the positions, which is a hundred times smaller.
    """
    total, weights = np.zeros(3), 0.0
    for start, stop in runs_of(np.isfinite(apart).all(axis=1)):
        weight = np.hanning(stop - start + 2)[1:-1]
        total, weights = total + weight @ apart[start:stop], weights + weight.sum()
    return total / weights if weights else np.zeros(3)


def _support(feet: Mapping[str, FootOnGround], cop: Mapping[str, np.ndarray], along: np.ndarray) -> np.ndarray:
    """Point (T, 3) on the line from the left centre of pressure, at 0 (T,), to the right one, at 1, or the only centre;
    NaN where no foot is on the ground."""
    left, right = feet["left"].on, feet["right"].on
    line = cop["left"] + np.clip(along, 0.0, 1.0)[:, None] * (cop["right"] - cop["left"])
    alone = np.where(left[:, None], cop["left"], np.where(right[:, None], cop["right"], np.nan))
    return np.where((left & right)[:, None], line, alone)


def _between(cop: Mapping[str, np.ndarray], zmp: np.ndarray) -> np.ndarray:
    """Position (T,) of the zero-moment point on the line from the left centre of pressure (0) to the right one (1)."""
    way = (cop["right"] - cop["left"]) * HORIZONTAL
    return np.einsum("ti,ti->t", zmp - cop["left"], way) / np.einsum("ti,ti->t", way, way)


def _following(
    foot: FootOnGround, single: np.ndarray, zmp: np.ndarray, gain: np.ndarray, time: np.ndarray
) -> np.ndarray:
    """Centre of pressure (T, 3): on the path, drawn towards the zero-moment point in single support, and less and less
    with the time before and after it."""
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
    along = _between(cop, zmp)[both]
    leads = right.start[both] > left.start[both]
    start = np.where(leads, right.start[both], left.start[both]) - widening
    stop = np.where(leads, left.stop[both], right.stop[both]) + widening
    passed = np.clip((time[both] - start) / np.maximum(stop - start, 1e-6), 0.0, 1.0)
    # Used alone, Ren's function has half the vertical error of the symmetric step (6.3 against 12.1 % of body weight);
    # combined with the zero-moment point, the step is better (hip 0.145 against 0.149 Nm/kg).
    smooth = passed**2 * (3.0 - 2.0 * passed) if share_gain else 1.0 - np.exp(-((2.0 * passed) ** 3))
    smooth = np.where(leads, smooth, 1.0 - smooth)
    share[both] = share_gain * np.clip(along, 0.0, 1.0) + (1.0 - share_gain) * smooth
    return share
