"""Sums over subtrees, compiled: inertia, momentum, force and Coriolis matrix of every composite body.

About a point fixed in G, the composite body of joint j is a plain sum over its links, so no quantity is ever
transformed between frames. Layout of a row: inertia ``J`` (10) mass, first moment (3), second-order xx yy zz xy xz yz;
``Q`` (9) integral of v r^T dm by rows, v the velocity of the mass at r; ``h`` (3) linear momentum; ``F`` (6) moment
and force that produce the motion, minus the external loads.
"""

from __future__ import annotations

from pipeline.skeleton.compiling import inlined
from pipeline.skeleton.spatial_kernels import cross, dot, get, inertia_times, load_cross, on_link, plus, plus3, put


@inlined
def symmetric_times(a, h):
    """A vector (3) times a symmetric matrix xx yy zz xy xz yz."""
    return (
        a[0] * h[0] + a[1] * h[3] + a[2] * h[4],
        a[0] * h[3] + a[1] * h[1] + a[2] * h[5],
        a[0] * h[4] + a[1] * h[5] + a[2] * h[2],
    )


@inlined
def link_inertias(tree, R, p, J):
    """Inertias of all links about the reference point, in G."""
    J[:] = 0.0
    for i in range(tree.massive.shape[0]):
        j = tree.massive[i]
        m, h = tree.mass[j], tree.inertia[j]
        a, b, c = (R[j, 0], R[j, 1], R[j, 2]), (R[j, 3], R[j, 4], R[j, 5]), (R[j, 6], R[j, 7], R[j, 8])
        x, y, w = on_link(R[j], p[j], tree.com[j])
        ah, bh, ch = symmetric_times(a, h), symmetric_times(b, h), symmetric_times(c, h)
        J[j, 0], J[j, 1], J[j, 2], J[j, 3] = m, m * x, m * y, m * w
        J[j, 4] = dot(ah, a) + m * (y * y + w * w)
        J[j, 5] = dot(bh, b) + m * (x * x + w * w)
        J[j, 6] = dot(ch, c) + m * (x * x + y * y)
        J[j, 7] = dot(ah, b) - m * x * y
        J[j, 8] = dot(ah, c) - m * x * w
        J[j, 9] = dot(bh, c) - m * y * w


@inlined
def link_forces(tree, J, V, A, F):
    """Forces of all links, J A + V x* J V, from their inertias about the reference point."""
    F[:] = 0.0
    for i in range(tree.massive.shape[0]):
        j = tree.massive[i]
        v = get(V, j)
        put(F, j, plus(inertia_times(J[j], get(A, j)), load_cross(v, inertia_times(J[j], v))))


@inlined
def link_momenta(tree, J, V, Q, h):
    """Coriolis matrices and linear momenta of all links, from their inertias about the reference point."""
    Q[:] = 0.0
    h[:] = 0.0
    for i in range(tree.massive.shape[0]):
        j = tree.massive[i]
        v = get(V, j)
        _, _, _, h[j, 0], h[j, 1], h[j, 2] = inertia_times(J[j], v)
        x, y, w = J[j, 1], J[j, 2], J[j, 3]
        # second moments: half the trace on the diagonal minus the inertia
        s = 0.5 * (J[j, 4] + J[j, 5] + J[j, 6])
        xx, yy, zz, xy, xz, yz = s - J[j, 4], s - J[j, 5], s - J[j, 6], -J[j, 7], -J[j, 8], -J[j, 9]
        Q[j, 0], Q[j, 3], Q[j, 6] = plus3(cross(v, (xx, xy, xz)), (v[3] * x, v[4] * x, v[5] * x))
        Q[j, 1], Q[j, 4], Q[j, 7] = plus3(cross(v, (xy, yy, yz)), (v[3] * y, v[4] * y, v[5] * y))
        Q[j, 2], Q[j, 5], Q[j, 8] = plus3(cross(v, (xz, yz, zz)), (v[3] * w, v[4] * w, v[5] * w))


