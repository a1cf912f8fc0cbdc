"""Ground reaction of least effort over contact points of the feet, as other programs estimate it.

After R. Fluit, M. S. Andersen, S. Kolk, N. Verdonschot, H. F. J. M. Koopman (2014), Prediction of ground reaction
forces and moments during various activities of daily living, Journal of Biomechanics 47(10), 2321-2329: twelve points
under each foot can push, and by friction pull along the floor; a point is stronger the closer to the floor and the
slower it is. Of all forces that balance the motion, those with the smallest sum of squares over strength are taken. The
muscles, which share in the effort there, are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.optimize import nnls

from pipeline.conventions import GRAVITY, SIDES, X, Y, Z
from pipeline.ground_from_motion.estimate import WalkingBody
from pipeline.math3d import Wrench

ALONG = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25)
ACROSS = (-0.2, 0.2)
"""Positions of the points as fractions of the length from heel to toe marker; beyond the toe marker at its height."""

HEIGHT, SPEED, STRENGTH, FRICTION = 0.03, 0.8, 0.4, 0.5
"""m and m/s at which a point has no strength left (at half of each it has all), body weights, coefficient."""

EXACT = 1e3
"""Weight of the balance relative to the effort."""


def least_effort(
    walk: WalkingBody, feet: Mapping[str, tuple[np.ndarray, np.ndarray]], offset_G: np.ndarray
) -> dict[str, Wrench]:
    """Loads of both feet by side, at the centre of pressure.

    Args:
        walk: the motion and its contacts.
        feet: heel and toe (T, 3) m in G by side.
        offset_G: (3,) m, of the zero-moment point, as the package finds it.
    """
    weight = walk.mass * GRAVITY
    force = walk.force_G / weight
    moment = (walk.moment_G + np.cross(offset_G, walk.force_G) * [1.0, 0.0, 1.0]) / weight
    points, strengths = zip(*(_points(walk, side, *feet[side]) for side in SIDES), strict=True)
    point, strength = np.concatenate(points, axis=1), np.concatenate(strengths, axis=1)
    point[:, :, Y] = walk.floor
    rays = np.array([[FRICTION * dx, 1.0, FRICTION * dz] for dx, dz in ((1, 1), (1, -1), (-1, 1), (-1, -1))])
    half, found = point.shape[1] // 2, {side: np.zeros((2, len(force), 3)) for side in SIDES}
    for k in np.flatnonzero(walk.known):
        used = np.flatnonzero(strength[k] > 0.01)
        if not len(used):
            continue
        at = np.repeat(point[k, used], len(rays), axis=0)
        push = np.tile(rays, (len(used), 1))
        balance = EXACT * np.hstack([push, np.cross(at, push)]).T
        effort = np.diag(1.0 / np.repeat(STRENGTH * strength[k, used], len(rays)))
        wanted = np.concatenate([EXACT * force[k], EXACT * moment[k], np.zeros(len(effort))])
        pushes = nnls(np.vstack([balance, effort]), wanted, maxiter=2000)[0][:, None] * push
        for side, own in zip(SIDES, (used < half, used >= half), strict=True):
            of_side = np.repeat(own, len(rays))
            found[side][0, k] = pushes[of_side].sum(axis=0)
            found[side][1, k] = np.cross(at[of_side], pushes[of_side]).sum(axis=0)
    return {side: _at_pressure(weight * found[side][0], weight * found[side][1], walk.floor) for side in SIDES}


def _points(walk: WalkingBody, side: str, heel_G: np.ndarray, toe_G: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (T, N, 3) of a foot, and their strength (T, N) from 0 to 1; none where the foot's frame is not known."""
    frames = [f for c, f in zip(walk.contacts, walk.frames, strict=True) if c.side == side and f is not None]
    length = float(np.median([frame.length for frame in frames])) if frames else 1.0
    along = np.nan_to_num(toe_G - heel_G)
    lateral = np.cross(along, [0.0, 1.0, 0.0])
    lateral /= np.linalg.norm(lateral, axis=1, keepdims=True) + 1e-9
    flat = [np.median([f.heel_G[Y] for f in frames]) - walk.floor if frames else 0.0]
    flat.append(float(np.quantile(toe_G[np.isfinite(toe_G[:, Y]), Y], 0.1)) - walk.floor)
    points, strengths = [], []
    for a in ALONG:
        height = np.array([1.0 - min(a, 1.0), min(a, 1.0)]) @ [heel_G[:, Y] - flat[0], toe_G[:, Y] - flat[1]]
        for c in ACROSS:
            point = np.nan_to_num(heel_G) + a * along + c * length * lateral
            speed = np.linalg.norm(np.gradient(point, walk.time, axis=0), axis=1)
            near = np.clip(2.0 - 2.0 * np.abs(height - walk.floor) / HEIGHT, 0.0, 1.0)
            slow = np.clip(2.0 - 2.0 * speed / SPEED, 0.0, 1.0)
            points.append(point)
            strengths.append(np.nan_to_num(near * slow))
    return np.stack(points, axis=1), np.stack(strengths, axis=1)


def _at_pressure(force_G: np.ndarray, moment_G: np.ndarray, floor: float) -> Wrench:
    """A load about G's origin at its centre of pressure; NaN without load."""
    fy = np.where(force_G[:, Y] > 1e-6, force_G[:, Y], np.nan)
    x, z = (moment_G[:, Z] + floor * force_G[:, X]) / fy, (floor * force_G[:, Z] - moment_G[:, X]) / fy
    point = np.stack([x, np.full(len(fy), floor), z], axis=1)
    free = np.nan_to_num(moment_G - np.cross(point, force_G)) * [0.0, 1.0, 0.0]
    return Wrench(force_G, free, point)
