"""The walking body at the nodes: ground reaction, joint torques and points, with all derivatives, computed once.

The two-step active-passive algorithm (thesis section 5.1; Xiang et al. 2009): the first pass of inverse dynamics
without the ground gives the resultant that the six global joints would have to supply; its negative acts on the body
at the zero-moment point. The second pass needs no new recursion: a foot's wrench w changes the torque of each joint
between root and foot by -S w, with S the joint's axis as a spatial vector about the origin.

Wrenches here are (moment about the origin of G, force), six numbers, on the body. With centre of pressure
``zmp + o_i`` and share b_i, a foot's wrench ``f_i = b_i f, n_i = b_i (n + o_i x f)`` is linear in the resultant: no
division by the vertical force. Shares sum to one and shared offsets to zero, so the split is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.conventions import SIDES
from pipeline.dynamics import rnea, rnea_sensitivities
from pipeline.math3d import skew
from pipeline.prediction.gait.body import Walker
from pipeline.prediction.gait.schedule import Schedule
from pipeline.prediction.problem import NodeValues
from pipeline.prediction.states import States
from pipeline.skeleton import joint_axes
from pipeline.skeleton.pose_kernels import point_motion_kernel


@dataclass(frozen=True)
class WalkingMotion:
    """The motion at the nodes of a schedule."""

    walker: Walker
    schedule: Schedule
    states: States

    @cached_property
    def ground_wrench(self) -> NodeValues:
        """(K, 6) resultant of the ground on the body about the origin of G: moment, force."""
        active = self._without_ground
        axes, turns = self._axes
        root = axes[:, :6]
        wrench = np.linalg.solve(root, active.value[:, :6, None])[..., 0]
        partials = [np.linalg.solve(root, part[:, :6]) for part in active.partials[:3] if part is not None]
        # The axes of the global joints move with the global coordinates.
        moved = np.einsum("kija,ka->kij", turns[:, :6, :6], wrench)
        partials[0][:, :, :6] -= np.linalg.solve(root, moved)
        return NodeValues(wrench, *partials)

    def foot_wrench(self, side: str) -> NodeValues:
        """(K, 6) share of the resultant that a foot carries."""
        split = np.zeros((len(self.states.q), 6, 6))
        split[:] = np.eye(6)
        split[:, :3, 3:] = skew(self.schedule.offset[side])
        split *= self.schedule.share[side][:, None, None]
        # The thrust along the line between the feet: force per f_y, and its moment about the origin, which with
        # (zmp_x, zmp_z) f_y = (n_z, -n_x) has the vertical component o x thrust f_y - (thrust_x n_x + thrust_z n_z).
        thrust, offset = self.schedule.thrust[side], self.schedule.offset[side]
        split[:, 3:, 4] += thrust
        split[:, 1, 4] += np.cross(offset, thrust)[:, 1]
        split[:, 1, [0, 2]] -= thrust[:, [0, 2]]
        total = self.ground_wrench
        return NodeValues(
            np.einsum("kab,kb->ka", split, total.value),
            *(None if part is None else split @ part for part in total.partials),
        )

    @cached_property
    def tau(self) -> NodeValues:
        """(K, n) generalised forces with the ground acting; zero for the six global joints."""
        active = self._without_ground
        axes, turns = self._axes
        value = active.value.copy()
        partials = [part.copy() for part in active.partials[:3] if part is not None]
        value[:, :6] = 0.0
        for part in partials:
            part[:, :6] = 0.0
        for side in SIDES:
            leg, foot = self.walker.legs[side], self.foot_wrench(side)
            value[:, leg] -= np.einsum("kja,ka->kj", axes[:, leg], foot.value)
            for part, change in zip(partials, foot.partials, strict=False):
                part[:, leg] -= axes[:, leg] @ change
            partials[0][:, leg] -= np.einsum("kjma,ka->kjm", turns[:, leg], foot.value)
        return NodeValues(value, *partials)

    def position(self, point: str) -> NodeValues:
        """(K, 3) place of a named point, m, in G."""
        motion, jacobians, i = self._point(point)
        return NodeValues(motion[:, i, 0], jacobians[:, i, 0])

    def velocity(self, point: str) -> NodeValues:
        """(K, 3) velocity of a named point, m/s, in G."""
        motion, jacobians, i = self._point(point)
        return NodeValues(motion[:, i, 1], jacobians[:, i, 1], jacobians[:, i, 0])

    @cached_property
    def _without_ground(self) -> NodeValues:
        s, skeleton = self.states, self.walker.skeleton
        sensitivities = rnea_sensitivities(skeleton, s.q, s.qd, s.qdd)
        return NodeValues(
            rnea(skeleton, s.q, s.qd, s.qdd).tau,
            sensitivities.dtau_dq,
            sensitivities.dtau_dqd,
            sensitivities.dtau_dqdd,
        )

    @cached_property
    def _axes(self) -> tuple[np.ndarray, np.ndarray]:
        """Joint axes as rows (K, n, 6) that project a wrench, and their derivatives (K, n, n, 6) by ancestors."""
        skeleton = self.walker.skeleton
        z, o = joint_axes(skeleton, self.states.q)
        revolute = np.array([kind == "R" for kind in skeleton.kind])
        axes = np.concatenate([np.where(revolute[:, None], z, 0.0), np.where(revolute[:, None], np.cross(o, z), z)], 2)
        # A turn of joint m carries the spatial axis of j along: (w, v) x (a, b) = (w x a, w x b + v x a).
        above = (skeleton.is_ancestor.T & ~np.eye(len(skeleton), dtype=bool))[None, :, :, None]
        w, v = axes[:, None, :, :3], axes[:, None, :, 3:]
        a, b = axes[:, :, None, :3], axes[:, :, None, 3:]
        turns = np.concatenate([np.cross(w, a), np.cross(w, b) + np.cross(v, a)], axis=3)
        return axes, np.where(above, turns, 0.0)

    @cached_property
    def _points(self) -> tuple[np.ndarray, np.ndarray]:
        points = list(self.walker.points.values())
        links = np.array([p.link for p in points])
        places = np.array([p.place for p in points])
        s = self.states
        K, n = s.q.shape
        motion, jacobians = np.empty((K, len(points), 3, 3)), np.empty((K, len(points), 4, 3, n))
        curves = (np.ascontiguousarray(c) for c in (s.q, s.qd, s.qdd))
        point_motion_kernel(self.walker.skeleton.arrays, links, places, *curves, motion, jacobians)
        return motion, jacobians

    def _point(self, name: str) -> tuple[np.ndarray, np.ndarray, int]:
        return *self._points, list(self.walker.points).index(name)