@inlined
def add_to_parents(tree, X):
    """Turn the rows of X (n, k) from links into composite bodies: each row becomes the sum over its subtree."""
    for j in range(tree.parent.shape[0] - 1, 0, -1):
        k = tree.parent[j]
        for i in range(X.shape[1]):
            X[k, i] += X[j, i]


@inlined
def load_transport(loads, load_link, c, in_link, E):
    """Rows E (n, 15): change of the links' external loads when their link is displaced by a spatial motion (w, v).

    It is the change in addition to the rigid turn of all forces: (B w + v x f', w x f), with entries B (9), f' (3),
    f (3). A load whose point is fixed in G does not change, so this is the rigid turn undone. If the point moves with
    the link (``in_link``), the moment of the moving point remains.
    """
    E[:] = 0.0
    for m in range(load_link.shape[0]):
        j, e = load_link[m], loads[m]
        f0, f1, f2, n0, n1, n2 = e[0], e[1], e[2], e[3], e[4], e[5]
        x, y, w = e[6] - c[0], e[7] - c[1], e[8] - c[2]
        if in_link:
            for i in range(3):
                E[j, 4 * i] += x * f0 + y * f1 + w * f2
                E[j, 3 * i] -= e[i] * x
                E[j, 3 * i + 1] -= e[i] * y
                E[j, 3 * i + 2] -= e[i] * w
        else:
            n0, n1, n2 = plus3((n0, n1, n2), cross((x, y, w), e))
            for i in range(3):
                E[j, 9 + i] += e[i]
        E[j, 1] += n2
        E[j, 2] -= n1
        E[j, 3] -= n2
        E[j, 5] += n0
        E[j, 6] += n1
        E[j, 7] -= n0
        for i in range(3):
            E[j, 12 + i] += e[i]


@inlined
def coriolis(Q, h, s):
    """B s, the change of V x* J V with V turned by s: 2 (tr(Q) w - Q w, w x h), w the angular part of s."""
    w = 2 * s[0], 2 * s[1], 2 * s[2]
    t = Q[0] + Q[4] + Q[8]
    return (
        t * w[0] - Q[0] * w[0] - Q[1] * w[1] - Q[2] * w[2],
        t * w[1] - Q[3] * w[0] - Q[4] * w[1] - Q[5] * w[2],
        t * w[2] - Q[6] * w[0] - Q[7] * w[1] - Q[8] * w[2],
        *cross(w, h),
    )


@inlined
def transported_load(E, s):
    """(B w + v x f', w x f) of `load_transport` for the spatial motion s = (w, v)."""
    x, y, z = cross((s[3], s[4], s[5]), (E[9], E[10], E[11]))
    return (
        E[0] * s[0] + E[1] * s[1] + E[2] * s[2] + x,
        E[3] * s[0] + E[4] * s[1] + E[5] * s[2] + y,
        E[6] * s[0] + E[7] * s[1] + E[8] * s[2] + z,
        *cross(s, (E[12], E[13], E[14])),
    )


@inlined
def transposed_coriolis(Q, h, s):
    """Angular part (3) of B^T s, 2 (tr(Q) w - Q^T w + h x v), s = (w, v); the linear part is zero."""
    t = Q[0] + Q[4] + Q[8]
    x, y, z = cross(h, (s[3], s[4], s[5]))
    return (
        2 * (t * s[0] - Q[0] * s[0] - Q[3] * s[1] - Q[6] * s[2] + x),
        2 * (t * s[1] - Q[1] * s[0] - Q[4] * s[1] - Q[7] * s[2] + y),
        2 * (t * s[2] - Q[2] * s[0] - Q[5] * s[1] - Q[8] * s[2] + z),
    )


@inlined
def transposed_load(E, s):
    """The transpose of `transported_load`: (B^T w + f x v, f' x w)."""
    x, y, z = cross((E[12], E[13], E[14]), (s[3], s[4], s[5]))
    return (
        E[0] * s[0] + E[3] * s[1] + E[6] * s[2] + x,
        E[1] * s[0] + E[4] * s[1] + E[7] * s[2] + y,
        E[2] * s[0] + E[5] * s[1] + E[8] * s[2] + z,
        *cross((E[9], E[10], E[11]), s),
    )
