"""The contact schedule of a step: contact points and their planned positions, load sharing, and support polygons.

A step lasts from the initial contact of the right foot to that of the left. Stance time is measured in steps from the
foot's own initial contact: at u it is u for the right foot, and 1 + u for the trailing left foot in double support.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np
from scipy.spatial import ConvexHull

from pipeline.conventions import LATERAL_SIGN, SIDES, Y
from pipeline.math3d import skew
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walker import BALL_LATERAL, BALL_MEDIAL, CONTACT_POINTS, HEEL, TOE, Walker

FOOT_FLAT = 0.8
"""Foot flat, share of double support: 8 % of the cycle (loading response; Perry and Burnfield 2010)."""

BALL_OFF = 0.4
"""End of ball contact, share of the double support that ends stance. In three published walks the toe joints have risen
by 2 mm by then, a little more than the tolerance of a contact point; afterwards the toes carry the load at the tip."""

LOAD_TRANSFER = 1.3
"""The trailing foot carries the share (1 - r)^1.3 of the load at a share r of double support: 0.41 half way. The
vertical forces of Schwartz et al. (2008) at free speed and of three published walks have 0.31 to 0.48 there."""

LEADING_CENTRE = (0.05, 0.31)
"""Centre of pressure of the leading foot at its initial contact and at contralateral foot off, share of the way from
the heel's contact point to mid-forefoot. Force plates in three published walks give 0.07, 0.15, 0.21 and 0.31 at shares
of 0.1, 0.4, 0.6 and 1 of double support, and 0.08, 0.15, 0.20 and 0.29 for eleven other people."""

PIVOT_INCLINATION = 0.6
"""Tangent of the inclination of the feet's forces to a virtual pivot point (Maus et al. 2010) over half the step length
in leg lengths. From the middle of double support on, it is 0.5 to 0.7 for the mean forces of Schwartz et al. (2008)
from slow speed up and of Bovi et al. (2011) at all four speeds. With 0.6 the forces meet at 0.6 to 0.7 of stature, a
little above the hips, since centres of pressure are 0.6 to 0.8 of a step apart."""

PAD_TIME = 0.06
"""s after initial contact during which the heel's pad yields; its rate falls linearly to zero."""

FOOT_FLAT_OF_RUN, BALL_OFF_OF_RUN = 0.2, 0.9
"""Foot flat in running (De Cock et al. 2005) and end of ball contact, shares of stance; the latter is that of walking
at free speed."""

MAX_HALF_PLANES = 24
"""Of the support polygons of two feet, both before and after a change of contact."""

MIN_INTERVALS = 3
"""Between two changes of contact in double support, where the load changes fastest."""

AFTER_BALL_OFF = 0.2
"""Position of another node after ball off, share of the interval that follows: the toe joint's torque is largest there.
With the node at half of the interval, it exceeded its limit by 4.5 % between nodes in some of 108 tasks."""

NO_BREAKS = np.zeros(0)
NEAR = 0.005
"""Steps; a break of the spline this close to a change of contact gets no node of its own."""


@dataclass(frozen=True)
class Stance:
    """Changes of contact of a foot, steps after its initial contact.

    Attributes:
        flat: forefoot on the ground; 0 if the heel makes no contact.
        heel_off: 0 if the heel makes no contact.
        ball_off: from here on the tip of the toes alone is on the ground.
        off: foot off.
    """

    flat: float
    heel_off: float
    ball_off: float
    off: float

    @classmethod
    def of(cls, task: GaitTask, side: str) -> Stance:
        """The stance of a side."""
        heel_off, off = task.heel_off(side), 1.0 + task.overlap
        if task.flight:
            flat, ball_off = FOOT_FLAT_OF_RUN * off, BALL_OFF_OF_RUN * off
        else:
            flat, ball_off = FOOT_FLAT * task.overlap, 1.0 + BALL_OFF * task.overlap
        return cls(flat if heel_off > 0.0 else 0.0, heel_off, ball_off, off)

    def of_point(self, point: str) -> tuple[float, float]:
        """Start and end of a contact point's contact; no contact if the end is before the start."""
        return {
            HEEL: (0.0, self.heel_off if self.heel_off > 0.0 else -np.inf),
            BALL_MEDIAL: (self.flat, self.ball_off),
            BALL_LATERAL: (self.flat, self.ball_off),
            TOE: (self.flat, self.off),
        }[point]

    def areas(self, time: float) -> list[str]:
        """Names of the sole's areas that carry load; both at a change, since the centre of pressure does not jump."""
        ends = {"forefoot": self.ball_off, "tip": np.inf}
        if self.heel_off > 0.0:
            ends = {"heel": self.flat, "full": self.heel_off} | ends
        starts = [-np.inf, *ends.values()]
        return [
            area for start, (area, end) in zip(starts, ends.items(), strict=False) if start - 1e-9 <= time <= end + 1e-9
        ]


