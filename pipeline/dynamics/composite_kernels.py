"""Sums over subtrees, compiled: inertia, momentum, force and the Coriolis moment of every composite body.

About a point fixed in G, the composite body of joint j is a plain sum over its links, so no quantity is ever
transformed between frames. Layout of a row: inertia ``J`` (10) mass, first moment (3), second-order xx yy zz xy xz yz;
``Q`` (9) integral of v r^T dm by rows, v the velocity of the mass at r; ``h`` (3) linear momentum; ``F`` (6) moment
and force that produce the motion, less the external loads.
"""

from __future__ import annotations

from pipeline.skeleton.compiling import inlined
from pipeline.skeleton.spatial_kernels import on_link


@inlined
def link_inertias(tree, R, p, J):
    """Inertias of all links about the reference point, in G."""
    J[:] = 0.0
    for i in range(tree.massive.shape[0]):
        j = tree.massive[i]
        m, g, h = tree.mass[j], tree.com[j], tree.inertia[j]
        r0, r1, r2 = R[j, 0], R[j, 1], R[j, 2]
        r3, r4, r5 = R[j, 3], R[j, 4], R[j, 5]
        r6, r7, r8 = R[j, 6], R[j, 7], R[j, 8]
        x, y, w = on_link(R[j], p[j], g)
        t0, t1, t2 = (
            r0 * h[0] + r1 * h[3] + r2 * h[4],
            r0 * h[3] + r1 * h[1] + r2 * h[5],
            r0 * h[4] + r1 * h[5] + r2 * h[2],
        )
        t3, t4, t5 = (
            r3 * h[0] + r4 * h[3] + r5 * h[4],
            r3 * h[3] + r4 * h[1] + r5 * h[5],
            r3 * h[4] + r4 * h[5] + r5 * h[2],
        )
        t6, t7, t8 = (
            r6 * h[0] + r7 * h[3] + r8 * h[4],
            r6 * h[3] + r7 * h[1] + r8 * h[5],
            r6 * h[4] + r7 * h[5] + r8 * h[2],
        )
        J[j, 0], J[j, 1], J[j, 2], J[j, 3] = m, m * x, m * y, m * w
        J[j, 4] = t0 * r0 + t1 * r1 + t2 * r2 + m * (y * y + w * w)
        J[j, 5] = t3 * r3 + t4 * r4 + t5 * r5 + m * (x * x + w * w)
        J[j, 6] = t6 * r6 + t7 * r7 + t8 * r8 + m * (x * x + y * y)
        J[j, 7] = t0 * r3 + t1 * r4 + t2 * r5 - m * x * y
        J[j, 8] = t0 * r6 + t1 * r7 + t2 * r8 - m * x * w
        J[j, 9] = t3 * r6 + t4 * r7 + t5 * r8 - m * y * w


@inlined
def link_forces(tree, J, V, A, Q, h, F):
    """Coriolis matrices, momenta and forces of all links, from their inertias about the reference point."""
    Q[:] = 0.0
    h[:] = 0.0
    F[:] = 0.0
    for i in range(tree.massive.shape[0]):
        j = tree.massive[i]
        m, x, y, w = J[j, 0], J[j, 1], J[j, 2], J[j, 3]
        xx, yy, zz, xy, xz, yz = J[j, 4], J[j, 5], J[j, 6], J[j, 7], J[j, 8], J[j, 9]
        v0, v1, v2, v3, v4, v5 = V[j, 0], V[j, 1], V[j, 2], V[j, 3], V[j, 4], V[j, 5]
        a0, a1, a2, a3, a4, a5 = A[j, 0], A[j, 1], A[j, 2], A[j, 3], A[j, 4], A[j, 5]
        # momentum about c: L = J omega + m r x v, p = m v + omega x m r
        p0, p1, p2 = m * v3 + v1 * w - v2 * y, m * v4 + v2 * x - v0 * w, m * v5 + v0 * y - v1 * x
        l0 = xx * v0 + xy * v1 + xz * v2 + y * v5 - w * v4
        l1 = xy * v0 + yy * v1 + yz * v2 + w * v3 - x * v5
        l2 = xz * v0 + yz * v1 + zz * v2 + x * v4 - y * v3
        # J A + V x* (L, p)
        F[j, 0] = xx * a0 + xy * a1 + xz * a2 + y * a5 - w * a4 + v1 * l2 - v2 * l1 + v4 * p2 - v5 * p1
        F[j, 1] = xy * a0 + yy * a1 + yz * a2 + w * a3 - x * a5 + v2 * l0 - v0 * l2 + v5 * p0 - v3 * p2
        F[j, 2] = xz * a0 + yz * a1 + zz * a2 + x * a4 - y * a3 + v0 * l1 - v1 * l0 + v3 * p1 - v4 * p0
        F[j, 3] = m * a3 + a1 * w - a2 * y + v1 * p2 - v2 * p1
        F[j, 4] = m * a4 + a2 * x - a0 * w + v2 * p0 - v0 * p2
        F[j, 5] = m * a5 + a0 * y - a1 * x + v0 * p1 - v1 * p0
        h[j, 0], h[j, 1], h[j, 2] = p0, p1, p2
        # second moments: half the trace on the diagonal less the inertia
        s = 0.5 * (xx + yy + zz)
        xx, yy, zz, xy, xz, yz = s - xx, s - yy, s - zz, -xy, -xz, -yz
        Q[j, 0], Q[j, 1], Q[j, 2] = (
            v1 * xz - v2 * xy + v3 * x,
            v1 * yz - v2 * yy + v3 * y,
            v1 * zz - v2 * yz + v3 * w,
        )
        Q[j, 3], Q[j, 4], Q[j, 5] = (
            v2 * xx - v0 * xz + v4 * x,
            v2 * xy - v0 * yz + v4 * y,
            v2 * xz - v0 * zz + v4 * w,
        )
        Q[j, 6], Q[j, 7], Q[j, 8] = (
            v0 * xy - v1 * xx + v5 * x,
            v0 * yy - v1 * xy + v5 * y,
            v0 * yz - v1 * xz + v5 * w,
        )


