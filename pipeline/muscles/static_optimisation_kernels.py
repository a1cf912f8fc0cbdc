"""Compiled dual Newton method of static optimisation, frame after frame, each started from the previous solution."""

from __future__ import annotations

import numpy as np

from pipeline.skeleton.compiling import inlined, kernel

_ROUNDS, _TRIALS = 100, 40
_FLAT = 0.2
"""Slope at which a line search ends, as a fraction of the first slope."""

_TOLERANCE = 1e-9
"""Remaining moment as a fraction of the frame's largest: far below any measured one, far above rounding errors."""

_NEWTON, _LONG = 8, 100.0
"""Steps of Newton's method; number of activation times after which every activation can be reached."""


@inlined
def best_activation(s, low, high):
    """Activation that minimises its square minus s times itself, and its slope by s (0 at a bound)."""
    a, slope = 0.5 * s, 0.5
    if a <= low:
        a, slope = low, 0.0
    elif a >= high:
        a, slope = high, 0.0
    return a, slope


@inlined
def reachable(a, interval, rising, falling):
    """Lowest and highest activation after an interval, s, from a, without and with full excitation.

    With the rates of Thelen (2003, equations 1 and 2), a / (0.5 + 1.5 a) decays with twice the deactivation time, and
    2 c - 1.5 (1 - exp(-c)), c = -ln(1 - a), grows by the interval over the activation time. The latter is increasing
    and convex in c, so Newton's method finds c from above.
    """
    y = a / (0.5 + 1.5 * a) * np.exp(-0.5 * interval / falling)
    low, high = 0.5 * y / (1.0 - 1.5 * y), 1.0
    if a < 1.0 and interval < _LONG * rising:
        start = -np.log(1.0 - a)
        target = 2.0 * start - 1.5 * a + interval / rising
        c = 0.5 * (target + 1.5)
        for _ in range(_NEWTON):
            c -= (2.0 * c - 1.5 * (1.0 - np.exp(-c)) - target) / (2.0 - 1.5 * np.exp(-c))
        high = 1.0 - np.exp(-c)
    return low, high


@kernel
def unbalanced(weight, start, row, value, low, high, moment, reserve, x, a, slope, gradient):
    """Fill activations, their slopes, and the gradient of the convex dual function at the multipliers x: moments of
    muscles and reserves minus the required moments. Returns its largest entry."""
    for j in range(x.shape[0]):
        gradient[j] = 0.5 * reserve[j] ** 2 * x[j] - moment[j]
    for i in range(a.shape[0]):
        s = 0.0
        for k in range(start[i], start[i + 1]):
            s += value[k] * x[row[k]]
        a[i], slope[i] = best_activation(s / weight[i], low[i], high[i])
        slope[i] /= weight[i]
        for k in range(start[i], start[i + 1]):
            gradient[row[k]] += value[k] * a[i]
    largest = 0.0
    for j in range(x.shape[0]):
        largest = max(largest, abs(gradient[j]))
    return largest


@inlined
def dot(x, y):
    """Scalar product."""
    total = 0.0
    for j in range(x.shape[0]):
        total += x[j] * y[j]
    return total


@kernel
def solve_positive_definite(H, b):
    """Solve H x = b in place by Cholesky factorisation; H is destroyed, b becomes x."""
    n = b.shape[0]
    for j in range(n):
        for k in range(j):
            for i in range(j, n):
                H[i, j] -= H[i, k] * H[j, k]
        root = np.sqrt(H[j, j])
        for i in range(j, n):
            H[i, j] /= root
    for j in range(n):
        for k in range(j):
            b[j] -= H[j, k] * b[k]
        b[j] /= H[j, j]
    for j in range(n - 1, -1, -1):
        for k in range(j + 1, n):
            b[j] -= H[k, j] * b[k]
        b[j] /= H[j, j]


@kernel
def distribute(weight, start, row, value, bottom, top, moment, reserve, largest, at, a):
    """Fill the activations a (m,) of one frame and its multipliers ``at`` (J,), starting from their given values.

    Arguments as for `static_optimisation_kernel`, for one frame; the largest moment sets the tolerance.

    Returns:
        The largest remaining moment and the tolerance, Nm, and the number of Newton steps.
    """
    m, n = a.shape[0], at.shape[0]
    slope, gradient, tried = np.empty(m), np.empty(n), np.empty(n)
    step, H = np.empty(n), np.empty((n, n))
    tolerance = _TOLERANCE * (1.0 + largest)
    left = unbalanced(weight, start, row, value, bottom, top, moment, reserve, at, a, slope, gradient)
    done = 0
    while left > tolerance and done < _ROUNDS:
        for j in range(n):
            for k in range(n):
                H[j, k] = 0.0
            H[j, j] = 0.5 * reserve[j] ** 2
            step[j] = -gradient[j]
        for i in range(m):
            if slope[i] > 0.0:
                for k in range(start[i], start[i + 1]):
                    for j in range(start[i], start[i + 1]):
                        H[row[k], row[j]] += slope[i] * value[k] * value[j]
        solve_positive_definite(H, step)
        first = dot(gradient, step)
        near, far, near_slope, far_slope, length = 0.0, 1.0, first, np.inf, 1.0
        for _ in range(_TRIALS):
            for j in range(n):
                tried[j] = at[j] + length * step[j]
            left = unbalanced(weight, start, row, value, bottom, top, moment, reserve, tried, a, slope, gradient)
            here = dot(gradient, step)
            if left <= tolerance or abs(here) <= _FLAT * abs(first) or (length == 1.0 and here < 0.0):
                break
            if here < 0.0:
                near, near_slope = length, here
            else:
                far, far_slope = length, here
            inner = near_slope / (near_slope - far_slope)  # where a straight line between the slopes is zero
            length = near + min(max(inner, 0.1), 0.9) * (far - near)
        for j in range(n):
            at[j] = tried[j]
        done += 1
    return left, tolerance, done


@kernel
def static_optimisation_kernel(
    weight, start, row, value, low, high, interval, rising, falling, moment, reserve, largest, a, x, residual,
    tolerance, rounds,
):  # fmt: skip
    """Fill activations a (T, m), multipliers x (T, J), and for each frame the largest remaining moment, its tolerance,
    and the number of Newton steps.

    Args:
        weight: (m,) of each muscle's activation in the cost.
        start, row: (m + 1,) where each muscle's entries begin, (k,) the coordinate of each.
        value: (T, k) moment of each muscle at full activation about each coordinate on which it acts, Nm.
        low, high: (T, m) bounds of the activations.
        interval: (T,) s from the frame before; infinite if it does not limit activations.
        rising, falling: time constants of activation and deactivation, s.
        moment: (T, J) Nm.
        reserve: (T, J) moment of a reserve that costs as much as one fully active muscle, Nm.
        largest: (T,) largest moment of the frame, Nm.
    """
    frames, m = a.shape
    at = np.zeros(moment.shape[1])
    bottom, top = np.empty(m), np.empty(m)
    for t in range(frames):
        for i in range(m):
            bottom[i], top[i] = low[t, i], high[t, i]
            if interval[t] < np.inf:
                least, most = reachable(a[t - 1, i], interval[t], rising, falling)
                bottom[i] = min(max(bottom[i], least), high[t, i])
                top[i] = max(min(top[i], most), bottom[i])
        residual[t], tolerance[t], rounds[t] = distribute(
            weight, start, row, value[t], bottom, top, moment[t], reserve[t], largest[t], at, a[t]
        )
        for j in range(at.shape[0]):
            x[t, j] = at[j]