@dataclass(frozen=True)
class Schedule:
    """Contacts at K nodes of a step.

    Attributes:
        in_contact: (side, point) -> (K,) whether the contact point is on the ground.
        at_rest: (side, point) -> (K,) whether it is on the ground and should be at rest.
        planned, velocity: (side, point) -> (K, 3) its position and velocity while on the ground, m and m/s, in G.
        share: side -> (K,) share of the vertical ground reaction under the foot.
        offset: side -> (K, 3) from the zero-moment point to the foot's centre of pressure, m, in G.
        thrust: side -> (K, 3) horizontal force of the foot along the line between the feet, over the vertical force of
            both; opposite for the two feet, so that the resultant is unchanged.
        toes_alone: side -> (K,) whether the heel has left the ground and the toes carry the foot's whole load.
        half_planes: (K, P, 3) rows (a_x, a_z, b) of the support polygon: a_x x + a_z z <= b for the zero-moment point.
    """

    in_contact: dict[tuple[str, str], np.ndarray]
    at_rest: dict[tuple[str, str], np.ndarray]
    planned: dict[tuple[str, str], np.ndarray]
    velocity: dict[tuple[str, str], np.ndarray]
    share: dict[str, np.ndarray]
    offset: dict[str, np.ndarray]
    thrust: dict[str, np.ndarray]
    toes_alone: dict[str, np.ndarray]
    half_planes: np.ndarray

    @cached_property
    def flight(self) -> np.ndarray:
        """(K,) whether no foot bears load: from foot off to initial contact of a run, both included."""
        return np.sum(list(self.share.values()), axis=0) == 0.0

    @cached_property
    def split(self) -> dict[str, np.ndarray]:
        """Matrices (K, 6, 6) from the resultant (moment about the origin, force) to the wrench of each foot.

        The thrust is a force per f_y along the line between the feet, as is the offset; with (zmp_x, zmp_z) f_y =
        (n_z, -n_x), the vertical component of its moment about the origin is therefore -(thrust_x n_x + thrust_z n_z).
        """
        matrices = {}
        for side, share in self.share.items():
            thrust, offset = self.thrust[side], self.offset[side]
            matrix = np.zeros((len(share), 6, 6))
            matrix[:] = np.eye(6)
            matrix[:, :3, 3:] = skew(offset)
            matrix *= share[:, None, None]
            matrix[:, 3:, 4] += thrust
            matrix[:, 1, [0, 2]] -= thrust[:, [0, 2]]
            matrices[side] = matrix
        return matrices


def phase_nodes(task: GaitTask, n: int, breaks: np.ndarray = NO_BREAKS) -> np.ndarray:
    """Nodes, about n for each step, in steps from 0, including every change of contact and mid-swing.

    The torque of the toe joint changes fastest just before initial contact and just after ball off. The last interval
    before initial contact is divided into a half and two quarters; the first one after ball off has another node.

    Args:
        breaks: breaks between the polynomials of the motion, in steps from 0. Accelerations of cubic splines, and the
            forces that follow them, have their extrema there, so each break has a node.
    """
    return np.concatenate(
        [
            i + _nodes_of_a_step(task, n, breaks[(breaks > i) & (breaks < i + 1)] - i, standing)
            for i, standing in enumerate(("right", "left")[: task.n_steps])
        ]
        + [[float(task.n_steps)]]
    )


def _nodes_of_a_step(task: GaitTask, n: int, breaks: np.ndarray, standing: str) -> np.ndarray:
    """Nodes of a step in which a side stands, from 0, without the node at 1."""
    own = Stance.of(task, standing)
    if task.flight:
        events, double = [own.flat, own.ball_off, own.off], [0.0]
    else:
        double = [own.ball_off - 1.0, FOOT_FLAT * task.overlap, task.overlap]
        events = double
    events = [*events, own.heel_off, task.swing_time(0.5)]
    changes = [0.0, *(u for u in events if 0.02 < u < 0.98), 1.0]
    changes += [u for u in breaks if np.abs(np.array(changes) - u).min() > NEAR]
    changes = np.unique(np.round(changes, 12)).tolist()
    phases = list(pairwise([0.0, *double]))
    pieces = []
    for a, b in pairwise(changes):
        phase = next((end - start for start, end in phases if start - 1e-9 <= a and b <= end + 1e-9), np.inf)
        spacing = min(1.0 / (n - 1), phase / MIN_INTERVALS)
        piece = np.linspace(a, b, max(1, round((b - a) / spacing)) + 1)
        soon = piece[0] + AFTER_BALL_OFF * (piece[1] - piece[0])
        pieces.append(np.insert(piece, 1, soon) if np.isclose(a, own.ball_off % 1.0) else piece)
    step = np.concatenate([piece[:-1] for piece in pieces])
    return np.append(step, 1.0 - (1.0 - step[-1]) * np.array([0.5, 0.25]))


