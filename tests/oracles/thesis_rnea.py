"""Inverse dynamics by the thesis' recursion in moving link frames, one frame at a time.

A second, independent reference, slow and in plain numpy, which also accepts complex coordinates: complex steps give its
derivatives to rounding. Equations 3.2 to 3.95 with the corrections listed in `pipeline.dynamics.sensitivities`, sums
over children, and the fixed transform before each joint.
"""

from __future__ import annotations

import numpy as np


def _dh(theta, d, a, alpha):
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    R = np.array([[ct, -ca * st, sa * st], [st, ca * ct, -sa * ct], [0 * ct, sa + 0 * ct, ca + 0 * ct]])
    return R, np.array([a * ct, a * st, d + 0 * ct])


def thesis_rnea(skeleton, q, qd, qdd, gravity=(0.0, -9.81, 0.0), loads=None, in_link=None):
    """Generalised forces (n,), and internal force and moment (n, 3) in G about each joint's own origin.

    ``loads`` maps a joint to (force, moment, point) in G; ``in_link`` maps a joint to the point in its link instead.
    """
    n, cross = len(skeleton), np.cross
    R, dx, R0, x0, own0 = [None] * n, [None] * n, [None] * n, [None] * n, [None] * n
    omega, alpha, accel, force_G, torque_G, com = ([None] * n for _ in range(6))
    support = -np.asarray(gravity)
    for j in range(n):
        k, T = skeleton.parent[j], skeleton.origin[j]
        prismatic = skeleton.kind[j] == "P"
        theta = skeleton.theta[j] + (0 if prismatic else q[j])
        d = skeleton.d[j] + (q[j] if prismatic else 0)
        Rj, step = _dh(theta, d, skeleton.a[j], skeleton.alpha[j])
        R[j] = T[:3, :3] @ Rj  # rotation from the parent's link frame
        dx[j] = Rj.T @ step  # from the joint's own origin to the link's, in the link frame
        branch = R[j].T @ T[:3, 3]  # from the parent's origin to the joint's own
        axis = Rj.T @ np.array([0.0, 0.0, 1.0])
        R_up, x_up = (np.eye(3), np.zeros(3)) if k < 0 else (R0[k], x0[k])
        R0[j], own0[j] = R_up @ R[j], x_up + R_up @ T[:3, 3]
        x0[j] = own0[j] + R0[j] @ dx[j]
        w = np.zeros(3) if k < 0 else R[j].T @ omega[k]
        b = np.zeros(3) if k < 0 else R[j].T @ alpha[k]
        a = np.zeros(3) if k < 0 else R[j].T @ accel[k]
        a = a + cross(b, branch) + cross(w, cross(w, branch))
        omega[j], alpha[j] = w, b
        if not prismatic:
            omega[j] = w + qd[j] * axis
            alpha[j] = b + qdd[j] * axis + cross(w, qd[j] * axis)
        accel[j] = a + cross(alpha[j], dx[j]) + cross(omega[j], cross(omega[j], dx[j]))
        if prismatic:
            accel[j] = accel[j] + 2 * cross(omega[j], qd[j] * axis) + qdd[j] * axis
        com[j] = skeleton.com[j]
        a_com = accel[j] + cross(alpha[j], com[j]) + cross(omega[j], cross(omega[j], com[j]))
        force_G[j] = skeleton.mass[j] * (a_com + R0[j].T @ support)
        inertia = skeleton.inertia[j]
        torque_G[j] = inertia @ alpha[j] + cross(omega[j], inertia @ omega[j])
    force, moment = [None] * n, [None] * n  # about the link's origin, in the link frame
    for j in range(n):
        force[j], moment[j] = force_G[j], torque_G[j] + cross(com[j], force_G[j])
        if loads and j in loads:
            f, m, point = loads[j]
            arm = in_link[j] if in_link else R0[j].T @ (point - x0[j])
            force[j] = force[j] - R0[j].T @ f
            moment[j] = moment[j] - R0[j].T @ m - cross(arm, R0[j].T @ f)
    tau, force_out, moment_out = [None] * n, [None] * n, [None] * n
    for j in reversed(range(n)):
        own = moment[j] + cross(dx[j], force[j])
        force_out[j], moment_out[j] = R0[j] @ force[j], R0[j] @ own
        tau[j] = _axis(skeleton, j) @ (force[j] if skeleton.kind[j] == "P" else own)
        k = skeleton.parent[j]
        if k >= 0:
            force[k] = force[k] + R[j] @ force[j]
            moment[k] = moment[k] + R[j] @ own + cross(skeleton.origin[j][:3, 3], R[j] @ force[j])
    return np.array(tau), np.array(force_out), np.array(moment_out)


def _axis(skeleton, j):
    return np.array([0.0, np.sin(skeleton.alpha[j]), np.cos(skeleton.alpha[j])])


def complex_step(function, x, column):
    """Derivative of ``function`` by one entry of x; the step's square is below the rounding of the result."""
    step = x.astype(complex)
    step[column] += 1e-30j
    return tuple(value.imag / 1e-30 for value in function(step))
