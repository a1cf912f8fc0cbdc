"""Which part of which foot is on the ground when, where it is planned, and where the load may be.

A step lasts from the right foot's initial contact to the left foot's. Each foot's stance is measured in steps from its
own initial contact: the right foot is at u, the trailing left foot at 1 + u while its double support lasts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.spatial import ConvexHull

from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.math3d import skew
from pipeline.prediction.gait.body import BALL_LATERAL, BALL_MEDIAL, CONTACT_POINTS, HEEL, TOE, Walker
from pipeline.prediction.gait.task import GaitTask

FOOT_FLAT = 0.8
"""Foot flat, share of double support: 8 % of the cycle (Perry and Burnfield 2010, loading response)."""

HEEL_OFF = 0.62
"""Heel rise, steps after initial contact: 31 % of the cycle, start of terminal stance (Perry and Burnfield 2010)."""

BALL_OFF = 0.93
"""The ball leaves, steps after initial contact: 46 % of the cycle; pre-swing rolls over the toe (toe rocker, Perry)."""

LOAD_TRANSFER = 1.4
"""The trailing foot carries the share (1 - r)^1.4 of the load at a share r of double support: 0.38 half way, where the
vertical forces of Schwartz et al. (2008) at free speed and of three published walks have 0.31 to 0.48."""

PIVOT_HEIGHT = 0.6
"""Leg length over the height of the point to which both feet push, above the hips (Maus et al. 2010)."""

MAX_PLANES = 14
"""Room for the half-planes of two areas."""


@dataclass(frozen=True)
class Schedule:
    """The plan at K nodes of a step.

    Attributes:
        touching: (side, point) -> (K,) whether the contact point is on the ground.
        planned: (side, point) -> (K, 3) where it is then, m, in G.
        share: side -> (K,) share of the ground reaction that the foot carries.
        offset: side -> (K, 3) from the zero-moment point to the foot's centre of pressure, m, in G.
        thrust: side -> (K, 3) horizontal force of the foot along the line between the feet, per vertical force of both;
            opposite for the two feet, so that it moves no resultant.
        planes: (K, P, 3) rows (a_x, a_z, b): the zero-moment point keeps a_x x + a_z z <= b.
    """

    touching: dict[tuple[str, str], np.ndarray]
    planned: dict[tuple[str, str], np.ndarray]
    share: dict[str, np.ndarray]
    offset: dict[str, np.ndarray]
    thrust: dict[str, np.ndarray]
    planes: np.ndarray

    @cached_property
    def split(self) -> dict[str, np.ndarray]:
        """Matrices (K, 6, 6) from the resultant (moment about the origin, force) to the share of each foot.

        The thrust is a force per f_y, and its moment about the origin has, with (zmp_x, zmp_z) f_y = (n_z, -n_x), the
        vertical component o x thrust f_y - (thrust_x n_x + thrust_z n_z).
        """
        matrices = {}
        for side, share in self.share.items():
            thrust, offset = self.thrust[side], self.offset[side]
            matrix = np.zeros((len(share), 6, 6))
            matrix[:] = np.eye(6)
            matrix[:, :3, 3:] = skew(offset)
            matrix *= share[:, None, None]
            matrix[:, 3:, 4] += thrust
            matrix[:, 1, 4] += np.cross(offset, thrust)[:, 1]
            matrix[:, 1, [0, 2]] -= thrust[:, [0, 2]]
            matrices[side] = matrix
        return matrices


def phase_nodes(task: GaitTask, n: int) -> np.ndarray:
    """Nodes, about n for each step, in steps from 0 on, with one at every change of contact and at mid-swing."""
    assert task.double_support is not None
    ds = task.double_support
    moments = [FOOT_FLAT * ds, ds, HEEL_OFF, BALL_OFF, task.swing_moment(0.5)]
    changes = np.unique(np.round([0.0, *(m for m in moments if 0.02 < m < 0.98), 1.0], 12))
    pieces = [np.linspace(a, b, max(1, round((b - a) * (n - 1))) + 1) for a, b in pairwise(changes)]
    step = np.concatenate([piece[:-1] for piece in pieces])
    return np.concatenate([step + i for i in range(task.n_steps)] + [[float(task.n_steps)]])


def make_schedule(walker: Walker, task: GaitTask, u: np.ndarray, *, towards_pivot: bool = True) -> Schedule:
    """The plan at places u (K,), in steps; in double support the feet push towards a pivot, or alike.

    The second step of a stride is the mirror image of the first, one step length ahead.
    """
    first = u < 1.0 if task.n_steps == 2 else np.ones(len(u), dtype=bool)
    plan = _step(walker, task, u[first], towards_pivot)
    if first.all():
        return plan
    return _joined(plan, _mirrored(_step(walker, task, u[~first] - 1.0, towards_pivot), task.step_length))


def _mirrored(plan: Schedule, ahead: float) -> Schedule:
    """The other side's plan, a distance ahead."""
    flip, swap = np.array([1.0, 1.0, -1.0]), dict(zip(SIDES, SIDES[::-1], strict=True))
    return Schedule(
        {(swap[side], point): touching for (side, point), touching in plan.touching.items()},
        {(swap[side], point): place * flip + [ahead, 0.0, 0.0] for (side, point), place in plan.planned.items()},
        {swap[side]: share for side, share in plan.share.items()},
        {swap[side]: offset * flip for side, offset in plan.offset.items()},
        {swap[side]: thrust * flip for side, thrust in plan.thrust.items()},
        plan.planes * [1.0, -1.0, 1.0] + plan.planes[:, :, [0]] * [0.0, 0.0, ahead],
    )


