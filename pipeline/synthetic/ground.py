"""Ground reactions of both feet of a synthetic walk by Newton-Euler equations, and the pelvis path that balances them.

Newton's and Euler's laws for the whole body determine the total load of the ground. In single support it acts on the
stance foot; in double support it is shared. Its point of application depends on the motion: the path of the pelvis is
adjusted until that is the point chosen under the feet, as in the zero-moment-point control of walking machines
(Takanishi et al. 1990, IEEE IROS, 795-801; Kajita et al. 2003, IEEE ICRA, 1620-1626).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pipeline.conventions import GRAVITY, LATERAL_SIGN, SIDES
from pipeline.dynamics import rnea
from pipeline.errors import DynamicsError
from pipeline.math3d import Wrench
from pipeline.synthetic.curves import Curve, FourierSeries, over_stance
from pipeline.synthetic.gait import Gait
from pipeline.synthetic.subject import DemoSubject

_UP = np.array([0.0, 1.0, 0.0])

_APEX_HEIGHT = 1.0
"""m; height of the point towards which the forces on both feet are inclined."""

_MAX_ITERATIONS = 40
_INITIAL_CROUCH = 0.06
"""m; the pelvis is first lowered by this, then raised from iteration to iteration, so that no leg is too short."""

_TOLERANCE = 1e-4
"""m; tolerance of the point of application of the load."""


@dataclass(frozen=True)
class Contact:
    """The chosen centre-of-pressure path under the feet over stance; phases are percent of stance.

    Attributes:
        forward, medial: m, along the foot's heading and across it, from the point below the flat foot's ankle.
    """

    forward: Curve = field(
        default_factory=lambda: {0: -0.045, 8: -0.005, 20: 0.05, 45: 0.095, 75: 0.132, 92: 0.15, 100: 0.16}
    )
    medial: Curve = field(default_factory=lambda: {0: 0.002, 30: -0.004, 70: -0.001, 100: 0.01})

    def path(self, gait: Gait, side: str, start: float, time: np.ndarray) -> np.ndarray:
        """Chosen centre of pressure (T, 3) of the stance that begins at ``start`` s; constant before and after it."""
        percent = 100 * (time - start) / (gait.cycle * gait.stance / 100)
        heading, below = gait.steps[side].standing(side, gait.stride, gait.stance)
        medial = -LATERAL_SIGN[side] * np.cross(heading, _UP)
        path = below + gait.speed * start * np.array([1.0, 0.0, 0.0])
        path = path + np.outer(over_stance(self.forward, percent), heading)
        return path + np.outer(over_stance(self.medial, percent), medial)


def share(gait: Gait, start: float, time: np.ndarray) -> np.ndarray:
    """Share (T,) of the vertical force on the foot that lands at ``start`` s: it rises and falls in double support."""
    both = gait.cycle * (gait.stance / 100 - 0.5)
    return _rise((time - start) / both) - _rise((time - start - gait.cycle / 2) / both)


def total_load(subject: DemoSubject, motion: FourierSeries, time: np.ndarray) -> Wrench:
    """The load (T, 3) of the ground on the whole body at its centre of pressure.

    The moment there is about the vertical: forces that can only push are equivalent to one at a point of the floor
    (Y = 0) with a free moment.
    """
    body = subject.skeleton
    loads = rnea(body, motion(time), motion(time, 1), motion(time, 2))
    force, moment = loads.force_G[:, 0], loads.moment_G[:, 0]
    point = np.stack([moment[:, 2], np.zeros(len(time)), -moment[:, 0]], axis=1) / force[:, 1:2]
    twist = np.zeros_like(moment)
    twist[:, 1] = moment[:, 1] - np.cross(point, force)[:, 1]
    return Wrench(force, twist, point)


@dataclass(frozen=True)
class BalancedWalk:
    """A walk with its centre of pressure under its feet.

    Attributes:
        gait, subject, contact: the design.
        motion: coordinates of the skeleton over time, s from a right initial contact.
    """

    gait: Gait
    subject: DemoSubject
    contact: Contact
    motion: FourierSeries

    def on_foot(self, side: str, start: float, time: np.ndarray) -> Wrench:
        """The load (T, 3) on one foot in the stance that begins at ``start`` s, at its centre of pressure.

        Both feet together bear exactly the load on the whole body, shared according to `share`. Each acts at its chosen
        point, except for the deviation of the whole load's point from its own chosen point. Horizontal forces along the
        line between both points, which cancel, incline each foot's force towards one point above the floor, as in
        walking. Outside the stance the force is zero and the point is that of the nearest end of the stance.
        """
        gait, other = self.gait, next(name for name in SIDES if name != side)
        foot_off = start + gait.cycle * gait.stance / 100
        within = np.clip(time, start, foot_off)
        whole = total_load(self.subject, self.motion, within)
        own = self.contact.path(gait, side, start, within)
        part = np.where((time > start) & (time < foot_off), share(gait, start, within), 0.0)
        middle, inclination = part[:, None] * own, np.zeros_like(own)
        for neighbour in (start - gait.cycle / 2, start + gait.cycle / 2):
            theirs = share(gait, neighbour, within)[:, None]
            middle += theirs * (point := self.contact.path(gait, other, neighbour, within))
            inclination += theirs * (point - own) / _APEX_HEIGHT
        force = part[:, None] * (whole.force_G + whole.force_G[:, 1:2] * inclination)
        return Wrench(force, part[:, None] * whole.moment_G, own + whole.point_G - middle)


def balanced(gait: Gait, subject: DemoSubject, contact: Contact) -> BalancedWalk:
    """The designed walk, with the path of the pelvis adjusted until the load acts at the chosen points.

    Each iteration moves the pelvis as a mass on a massless leg (linear inverted pendulum) would have to move for the
    load to act there; the next iteration corrects the error of this model.

    Raises:
        DynamicsError: a leg is too short for its step, or the path does not converge.
    """
    time = gait.phase / 100 * gait.cycle
    chosen_G = chosen(gait, contact, time)
    forward = np.array([gait.speed, 0.0, 0.0])
    omega = 2 * np.pi * np.fft.rfftfreq(len(time), gait.cycle / len(time))
    gain = 1.0 / (1.0 + omega**2 * gait.height / GRAVITY)

    def adjusted(error: np.ndarray) -> np.ndarray:
        return np.fft.irfft(np.fft.rfft(error, axis=0) * gain[:, None], len(time), axis=0)

    sway = adjusted((chosen_G - np.outer(time, forward))[:, [0, 2]])
    q: np.ndarray | None = None
    for crouch in np.maximum(0.0, _INITIAL_CROUCH - 0.01 * np.arange(_MAX_ITERATIONS)):
        q = gait.coordinates(subject, sway, q, crouch)
        motion = gait.series(q)
        error = (chosen_G - total_load(subject, motion, time).point_G)[:, [0, 2]]
        if np.abs(error).max() < _TOLERANCE and not crouch:
            return BalancedWalk(gait, subject, contact, motion)
        sway = sway + adjusted(error)
    off = 1000 * np.abs(error).max()
    raise DynamicsError(
        f"after {_MAX_ITERATIONS} iterations the load acts {off:.1f} mm from the chosen point",
        where="synthetic walk",
        remedy="Lower the pelvis: a nearly straight leg has large accelerations",
    )


def chosen(gait: Gait, contact: Contact, time: np.ndarray) -> np.ndarray:
    """The point (T, 3) at which the whole load should act at ``time`` (T,) of one cycle from the right initial
    contact."""
    out = np.zeros((len(time), 3))
    for side, start in (("left", -gait.cycle / 2), ("right", 0.0), ("left", gait.cycle / 2)):
        out += share(gait, start, time)[:, None] * contact.path(gait, side, start, time)
    return out


def _rise(x: np.ndarray) -> np.ndarray:
    """Smooth step from 0 to 1 over the unit interval, twice continuously differentiable."""
    x = np.clip(x, 0.0, 1.0)
    return x**3 * (10 - 15 * x + 6 * x**2)
