"""The same tree in Pinocchio, as an independent reference.

Pinocchio numbers joints depth first and is silently wrong otherwise, so the tree is built in that order and all its
results are permuted back. Its joint frames follow the joint's coordinate: they are the frames *before* the fixed part
Tz(d) Tx(a) Rx(alpha) of the link, turned (or shifted) by theta + q. Links are attached with that fixed part.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from pipeline.skeleton import dh_transform


class PinocchioTree:
    def __init__(self, skeleton, gravity=(0.0, -9.81, 0.0)):
        self.skeleton = skeleton
        n = len(skeleton)
        children = [[k for k in range(n) if skeleton.parent[k] == j] for j in range(n)]
        self.order, stack = [], [0]
        while stack:
            j = stack.pop()
            self.order.append(j)
            stack.extend(reversed(children[j]))
        self.model = pin.Model()
        self.model.gravity.linear = np.array(gravity, dtype=float)
        self.joint_id, self.fixed = {-1: 0}, {-1: pin.SE3.Identity()}
        for j in self.order:
            revolute = skeleton.kind[j] == "R"
            before = dh_transform(skeleton.theta[j], 0, 0, 0) if revolute else dh_transform(0, skeleton.d[j], 0, 0)
            after = (
                dh_transform(0, skeleton.d[j], skeleton.a[j], skeleton.alpha[j])
                if revolute
                else dh_transform(skeleton.theta[j], 0, skeleton.a[j], skeleton.alpha[j])
            )
            placement = self.fixed[skeleton.parent[j]] * pin.SE3(skeleton.origin[j] @ before)
            joint = pin.JointModelRZ() if revolute else pin.JointModelPZ()
            i = self.model.addJoint(self.joint_id[skeleton.parent[j]], joint, placement, skeleton.joint_names[j])
            self.joint_id[j], self.fixed[j] = i, pin.SE3(after)
            body = pin.Inertia(skeleton.mass[j], skeleton.com[j], skeleton.inertia[j])
            self.model.appendBodyToJoint(i, body, self.fixed[j])
        self.data = self.model.createData()
        self.column = np.array([self.model.joints[self.joint_id[j]].idx_v for j in range(n)])

    def to_pin(self, v):
        out = np.empty_like(v)
        out[..., self.column] = v
        return out

    def from_pin(self, v):
        return v[..., self.column].copy()

    def square_from_pin(self, m):
        return m[np.ix_(self.column, self.column)].copy()

    def external(self, q, wrenches, frame):
        """Wrenches in Pinocchio's joint frames for one frame."""
        fext = [pin.Force.Zero() for _ in range(self.model.njoints)]
        pin.forwardKinematics(self.model, self.data, self.to_pin(q))
        for name, wrench in wrenches.items():
            i = self.joint_id[self.skeleton.segment(name).joint]
            at = pin.SE3(np.eye(3), wrench.point_G[frame])
            load = at.act(pin.Force(wrench.force_G[frame], wrench.moment_G[frame]))
            fext[i] += self.data.oMi[i].actInv(load)
        return fext

    def rnea(self, q, qd, qdd, wrenches=None, frame=0):
        """Generalised forces (n,), and the force and moment (n, 3) in G about the joints' own origins."""
        n = len(self.skeleton)
        args = [self.to_pin(v) for v in (q, qd, qdd)]
        fext = self.external(q, wrenches or {}, frame)
        tau = self.from_pin(pin.rnea(self.model, self.data, *args, fext))
        force, moment = np.empty((n, 3)), np.empty((n, 3))
        for j in range(n):
            i, before = self.joint_id[j], self.skeleton.parent[j]
            in_world = self.data.oMi[i].act(self.data.f[i])
            link = self.data.oMi[self.joint_id[before]] * self.fixed[before]
            own_origin = (link * pin.SE3(self.skeleton.origin[j])).translation
            force[j], moment[j] = in_world.linear, in_world.angular - np.cross(own_origin, in_world.linear)
        return tau, force, moment

    def rnea_derivatives(self, q, qd, qdd):
        """Derivatives (n, n) with respect to q, qd, qdd; without wrenches, which it would fix in joint frames."""
        args = [self.to_pin(v) for v in (q, qd, qdd)]
        dq, dqd, dqdd = pin.computeRNEADerivatives(self.model, self.data, *args)
        dqdd = np.triu(dqdd) + np.triu(dqdd, 1).T
        return tuple(self.square_from_pin(m) for m in (dq, dqd, dqdd))

    def mass_matrix(self, q):
        m = pin.crba(self.model, self.data, self.to_pin(q))
        return self.square_from_pin(np.triu(m) + np.triu(m, 1).T)

    def link_pose(self, q, j):
        pin.forwardKinematics(self.model, self.data, self.to_pin(q))
        return self.data.oMi[self.joint_id[j]] * self.fixed[j]

    def point_jacobian(self, q, j, point):
        """Jacobian (3, n) of a point fixed to link j."""
        args = self.to_pin(q)
        pin.computeJointJacobians(self.model, self.data, args)
        i = self.joint_id[j]
        J = pin.getJointJacobian(self.model, self.data, i, pin.LOCAL_WORLD_ALIGNED)
        arm = (self.data.oMi[i] * self.fixed[j]).act(point) - self.data.oMi[i].translation
        return self.from_pin(J[:3] - pin.skew(arm) @ J[3:])