def _joined(one: Schedule, other: Schedule) -> Schedule:
    """One plan after the other."""

    def both(first: dict, second: dict) -> dict:
        return {key: np.concatenate([values, second[key]]) for key, values in first.items()}

    return Schedule(
        both(one.touching, other.touching),
        both(one.planned, other.planned),
        both(one.share, other.share),
        both(one.offset, other.offset),
        both(one.thrust, other.thrust),
        np.concatenate([one.planes, other.planes]),
    )


def _step(walker: Walker, task: GaitTask, u: np.ndarray, towards_pivot: bool) -> Schedule:
    """The plan of one step, which the right foot's initial contact begins."""
    assert task.double_support is not None
    ds = task.double_support
    double = u <= ds + 1e-9
    stance = {"right": u, "left": np.where(double, 1.0 + u, np.where(u >= 1.0 - 1e-9, 0.0, np.nan))}
    ankle_x = {"right": np.zeros(len(u)), "left": np.where(double, -1.0, 1.0) * task.step_length}
    touching, planned = {}, {}
    for side in SIDES:
        for point in CONTACT_POINTS:
            first, last = _contact(point, ds)
            touching[side, point] = (stance[side] >= first - 1e-9) & (stance[side] <= last + 1e-9)
            planned[side, point] = _on_ground(walker.contacts[point], side, ankle_x[side], task)
    leading = 1.0 - (1.0 - np.clip(u / ds, 0.0, 1.0)) ** LOAD_TRANSFER
    share = {"right": leading, "left": 1.0 - leading}
    centre = {side: _on_ground(_reference(walker, side), side, ankle_x[side], task) for side in SIDES}
    mixed = sum(share[side][:, None] * centre[side] for side in SIDES)
    offset = {side: np.where(double[:, None], centre[side] - mixed, 0.0) for side in SIDES}
    forward = np.where(double[:, None], centre["right"] - centre["left"], 0.0)
    forward /= np.maximum(np.linalg.norm(forward, axis=1, keepdims=True), 1e-9)
    # Each foot pushes towards the pivot: trailing forwards, leading backwards, in equal parts at mid-transfer.
    # Shares b and 1 - b with the inclination's tangent t need b (1 - b) 2 t of the vertical force.
    lean = PIVOT_HEIGHT * task.step_length / (2.0 * walker.leg_length) if towards_pivot else 0.0
    push = (2.0 * lean * leading * (1.0 - leading))[:, None] * forward
    thrust = {"right": -push, "left": push}
    planes = np.zeros((len(u), MAX_PLANES, 3))
    planes[:, :, 2] = np.inf
    for k in range(len(u)):
        filled = 0
        for side in SIDES:
            if side == "left" and not double[k]:
                continue
            corners = _on_ground(_area(walker, stance[side][k], ds), side, ankle_x[side][k], task)[:, [0, 2]]
            rows = ConvexHull(corners).equations * [1.0, 1.0, -1.0]
            rows[:, 2] -= rows[:, :2] @ offset[side][k, [0, 2]]
            planes[k, filled : filled + len(rows)] = rows
            filled += len(rows)
    return Schedule(touching, planned, share, offset, thrust, planes)


def _contact(point: str, ds: float) -> tuple[float, float]:
    """First and last moment of a point's contact, steps after initial contact."""
    return {
        HEEL: (0.0, HEEL_OFF),
        BALL_MEDIAL: (FOOT_FLAT * ds, BALL_OFF),
        BALL_LATERAL: (FOOT_FLAT * ds, BALL_OFF),
        TOE: (FOOT_FLAT * ds, 1.0 + ds),
    }[point]


def _area(walker: Walker, stance: float, ds: float) -> np.ndarray:
    if stance <= FOOT_FLAT * ds + 1e-9:
        return walker.sole["heel"]
    return walker.sole["full"] if stance < HEEL_OFF - 1e-9 else walker.sole["forefoot"]


def _reference(walker: Walker, side: str) -> np.ndarray:
    """Where the load of a foot is in double support: mid-heel of the leading, forefoot of the trailing one."""
    area = walker.sole["heel" if side == "right" else "forefoot"]
    return area.mean(axis=0)


def _on_ground(local: np.ndarray, side: str, ankle_x: np.ndarray | float, task: GaitTask) -> np.ndarray:
    """Places (..., 3) in G of sole places (x forward, z lateral) of a foot set down at its planned place."""
    assert task.step_width is not None
    s = LATERAL_SIGN[side]
    c, t = np.cos(task.toe_out), np.sin(task.toe_out)
    forward, lateral = np.asarray(local)[..., 0], np.asarray(local)[..., 1]
    x = np.asarray(ankle_x) + c * forward - t * lateral
    z = s * (task.step_width / 2.0 + t * forward + c * lateral)
    return np.stack([x, np.zeros(np.shape(x)), np.broadcast_to(z, np.shape(x))], axis=-1)
