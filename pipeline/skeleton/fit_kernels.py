"""Compiled weighted least squares of marker positions: one frame's normal equations, and their bounded solution."""

from __future__ import annotations

import numpy as np

from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.pose_kernels import place_links


@inlined
def marker_equations(tree, q, link, point, marker, weight, limit, R, p, z, o, u, H, g):
    """Add J' W J and J' W e of one frame to H (n, n), lower triangle, and g (n,); return the cost.

    The cost of a marker at distance e is Huber's: w e^2 / 2 up to the limit, w limit (e - limit / 2) beyond, so that
    one that is far off pulls no harder than one at the limit. Markers with a missing coordinate or no weight are
    skipped; J has columns only for the joints between the marker's link and the root.
    """
    place_links(tree, q, R, p, z, o)
    cost = 0.0
    for m in range(link.shape[0]):
        w = weight[m]
        if not (w > 0.0 and np.isfinite(marker[m, 0] + marker[m, 1] + marker[m, 2])):
            continue
        k = link[m]
        a, b, c = point[m, 0], point[m, 1], point[m, 2]
        x = p[k, 0] + R[k, 0] * a + R[k, 1] * b + R[k, 2] * c
        y = p[k, 1] + R[k, 3] * a + R[k, 4] * b + R[k, 5] * c
        s = p[k, 2] + R[k, 6] * a + R[k, 7] * b + R[k, 8] * c
        e0, e1, e2 = x - marker[m, 0], y - marker[m, 1], s - marker[m, 2]
        far = np.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
        if far > limit:
            cost += w * limit * (far - 0.5 * limit)
            w *= limit / far
        else:
            cost += 0.5 * w * far * far
        j = k
        while j >= 0:
            if tree.revolute[j]:
                v0, v1, v2 = x - o[j, 0], y - o[j, 1], s - o[j, 2]
                u[j, 0] = z[j, 1] * v2 - z[j, 2] * v1
                u[j, 1] = z[j, 2] * v0 - z[j, 0] * v2
                u[j, 2] = z[j, 0] * v1 - z[j, 1] * v0
            else:
                u[j, 0], u[j, 1], u[j, 2] = z[j, 0], z[j, 1], z[j, 2]
            g[j] += w * (u[j, 0] * e0 + u[j, 1] * e1 + u[j, 2] * e2)
            j = tree.parent[j]
        j = k
        while j >= 0:
            i = j
            while i >= 0:
                H[j, i] += w * (u[j, 0] * u[i, 0] + u[j, 1] * u[i, 1] + u[j, 2] * u[i, 2])
                i = tree.parent[i]
            j = tree.parent[j]
    return cost


@inlined
def solve_along_tree(tree, H, g, damping, q, lower, upper, held, L, step):
    """Step (n,) of (H + damping diag H) step = -g in which coordinates at a bound that g pushes outwards stay.

    H couples a joint only with its ancestors and descendants, so that the factors L' D L from the tips to the root
    (Featherstone 2008, section 6.5) have no other entries either.
    """
    n = q.shape[0]
    for j in range(n):
        held[j] = (q[j] <= lower[j] and g[j] > 0.0) or (q[j] >= upper[j] and g[j] < 0.0)
        step[j] = 0.0 if held[j] else -g[j]
        i = j
        while i >= 0:
            L[j, i] = H[j, i]
            i = tree.parent[i]
        L[j, j] *= 1.0 + damping
    for k in range(n - 1, -1, -1):
        if held[k]:
            continue
        i = tree.parent[k]
        while i >= 0:
            if not held[i]:
                ratio = L[k, i] / L[k, k]
                j = i
                while j >= 0:
                    if not held[j]:
                        L[i, j] -= ratio * L[k, j]
                    j = tree.parent[j]
                L[k, i] = ratio
                step[i] -= ratio * step[k]
            i = tree.parent[i]
    for k in range(n):
        if held[k]:
            continue
        step[k] /= L[k, k]
        i = tree.parent[k]
        while i >= 0:
            if not held[i]:
                step[k] -= L[k, i] * step[i]
            i = tree.parent[i]


