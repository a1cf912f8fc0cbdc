"""Ground reaction, joint torques and contact points of a walking motion at the nodes, with analytic derivatives.

Two-step algorithm of thesis section 5.1 (Xiang et al. 2009). Inverse dynamics without ground contact gives the loads of
the six global joints; the resultant ground reaction balances them and acts at the zero-moment point. It then enters
the joint torques without a second recursion: a foot's wrench w changes the torque of every joint between root and foot
by -S w, with S the joint's axis as a spatial vector about the origin.

Wrenches are (moment about the origin of G, force) on the body, (K, 6). With centre of pressure ``zmp + o_i`` and share
b_i of the load, a foot's wrench ``f_i = b_i f, n_i = b_i (n + o_i x f)`` is linear in the resultant: there is no
division by the vertical force. The split is exact: the shares sum to one and the offsets weighted by them to zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.conventions import SIDES, X, Y, Z
from pipeline.dynamics import JointLoads, Sensitivities, rnea, rnea_sensitivities
from pipeline.math3d import Wrench
from pipeline.optimisation import NodeValues, States
from pipeline.prediction.gait.motion_kernels import axis_derivative_kernel, axis_rows_kernel
from pipeline.prediction.gait.schedule import Schedule
from pipeline.prediction.gait.walker import Walker
from pipeline.skeleton import PASSIVE_JOINTS, Skeleton, joint_axes, passive_moments, passive_scale
from pipeline.skeleton.pose_kernels import point_motion_kernel

SPLIT_LENGTH = 0.012
"""m; distance from the toe joint within which rear foot and toes share the load of a foot on its full sole."""


@dataclass(frozen=True)
class WalkingMotion:
    """The motion at the nodes of a contact schedule; quantities have derivatives if the states have a gradient."""

    walker: Walker
    schedule: Schedule
    states: States

    @cached_property
    def ground_reaction(self) -> NodeValues:
        """(K, 6) resultant of the ground on the body about the origin of G: moment, force."""
        active, root = self._without_ground, self._axes[:, :6]
        wrench = np.linalg.solve(root, active.value[:, :6, None])[..., 0]
        if active.dq is None:
            return NodeValues(wrench)
        # The axes of the global joints depend on the global coordinates.
        by_q = active.dq[:, :6] - self._axis_derivative(np.arange(6), wrench)
        changes = np.concatenate([by_q, *(part[:, :6] for part in active.partials[1:3] if part is not None)], axis=2)
        return NodeValues(wrench, *np.split(np.linalg.solve(root, changes), 3, axis=2))

    @cached_property
    def foot_wrenches(self) -> dict[str, NodeValues]:
        """By side, (K, 6) wrench of the ground on a foot."""
        return {side: self.ground_reaction.transformed(self.schedule.split[side]) for side in SIDES}

    def toe_load(self, side: str) -> NodeValues:
        """(K, 1) generalised force of the ground on the toe joint, Nm; positive extends it.

        After heel off the toes carry the whole load, m = S . w. Before, rear foot and toes share it according to the
        centre of pressure. Let y be its distance ahead of the toe joint and r = sqrt(y^2 + h^2); centres of pressure r
        ahead and r behind then carry (r + y) / 2r on the toes and (r - y) / 2r on the rear foot, and m = F y becomes
        (m + F r) / 2.
        """
        joint, foot = self.walker.toes[side], self.foot_wrenches[side]
        axis = self._axes[:, [joint]]
        whole = foot.transformed(axis)
        if whole.dq is not None:
            whole.dq[...] += self._axis_derivative(np.array([joint]), foot.value)
        reach = self._split_moment(side, whole.value, foot.value)
        by_moment, by_force = (1.0 + whole.value / reach) / 2.0, SPLIT_LENGTH**2 * foot.value[:, [4]] / (2.0 * reach)
        alone = self.schedule.toes_alone[side][:, None]
        by_moment, by_force = np.where(alone, 1.0, by_moment), np.where(alone, 0.0, by_force)
        value = np.where(alone, whole.value, (whole.value + reach) / 2.0)
        changes = [
            by_moment[..., None] * moment + by_force[..., None] * force[:, [4]]
            for moment, force in zip(whole.partials, foot.partials, strict=True)
            if moment is not None and force is not None
        ]
        return NodeValues(value, *changes)

    def link_wrenches(self, side: str) -> dict[str, np.ndarray]:
        """By segment of a side, ``foot`` (the rear foot) and ``toes``: (K, 6) wrench of the ground on it."""
        foot, axis = self.foot_wrenches[side].value, self._axes[:, self.walker.toes[side]]
        moment = np.sum(axis * foot, axis=1, keepdims=True)
        reach = self._split_moment(side, moment, foot)
        alone = self.schedule.toes_alone[side][:, None]
        share = np.where(alone, 1.0, (1.0 + moment / reach) / 2.0)
        toes = share * foot
        toes[:, :3] += (self.toe_load(side).value - share * moment) * axis[:, :3]
        return {"foot": foot - toes, "toes": toes}

    @property
    def ground_wrenches(self) -> dict[str, Wrench]:
        """By segment, such as ``left_toes``: wrench of the ground on it about the origin of G."""
        links = {f"{side}_{link}": w for side in SIDES for link, w in self.link_wrenches(side).items()}
        return {name: Wrench(w[:, 3:], w[:, :3], np.zeros(3)) for name, w in links.items()}

    @property
    def zero_moment_point(self) -> np.ndarray:
        """(K, 3) m, in G; NaN in flight."""
        moment, force = np.split(self.ground_reaction.value, 2, axis=1)
        vertical = np.where(self.schedule.flight, np.nan, force[:, Y])
        return np.stack([moment[:, Z] / vertical, 0.0 * vertical, -moment[:, X] / vertical], axis=1)

    def on_skeleton(self, skeleton: Skeleton) -> np.ndarray:
        """(3, K, n) coordinates, rates and accelerations of the skeleton before merging; zero for frozen joints."""
        full = np.zeros((3, len(self.states.q), len(skeleton)))
        full[:, :, ~skeleton.frozen] = self.states.q, self.states.qd, self.states.qdd
        return full

    def ground_powers(self, side: str) -> np.ndarray:
        """(K, 2) power of the ground on rear foot and toes, W: wrench times velocity of the link it acts on.

        It is zero for a link that neither slips nor sinks in.
        """
        loads, links = self.link_wrenches(side), {"foot": self.walker.feet[side], "toes": self.walker.toes[side]}
        powers = []
        for segment, link in links.items():
            carriers = np.flatnonzero(self.walker.skeleton.is_ancestor[:, link])
            along = np.einsum("kja,ka->kj", self._axes[:, carriers], loads[segment])
            powers.append(np.sum(along * self.states.qd[:, carriers], axis=1))
        return np.stack(powers, axis=1)

    def _split_moment(self, side: str, moment: np.ndarray, foot: np.ndarray) -> np.ndarray:
        """(K, 1) F r of `toe_load`, Nm; the last term keeps it differentiable at zero load."""
        return np.sqrt(moment**2 + (SPLIT_LENGTH * foot[:, [4]]) ** 2 + 1e-6)

    @cached_property
    def tau(self) -> NodeValues:
        """(K, n) generalised forces with ground contact; zero for the six global joints."""
        active = self._without_ground
        value, *partials = (None if part is None else part.copy() for part in (active.value, *active.partials[:3]))
        assert value is not None
        for part in (value, *partials):
            if part is not None:
                part[:, :6] = 0.0
        for side in SIDES:
            toes, load = self.walker.toes[side], self.toe_load(side)
            value[:, toes] -= load.value[:, 0]
            for part, change in zip(partials, load.partials, strict=False):
                if part is not None and change is not None:
                    part[:, toes] -= change[:, 0]
            leg, foot = self.walker.legs[side], self.foot_wrenches[side]
            axes = self._axes[:, leg]
            value[:, leg] -= np.einsum("kja,ka->kj", axes, foot.value)
            for part, change in zip(partials, foot.partials, strict=False):
                if part is not None:
                    part[:, leg] -= axes @ change
            if partials[0] is not None:
                partials[0][:, leg] -= self._axis_derivative(leg, foot.value)
        return NodeValues(value, *partials)

    @cached_property
    def muscle_tau(self) -> NodeValues:
        """(K, n) `tau` without the torques of passive springs."""
        springs = self.walker.springs
        if not springs:
            return self.tau
        n = len(self.walker.skeleton)
        stiffness, rest = np.zeros(n), np.zeros(n)
        for spring in springs:
            joint = self.walker.skeleton.index(spring.joint)
            stiffness[joint], rest[joint] = spring.stiffness, spring.rest
        value, dq = self.tau.value + stiffness * (self.states.q - rest), self.tau.dq
        return NodeValues(value, None if dq is None else dq + np.diag(stiffness), *self.tau.partials[1:])

    @cached_property
    def passive_tau(self) -> NodeValues:
        """(K, n) passive moments of hips, knees and ankles as functions of their angles, Nm, as generalised forces.

        They are those of `pipeline.skeleton.passive_moments` for the walker's size. A spring replaces the passive
        moment of its joint, since a prosthetic ankle has none; one without stiffness changes nothing.
        """
        walker, q = self.walker, self.states.q
        scale = passive_scale(walker.body_mass, walker.leg_length)
        replaced = {spring.joint for spring in walker.springs if spring.stiffness}
        value = np.zeros_like(q)
        slope = np.zeros((*q.shape, q.shape[1])) if self.states.gradient is not None else None
        for side in SIDES:
            names = [f"{side}_{name}" for name in PASSIVE_JOINTS]
            joints = [walker.skeleton.index(name) for name in names]
            own = scale * np.array([name not in replaced for name in names])
            moment, change = passive_moments(q[:, joints])
            value[:, joints] = own * moment
            if slope is not None:
                slope[np.ix_(range(len(q)), joints, joints)] = own[:, None] * change
        return NodeValues(value, slope)

    @cached_property
    def active_tau(self) -> NodeValues:
        """(K, n) `muscle_tau` without passive moments: what the muscles produce."""
        return self.muscle_tau - self.passive_tau

    def joint_force(self, joint: str) -> NodeValues:
        """(K, 3) net force of a joint of the walker's `joint_forces`, N, in G: of the proximal on the distal segment.

        The force on the foot from the ground, which acts below hip, knee and ankle, is subtracted from the net force
        without ground.
        """
        row = self._forces_without_ground[joint]
        foot = self.foot_wrenches[joint.partition("_")[0]].rows([3, 4, 5])
        changes = [
            own - other
            for own, other in zip(row.partials[:3], foot.partials[:3], strict=True)
            if own is not None and other is not None
        ]
        return NodeValues(row.value - foot.value, *changes)

    @property
    def positions(self) -> tuple[np.ndarray, np.ndarray]:
        """(K, m, 3) positions of the walker's points, m, in G, and (K, m, 3, n) their derivatives by the coordinates.

        The latter are (0, m, 3, n) if only values are computed.
        """
        motion, jacobians = self._points
        return motion[:, :, 0], jacobians[:, :, 0]

    def position(self, point: str) -> NodeValues:
        """(K, 3) position of a named point, m, in G."""
        motion, jacobians, i = self._point(point)
        return NodeValues(motion[:, i, 0], jacobians[:, i, 0] if len(jacobians) else None)

    def velocity(self, point: str) -> NodeValues:
        """(K, 3) velocity of a named point, m/s, in G."""
        motion, jacobians, i = self._point(point)
        return NodeValues(motion[:, i, 1], *((jacobians[:, i, 1], jacobians[:, i, 0]) if len(jacobians) else ()))

    @cached_property
    def _without_ground(self) -> NodeValues:
        tau = self._loads_without_ground.tau
        if self.states.gradient is None:
            return NodeValues(tau)
        found = self._sensitivities_without_ground
        return NodeValues(tau, found.dtau_dq, found.dtau_dqd, found.dtau_dqdd)

    @cached_property
    def _forces_without_ground(self) -> dict[str, NodeValues]:
        """(K, 3) net force, without ground, of each joint of the walker's `joint_forces`."""
        forces = {}
        for joint in (one.joint for one in self.walker.joint_forces):
            name = self.walker.joint_of(joint)
            value = self._loads_without_ground.force_G[:, self.walker.skeleton.index(name)]
            if self.states.gradient is None:
                forces[joint] = NodeValues(value)
                continue
            found = self._sensitivities_without_ground.internal
            assert found is not None
            parts = (found.dforce_dq, found.dforce_dqd, found.dforce_dqdd)
            forces[joint] = NodeValues(value, *(part[:, found.rows[name]] for part in parts))
        return forces

    @cached_property
    def _loads_without_ground(self) -> JointLoads:
        s = self.states
        return rnea(self.walker.skeleton, s.q, s.qd, s.qdd, gravity=self.walker.gravity_G)

    @cached_property
    def _sensitivities_without_ground(self) -> Sensitivities:
        s, walker = self.states, self.walker
        names = [walker.joint_of(one.joint) for one in walker.joint_forces]
        return rnea_sensitivities(walker.skeleton, s.q, s.qd, s.qdd, gravity=walker.gravity_G, internal=names or False)

    @cached_property
    def _axes(self) -> np.ndarray:
        """Joint axes as rows (K, n, 6) that project a wrench onto generalised forces."""
        z, o = joint_axes(self.walker.skeleton, self.states.q)
        rows = np.empty((*z.shape[:2], 6))
        axis_rows_kernel(self.walker.skeleton.arrays, z, o, rows)
        return rows

    def _axis_derivative(self, joints: np.ndarray, wrench: np.ndarray) -> np.ndarray:
        """Derivatives (K, r, n), by the coordinates, of a fixed wrench (K, 6) projected on some joints' axes."""
        K, n = self.states.q.shape
        derivative = np.empty((K, len(joints), n))
        axis_derivative_kernel(self._axes, joints, self.walker.precedes, np.ascontiguousarray(wrench), derivative)
        return derivative

    @cached_property
    def _points(self) -> tuple[np.ndarray, np.ndarray]:
        points = list(self.walker.points.values())
        links = np.array([p.link for p in points])
        positions = np.array([p.position for p in points])
        s = self.states
        K, n = s.q.shape
        motion = np.empty((K, len(points), 3, 3))
        jacobians = np.empty((0 if s.gradient is None else K, len(points), 4, 3, n))
        curves = (np.ascontiguousarray(c) for c in (s.q, s.qd, s.qdd))
        point_motion_kernel(self.walker.skeleton.arrays, links, positions, *curves, motion, jacobians)
        return motion, jacobians

    def _point(self, name: str) -> tuple[np.ndarray, np.ndarray, int]:
        return *self._points, list(self.walker.points).index(name)