@inlined
def add_to_parents(tree, X):
    """Turn the rows of X (n, k) from links into composite bodies: each row becomes the sum over its subtree."""
    for j in range(tree.parent.shape[0] - 1, 0, -1):
        k = tree.parent[j]
        for i in range(X.shape[1]):
            X[k, i] += X[j, i]


@inlined
def load_transport(loads, load_link, c, in_link, E):
    """How the links' external loads turn when their link is displaced by a spatial motion (w, v), rows E (n, 15).

    Their change beside the rigid turn of all forces is (B w + v x f', w x f): entries B (9), f' (3), f (3). In a load
    whose point is fixed in G nothing moves, and that is the rigid turn back. Where its point moves with the link
    (``in_link``), the moment of the travelling point remains.
    """
    E[:] = 0.0
    for m in range(load_link.shape[0]):
        j, e = load_link[m], loads[m]
        f0, f1, f2, n0, n1, n2 = e[0], e[1], e[2], e[3], e[4], e[5]
        x, y, w = e[6] - c[0], e[7] - c[1], e[8] - c[2]
        if in_link:
            s = x * f0 + y * f1 + w * f2
            E[j, 0] += s - f0 * x
            E[j, 1] -= f0 * y
            E[j, 2] -= f0 * w
            E[j, 3] -= f1 * x
            E[j, 4] += s - f1 * y
            E[j, 5] -= f1 * w
            E[j, 6] -= f2 * x
            E[j, 7] -= f2 * y
            E[j, 8] += s - f2 * w
        else:
            n0 += y * f2 - w * f1
            n1 += w * f0 - x * f2
            n2 += x * f1 - y * f0
            E[j, 9] += f0
            E[j, 10] += f1
            E[j, 11] += f2
        E[j, 1] += n2
        E[j, 2] -= n1
        E[j, 3] -= n2
        E[j, 5] += n0
        E[j, 6] += n1
        E[j, 7] -= n0
        E[j, 12] += f0
        E[j, 13] += f1
        E[j, 14] += f2


@inlined
def inertia_times(J, s, out):
    """Momentum (6) of a composite body (10) that moves with the spatial velocity s (6)."""
    m, x, y, w = J[0], J[1], J[2], J[3]
    out[0] = J[4] * s[0] + J[7] * s[1] + J[8] * s[2] + y * s[5] - w * s[4]
    out[1] = J[7] * s[0] + J[5] * s[1] + J[9] * s[2] + w * s[3] - x * s[5]
    out[2] = J[8] * s[0] + J[9] * s[1] + J[6] * s[2] + x * s[4] - y * s[3]
    out[3] = m * s[3] + s[1] * w - s[2] * y
    out[4] = m * s[4] + s[2] * x - s[0] * w
    out[5] = m * s[5] + s[0] * y - s[1] * x


@inlined
def add_coriolis(Q, h, s, out):
    """Add B s, the change of V x* J V with V turned by s: 2 (tr(Q) w - Q w, w x h), w the angular part of s."""
    w0, w1, w2 = 2 * s[0], 2 * s[1], 2 * s[2]
    t = Q[0] + Q[4] + Q[8]
    out[0] += t * w0 - Q[0] * w0 - Q[1] * w1 - Q[2] * w2
    out[1] += t * w1 - Q[3] * w0 - Q[4] * w1 - Q[5] * w2
    out[2] += t * w2 - Q[6] * w0 - Q[7] * w1 - Q[8] * w2
    out[3] += w1 * h[2] - w2 * h[1]
    out[4] += w2 * h[0] - w0 * h[2]
    out[5] += w0 * h[1] - w1 * h[0]


@inlined
def add_turned_force(F, s, out):
    """Add s x* F, the rigid turn of a force (moment, force) with the spatial motion s."""
    out[0] += s[1] * F[2] - s[2] * F[1] + s[4] * F[5] - s[5] * F[4]
    out[1] += s[2] * F[0] - s[0] * F[2] + s[5] * F[3] - s[3] * F[5]
    out[2] += s[0] * F[1] - s[1] * F[0] + s[3] * F[4] - s[4] * F[3]
    out[3] += s[1] * F[5] - s[2] * F[4]
    out[4] += s[2] * F[3] - s[0] * F[5]
    out[5] += s[0] * F[4] - s[1] * F[3]


@inlined
def add_transported_load(E, s, out):
    """Add (B w + v x f', w x f) of `load_transport` for the spatial motion s = (w, v)."""
    out[0] += E[0] * s[0] + E[1] * s[1] + E[2] * s[2] + s[4] * E[11] - s[5] * E[10]
    out[1] += E[3] * s[0] + E[4] * s[1] + E[5] * s[2] + s[5] * E[9] - s[3] * E[11]
    out[2] += E[6] * s[0] + E[7] * s[1] + E[8] * s[2] + s[3] * E[10] - s[4] * E[9]
    out[3] += s[1] * E[14] - s[2] * E[13]
    out[4] += s[2] * E[12] - s[0] * E[14]
    out[5] += s[0] * E[13] - s[1] * E[12]