def make_schedule(
    walker: Walker,
    task: GaitTask,
    u: np.ndarray,
    *,
    virtual_pivot: bool = True,
    unloaded: float = 0.0,
    heel_pad: float = 0.0,
) -> Schedule:
    """The schedule at times u (K,), in steps.

    Args:
        virtual_pivot: whether the forces of both feet in double support point to a virtual pivot point, or are
            parallel.
        unloaded: time, s, at the beginning and end of a foot's contact during which its contact points may move.
        heel_pad: how far the heel pads yield at initial contact, over leg length.

    The second step of a stride is the mirror image of the first, one step length ahead.
    """
    first = u < 1.0 if task.n_steps == 2 else np.ones(len(u), dtype=bool)
    plan = _step(walker, task, u[first], virtual_pivot, unloaded, heel_pad)
    if first.all():
        return plan
    swapped = replace(task, left_heel_off=task.right_heel_off, right_heel_off=task.left_heel_off)
    second = _step(walker, swapped, u[~first] - 1.0, virtual_pivot, unloaded, heel_pad)
    return _joined(plan, _mirrored(second, task.step_length))


def _mirrored(plan: Schedule, ahead: float) -> Schedule:
    """The mirror image of the schedule, moved ahead by a distance, m."""
    flip, swap = np.array([1.0, 1.0, -1.0]), dict(zip(SIDES, SIDES[::-1], strict=True))
    return Schedule(
        {(swap[side], point): contact for (side, point), contact in plan.in_contact.items()},
        {(swap[side], point): rest for (side, point), rest in plan.at_rest.items()},
        {(swap[side], point): position * flip + [ahead, 0.0, 0.0] for (side, point), position in plan.planned.items()},
        {(swap[side], point): velocity * flip for (side, point), velocity in plan.velocity.items()},
        {swap[side]: share for side, share in plan.share.items()},
        {swap[side]: offset * flip for side, offset in plan.offset.items()},
        {swap[side]: thrust * flip for side, thrust in plan.thrust.items()},
        {swap[side]: alone for side, alone in plan.toes_alone.items()},
        plan.half_planes * [1.0, -1.0, 1.0] + plan.half_planes[:, :, [0]] * [0.0, 0.0, ahead],
    )


def _joined(one: Schedule, other: Schedule) -> Schedule:
    """One schedule after the other."""

    def both(first: dict, second: dict) -> dict:
        return {key: np.concatenate([values, second[key]]) for key, values in first.items()}

    names = ("in_contact", "at_rest", "planned", "velocity", "share", "offset", "thrust", "toes_alone")
    parts = {name: both(getattr(one, name), getattr(other, name)) for name in names}
    return Schedule(**parts, half_planes=np.concatenate([one.half_planes, other.half_planes]))


