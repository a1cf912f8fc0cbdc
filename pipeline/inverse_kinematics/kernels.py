"""Compiled weighted least squares of marker positions: normal equations of one frame, and their bounded solution."""

from __future__ import annotations

import numpy as np

from pipeline.skeleton.compiling import inlined, kernel
from pipeline.skeleton.pose_kernels import place_links
from pipeline.skeleton.spatial_kernels import cross, get, inertia_times, joint_motion, on_link, plus, power, put


@inlined
def marker_equations(tree, q, link, point, marker, weight, limit, R, p, z, o, C, V, H, g):
    """Set J' W J of one frame in H (n, n), lower triangle, and J' W e in g (n,); return the cost.

    The cost of a marker at distance e is Huber's: w e^2 / 2 up to the limit, w limit (e - limit / 2) beyond, so that
    the gradient of an outlier is that of a marker at the limit. Markers without weight are skipped; missing ones must
    have none. J' W J is the mass matrix of a skeleton with the weights as point masses at its markers, and is computed
    as such from composite bodies (Featherstone 2008, section 6.2); the weighted errors are forces on them. Only entries
    of a joint with itself or an ancestor are set; there are no others.

    C (n, 16) and V (n, 6) are work space: composite moments of mass, force and moment; motions of the joints.
    """
    n = tree.parent.shape[0]
    place_links(tree, q, R, p, z, o)
    first = tree.massive[0]
    c0, c1, c2 = p[first, 0], p[first, 1], p[first, 2]  # moments about a point of the body: numbers stay small
    C[:] = 0.0
    load = C[:, 10:]
    cost = 0.0
    for m in range(link.shape[0]):
        w = weight[m]
        if not w > 0.0:
            continue
        k = link[m]
        x, y, s = on_link(R[k], p[k], point[m])
        e0, e1, e2 = x - marker[m, 0], y - marker[m, 1], s - marker[m, 2]
        far = np.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
        if far > limit:
            cost += w * limit * (far - 0.5 * limit)
            w *= limit / far
        else:
            cost += 0.5 * w * far * far
        x, y, s = x - c0, y - c1, s - c2
        h0, h1, h2 = w * x, w * y, w * s
        body = C[k]
        body[0] += w
        body[1] += h0
        body[2] += h1
        body[3] += h2
        body[4] += h1 * y + h2 * s
        body[5] += h0 * x + h2 * s
        body[6] += h0 * x + h1 * y
        body[7] -= h0 * y
        body[8] -= h0 * s
        body[9] -= h1 * s
        error = w * e0, w * e1, w * e2
        put(load, k, plus(get(load, k), (*cross((x, y, s), error), *error)))
    for j in range(n):
        put(V, j, joint_motion(tree, j, z, o[j, 0] - c0, o[j, 1] - c1, o[j, 2] - c2))
    for j in range(n - 1, -1, -1):
        v, k = get(V, j), tree.parent[j]
        if k >= 0:
            for i in range(16):
                C[k, i] += C[j, i]
        momentum = inertia_times(C[j], v)
        g[j] = power(get(load, j), v)
        i = j
        while i >= 0:
            H[j, i] = power(momentum, get(V, i))
            i = tree.parent[i]
    return cost


@inlined
def add_prior(prior_weight, q, reference, H, g):
    """Add the prior towards the reference, weight (q - reference)^2 / 2 for each joint; return its cost."""
    cost = 0.0
    for j in range(q.shape[0]):
        apart = q[j] - reference[j]
        H[j, j] += prior_weight[j]
        g[j] += prior_weight[j] * apart
        cost += 0.5 * prior_weight[j] * apart * apart
    return cost