@kernel
def fit_frames_kernel(
    tree, link, point, markers, weight, limit, order, start, reference, stiffness, lower, upper, rounds, small, q, done
):
    """Levenberg-Marquardt, one frame after the other, each from the solution of another one.

    Minimises the markers' Huber cost plus stiffness (q - reference)^2 / 2 within the bounds.

    Args:
        tree: constants of the tree.
        link, point: (K,) and (K, 3), where the markers sit, in link frames.
        markers, weight: (T, K, 3) m in G and (T, K).
        limit: m, of Huber's cost.
        order: (F,) frames in the order of solution.
        start: (F,) frame whose coordinates each of them starts from; itself for those already in ``q``.
        reference, stiffness, lower, upper: (n,).
        rounds: most steps of a frame.
        small: rad or m, largest step at which a frame is solved.
        q: (T, n), starting values in, solutions out.
        done: (T,) out, steps taken; ``rounds`` where the frame did not converge.
    """
    n = tree.parent.shape[0]
    R, p, z, o, u = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    H, L, g, g_new, step = np.zeros((n, n)), np.zeros((n, n)), np.empty(n), np.empty(n), np.empty(n)
    H_new, held = np.zeros((n, n)), np.zeros(n, dtype=np.bool_)
    trial = np.empty(n)
    for f in range(order.shape[0]):
        t = order[f]
        now = q[t]
        for j in range(n):
            now[j] = min(max(q[start[f], j], lower[j]), upper[j])
        damping = 1e-6
        H[:] = 0.0
        g[:] = 0.0
        cost = marker_equations(tree, now, link, point, markers[t], weight[t], limit, R, p, z, o, u, H, g)
        for j in range(n):
            apart = now[j] - reference[j]
            H[j, j] += stiffness[j]
            g[j] += stiffness[j] * apart
            cost += 0.5 * stiffness[j] * apart * apart
        done[t] = rounds
        for count in range(rounds):
            solve_along_tree(tree, H, g, damping, now, lower, upper, held, L, step)
            largest = 0.0
            for j in range(n):
                largest = max(largest, abs(step[j]))
            shrink = min(1.0, 0.7 / largest) if largest > 0.0 else 1.0
            moved = 0.0
            for j in range(n):
                trial[j] = min(max(now[j] + shrink * step[j], lower[j]), upper[j])
                moved = max(moved, abs(trial[j] - now[j]))
            H_new[:] = 0.0
            g_new[:] = 0.0
            cost_new = marker_equations(
                tree, trial, link, point, markers[t], weight[t], limit, R, p, z, o, u, H_new, g_new
            )
            for j in range(n):
                apart = trial[j] - reference[j]
                H_new[j, j] += stiffness[j]
                g_new[j] += stiffness[j] * apart
                cost_new += 0.5 * stiffness[j] * apart * apart
            if cost_new <= cost:
                cost = cost_new
                now[:] = trial
                H[:] = H_new
                g[:] = g_new
                damping = max(0.1 * damping, 1e-9)
            else:
                damping = min(10.0 * damping, 1e6)
            if moved < small:
                done[t] = count + 1
                break


@kernel
def normal_equations_kernel(
    tree, link, point, markers, weight, limit, reference, stiffness, lower, upper, wall, q, H, g
):
    """Normal equations H (T, n, n) and g (T, n) of every frame at coordinates q (T, n); returns the summed cost.

    As in `fit_frames_kernel`, but a coordinate beyond its bound costs wall times the square of the excess / 2.
    """
    n = tree.parent.shape[0]
    R, p, z, o, u = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    cost = 0.0
    for t in range(q.shape[0]):
        H[t] = 0.0
        g[t] = 0.0
        cost += marker_equations(tree, q[t], link, point, markers[t], weight[t], limit, R, p, z, o, u, H[t], g[t])
        for j in range(n):
            apart = q[t, j] - reference[j]
            excess = max(q[t, j] - upper[j], 0.0) + min(q[t, j] - lower[j], 0.0)
            cost += 0.5 * (stiffness[j] * apart * apart + wall * excess * excess)
            g[t, j] += stiffness[j] * apart + wall * excess
            H[t, j, j] += stiffness[j] + (wall if excess != 0.0 else 0.0)
            for i in range(j):
                H[t, i, j] = H[t, j, i]
    return cost


@kernel
def add_block_kernel(band, start, block):
    """Add a symmetric block (m, m) to a symmetric band (N, m), row j of which holds A[j, j], A[j + 1, j], ..."""
    size = block.shape[0]
    for j in range(size):
        for i in range(j, size):
            band[start + j, i - j] += block[i, j]
