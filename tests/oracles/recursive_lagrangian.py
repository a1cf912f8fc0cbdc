"""Inverse dynamics by the recursive Lagrangian form with 4 x 4 transforms (Hollerbach 1980, equations 22 to 25).

With W_j the pose of link j, A_j that of link j in its parent, J_j the pseudo-inertia and c_j the first moment of mass:

    W' = W_p A + ...,  D_j = J_j W''_j^T + sum A_c D_c,  c_j = m_j r_j + sum A_c c_c
    tau_j = tr(dW_j/dq_j D_j) - g^T dW_j/dq_j c_j

It gives no internal joint forces. The kernel is written for numba, like `pipeline.dynamics`, so that times are
comparable.
"""

from __future__ import annotations

import numpy as np

from pipeline.skeleton import Skeleton


def pseudo_inertia(skeleton: Skeleton) -> np.ndarray:
    """(n, 4, 4) integrals of r r^T dm over each link in its frame, with homogeneous r; inertia is about the centre."""
    out = np.zeros((len(skeleton), 4, 4))
    for j in range(len(skeleton)):
        m, r, inertia = skeleton.mass[j], skeleton.com[j], skeleton.inertia[j]
        second = 0.5 * np.trace(inertia) * np.eye(3) - inertia + m * np.outer(r, r)
        out[j, :3, :3], out[j, :3, 3], out[j, 3, :3], out[j, 3, 3] = second, m * r, m * r, m
    return out


def arguments(skeleton: Skeleton) -> tuple[np.ndarray, ...]:
    """Constants of a tree for `lagrangian_kernel`."""
    dh = np.stack([skeleton.theta, skeleton.d, skeleton.a, skeleton.alpha], axis=1)
    revolute = np.array([kind == "R" for kind in skeleton.kind])
    return skeleton.parent.astype(np.int64), revolute, dh, np.array(skeleton.origin), pseudo_inertia(skeleton)


def lagrangian_kernel(parent, revolute, dh, origin, inertia, q, qd, qdd, gravity, tau):
    """Fill tau (T, n) for coordinates, rates and accelerations (T, n) and gravity (3,) in G."""
    n = parent.shape[0]
    A, dA, ddA = np.zeros((n, 4, 4)), np.zeros((n, 4, 4)), np.zeros((n, 4, 4))
    W, V, B = np.zeros((n, 4, 4)), np.zeros((n, 4, 4)), np.zeros((n, 4, 4))
    D, c = np.zeros((n, 4, 4)), np.zeros((n, 4))
    E, dE, ddE, U = np.zeros((4, 4)), np.zeros((4, 4)), np.zeros((4, 4)), np.zeros((4, 4))
    for t in range(q.shape[0]):
        for j in range(n):
            theta, d, a, alpha = dh[j, 0], dh[j, 1], dh[j, 2], dh[j, 3]
            if revolute[j]:
                theta += q[t, j]
            else:
                d += q[t, j]
            ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
            E[0, 0], E[0, 1], E[0, 2], E[0, 3] = ct, -ca * st, sa * st, a * ct
            E[1, 0], E[1, 1], E[1, 2], E[1, 3] = st, ca * ct, -sa * ct, a * st
            E[2, 0], E[2, 1], E[2, 2], E[2, 3] = 0.0, sa, ca, d
            E[3, 0], E[3, 1], E[3, 2], E[3, 3] = 0.0, 0.0, 0.0, 1.0
            dE[:] = 0.0
            ddE[:] = 0.0
            if revolute[j]:
                for k in range(4):
                    dE[0, k], dE[1, k] = -E[1, k], E[0, k]
                    ddE[0, k], ddE[1, k] = -E[0, k], -E[1, k]
            else:
                dE[2, 3] = 1.0
            for i in range(4):
                for k in range(4):
                    x, y, z = 0.0, 0.0, 0.0
                    for m in range(4):
                        x += origin[j, i, m] * E[m, k]
                        y += origin[j, i, m] * dE[m, k]
                        z += origin[j, i, m] * ddE[m, k]
                    A[j, i, k], dA[j, i, k], ddA[j, i, k] = x, y, z
            p, v, w = parent[j], qd[t, j], qdd[t, j]
            for i in range(4):
                for k in range(4):
                    if p < 0:
                        W[j, i, k], V[j, i, k] = A[j, i, k], dA[j, i, k] * v
                        B[j, i, k] = ddA[j, i, k] * v * v + dA[j, i, k] * w
                        continue
                    x, y, z = 0.0, 0.0, 0.0
                    for m in range(4):
                        x += W[p, i, m] * A[j, m, k]
                        y += V[p, i, m] * A[j, m, k] + W[p, i, m] * dA[j, m, k] * v
                        z += B[p, i, m] * A[j, m, k] + 2.0 * V[p, i, m] * dA[j, m, k] * v
                        z += W[p, i, m] * (ddA[j, m, k] * v * v + dA[j, m, k] * w)
                    W[j, i, k], V[j, i, k], B[j, i, k] = x, y, z
            for i in range(4):
                c[j, i] = inertia[j, i, 3]
                for k in range(4):
                    x = 0.0
                    for m in range(4):
                        x += inertia[j, i, m] * B[j, k, m]
                    D[j, i, k] = x
        for j in range(n - 1, -1, -1):
            p = parent[j]
            total = 0.0
            for i in range(4):
                for k in range(4):
                    x = dA[j, i, k]
                    if p >= 0:
                        x = 0.0
                        for m in range(4):
                            x += W[p, i, m] * dA[j, m, k]
                    U[i, k] = x
            for i in range(4):
                for k in range(4):
                    total += U[i, k] * D[j, k, i]
                    if i < 3:
                        total -= gravity[i] * U[i, k] * c[j, k]
            tau[t, j] = total
            if p >= 0:
                for i in range(4):
                    for m in range(4):
                        c[p, i] += A[j, i, m] * c[j, m]
                        for k in range(4):
                            D[p, i, k] += A[j, i, m] * D[j, m, k]