@inlined
def solve_along_tree(tree, H, g, damping, q, lower, upper, held, L, step):
    """Step (n,) of (H + damping diag H) step = -g; coordinates at a bound that g pushes outwards stay there.

    H couples a joint only with its ancestors and descendants. The factors L' D L, from the tips to the root
    (Featherstone 2008, section 6.5), then have no other entries either.
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
    tree, link, point, markers, weight, limit, order, start, reference, prior_weight, lower, upper, iterations, small, q
):
    """Levenberg-Marquardt, frame by frame, each from the solution of another frame.

    In a sequence of frames that start from one another, the start is extrapolated from the last two solutions.

    Minimises the markers' Huber cost plus prior_weight (q - reference)^2 / 2 within the bounds.

    Args:
        tree: constants of the tree.
        link, point: (K,) and (K, 3), positions of the model markers, in link frames.
        markers, weight: (T, K, 3) m in G and (T, K), zero if a marker is missing.
        limit: m, of Huber's cost.
        order: (F,) frames in the order of solution.
        start: (F,) frame whose coordinates each of them starts from; itself if its start is already in ``q``.
        reference, prior_weight, lower, upper: (n,).
        iterations: maximum number of steps per frame.
        small: rad or m, largest step at which a frame counts as solved.
        q: (T, n), starting values in, solutions out.
    """
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    C, V = np.empty((n, 16)), np.empty((n, 6))
    H, L, g, g_new, step = np.zeros((n, n)), np.zeros((n, n)), np.empty(n), np.empty(n), np.empty(n)
    H_new, held = np.zeros((n, n)), np.zeros(n, dtype=np.bool_)
    trial = np.empty(n)
    for f in range(order.shape[0]):
        t = order[f]
        now = q[t]
        ahead = (
            f > 1
            and start[f] == order[f - 1]
            and start[f - 1] == order[f - 2]
            and t - order[f - 1] == order[f - 1] - order[f - 2]
        )
        for j in range(n):
            from_there = q[start[f], j]
            if ahead:
                from_there = 2.0 * from_there - q[start[f - 1], j]
            now[j] = min(max(from_there, lower[j]), upper[j])
        damping = 1e-6
        cost = marker_equations(tree, now, link, point, markers[t], weight[t], limit, R, p, z, o, C, V, H, g)
        cost += add_prior(prior_weight, now, reference, H, g)
        for _ in range(iterations):
            solve_along_tree(tree, H, g, damping, now, lower, upper, held, L, step)
            largest = 0.0
            for j in range(n):
                largest = max(largest, abs(step[j]))
            shrink = min(1.0, 0.7 / largest) if largest > 0.0 else 1.0
            moved = 0.0
            for j in range(n):
                trial[j] = min(max(now[j] + shrink * step[j], lower[j]), upper[j])
                moved = max(moved, abs(trial[j] - now[j]))
            cost_new = marker_equations(
                tree, trial, link, point, markers[t], weight[t], limit, R, p, z, o, C, V, H_new, g_new
            )
            cost_new += add_prior(prior_weight, trial, reference, H_new, g_new)
            if cost_new <= cost:
                cost = cost_new
                now[:] = trial
                H[:] = H_new
                g[:] = g_new
                damping = max(0.1 * damping, 1e-9)
            else:
                damping = min(10.0 * damping, 1e6)
            if moved < small:
                break


@kernel
def normal_equations_kernel(
    tree, link, point, markers, weight, limit, reference, prior_weight, lower, upper, wall, q, H, g
):
    """Normal equations H (T, n, n) and g (T, n) of every frame at coordinates q (T, n); returns the summed cost.

    As in `fit_frames_kernel`, but a coordinate beyond its bound costs wall / 2 times the square of the excess.
    """
    n = tree.parent.shape[0]
    R, p, z, o = np.empty((n, 9)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    C, V = np.empty((n, 16)), np.empty((n, 6))
    cost = 0.0
    for t in range(q.shape[0]):
        H[t] = 0.0
        cost += marker_equations(tree, q[t], link, point, markers[t], weight[t], limit, R, p, z, o, C, V, H[t], g[t])
        for j in range(n):
            apart = q[t, j] - reference[j]
            excess = max(q[t, j] - upper[j], 0.0) + min(q[t, j] - lower[j], 0.0)
            cost += 0.5 * (prior_weight[j] * apart * apart + wall * excess * excess)
            g[t, j] += prior_weight[j] * apart + wall * excess
            H[t, j, j] += prior_weight[j] + (wall if excess != 0.0 else 0.0)
            for i in range(j):
                H[t, i, j] = H[t, j, i]
    return cost


@kernel
def add_span_kernel(window, basis, H, curvature, smooth, row, column):
    """Add one span's share of the normal matrix of spline coefficients to the lower triangle of a window of the matrix.

    Coefficients a and b of joints j and i get the sum over frames of basis_a basis_b H_ji, and curvature_ab smooth_ji.
    H couples a joint only with its ancestors, so the sums run only over those pairs.

    Args:
        window: (S n, S n) of the S coefficients of the span.
        basis: (F, S) at the span's frames.
        H: (F, n, n) normal matrices of the frames.
        curvature: (S, S) sums of products of the basis' second derivatives.
        smooth: (n, n) weight of the accelerations.
        row, column: (P,) every joint with each of its ancestors and itself.
    """
    n, frames, support, pairs = H.shape[1], H.shape[0], basis.shape[1], row.shape[0]
    packed, total = np.empty((frames, pairs)), np.empty(pairs)
    for f in range(frames):
        for p in range(pairs):
            packed[f, p] = H[f, row[p], column[p]]
    for a in range(support):
        for b in range(a, support):
            for p in range(pairs):
                total[p] = curvature[a, b] * smooth[row[p], column[p]]
            for f in range(frames):
                w = basis[f, a] * basis[f, b]
                for p in range(pairs):
                    total[p] += w * packed[f, p]
            for p in range(pairs):
                j, i = row[p], column[p]
                window[b * n + j, a * n + i] += total[p]
                if a != b and i != j:
                    window[b * n + i, a * n + j] += total[p]