def _step(
    walker: Walker, task: GaitTask, u: np.ndarray, virtual_pivot: bool, unloaded: float, heel_pad: float
) -> Schedule:
    """The schedule of one step, from the initial contact of the right foot."""
    ds, contacts = task.overlap, {side: Stance.of(task, side) for side in SIDES}
    double = u <= ds + 1e-9
    # Of a run both ends belong to the flight, since the ground's force starts and ends at zero.
    flight = (u >= 1.0 + ds - 1e-9) | (u <= 1e-9) if task.flight else np.zeros(len(u), dtype=bool)
    stance = {"right": u, "left": np.where(double, 1.0 + u, np.where(u >= 1.0 - 1e-9, 0.0, np.nan))}
    ankle_x = {"right": np.zeros(len(u)), "left": np.where(double, -1.0, 1.0) * task.step_length}
    in_contact, at_rest, planned, velocity = {}, {}, {}, {}
    margin = unloaded / task.step_time - 1e-9
    for side in SIDES:
        rests = (stance[side] >= margin) & (stance[side] <= 1.0 + ds - margin)
        for point in CONTACT_POINTS:
            first, last = contacts[side].of_point(point)
            in_contact[side, point] = (stance[side] >= first - 1e-9) & (stance[side] <= last + 1e-9)
            at_rest[side, point] = in_contact[side, point] & rests
            planned[side, point] = on_ground(walker.contacts[point], side, ankle_x[side], task)
            velocity[side, point] = np.zeros((len(u), 3))
        height, rate = _on_its_pad(stance[side] * task.step_time, heel_pad * walker.leg_length)
        planned[side, HEEL][:, Y] += height
        velocity[side, HEEL][:, Y] += rate
    shifted = np.ones(len(u)) if task.flight else np.clip(u / ds, 0.0, 1.0)
    leading = 1.0 - (1.0 - shifted) ** LOAD_TRANSFER
    share = {"right": np.where(flight, 0.0, leading), "left": np.where(flight, 0.0, 1.0 - leading)}
    centre = {side: on_ground(_reference(walker, side, task, shifted), side, ankle_x[side], task) for side in SIDES}
    mixed = sum(share[side][:, None] * centre[side] for side in SIDES)
    offset = {side: np.where(double[:, None], centre[side] - mixed, 0.0) for side in SIDES}
    forward = np.where(double[:, None], centre["right"] - centre["left"], 0.0)
    forward /= np.maximum(np.linalg.norm(forward, axis=1, keepdims=True), 1e-9)
    # Forces to the pivot point act forwards under the trailing foot and backwards under the leading one. With shares b
    # and 1 - b of the load and tangent t of their inclination, their size is 2 t b (1 - b) of the vertical force.
    lean = PIVOT_INCLINATION * task.step_length / (2.0 * walker.leg_length) if virtual_pivot else 0.0
    push = (2.0 * lean * leading * (1.0 - leading))[:, None] * forward
    thrust = {"right": -push, "left": push}
    half_planes = np.zeros((len(u), MAX_HALF_PLANES, 3))
    half_planes[:, :, 2] = np.inf
    for k in range(len(u)):
        filled = 0
        for side in SIDES:
            if flight[k] or (side == "left" and not double[k]):
                continue
            for area in contacts[side].areas(stance[side][k]):
                corners = on_ground(walker.sole[area], side, ankle_x[side][k], task)[:, [0, 2]]
                rows = ConvexHull(corners).equations * [1.0, 1.0, -1.0]
                rows[:, 2] -= rows[:, :2] @ offset[side][k, [0, 2]]
                half_planes[k, filled : filled + len(rows)] = rows
                filled += len(rows)
    toes_alone = {side: stance[side] >= task.heel_off(side) - 1e-9 for side in SIDES}
    return Schedule(in_contact, at_rest, planned, velocity, share, offset, thrust, toes_alone, half_planes)


def _on_its_pad(time: np.ndarray, pad: float) -> tuple[np.ndarray, np.ndarray]:
    """Height (K,), m, and vertical velocity, m/s, of a heel at times (K,), s, after its initial contact.

    Args:
        pad: how far the pad yields, m.
    """
    left = np.where(time < PAD_TIME, 1.0 - time / PAD_TIME, 0.0)
    return pad * left**2, -2.0 * pad / PAD_TIME * left


def _reference(walker: Walker, side: str, task: GaitTask, share: np.ndarray) -> np.ndarray:
    """Centre of pressure (K, 2) of a foot at shares (K,) of double support.

    In the leading foot it moves forwards from the heel, or stays at the forefoot if the heel makes no contact. In the
    trailing foot it moves from mid-forefoot to the tip until the ball leaves the ground.
    """
    forefoot, tip = (walker.sole[area].mean(axis=0) for area in ("forefoot", "tip"))
    if side == "right" and task.heel_off(side) > 0.0:
        start, end, moved = walker.contacts[HEEL], forefoot, LEADING_CENTRE[0] + np.ptp(LEADING_CENTRE) * share
    elif side == "right":
        start, end, moved = forefoot, forefoot, share
    else:
        start, end, moved = forefoot, tip, share / BALL_OFF
    return start + np.clip(moved, 0.0, 1.0)[:, None] * (end - start)


class Footprint(Protocol):
    """How a task places the feet."""

    @property
    def step_width(self) -> float | None:
        """Distance between the lines of the ankles' ground points, m."""

    @property
    def toe_out(self) -> float:
        """Angle of the feet to the progression, rad."""


def on_ground(local: np.ndarray, side: str, ankle_x: np.ndarray | float, task: Footprint) -> np.ndarray:
    """Positions (..., 3) in G of sole points (x forward, z lateral) of a foot at its planned position."""
    assert task.step_width is not None
    s = LATERAL_SIGN[side]
    c, t = np.cos(task.toe_out), np.sin(task.toe_out)
    forward, lateral = np.asarray(local)[..., 0], np.asarray(local)[..., 1]
    x = np.asarray(ankle_x) + c * forward - t * lateral
    z = s * (task.step_width / 2.0 + t * forward + c * lateral)
    return np.stack([x, np.zeros(np.shape(x)), np.broadcast_to(z, np.shape(x))], axis=-1)
