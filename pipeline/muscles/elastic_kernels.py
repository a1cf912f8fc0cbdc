"""Compiled static optimisation with elastic tendons: fibres in equilibrium with their tendons, frame after frame."""

from __future__ import annotations

import numpy as np

from pipeline.muscles.hill_kernels import active, passive, tendon, velocity
from pipeline.muscles.static_optimisation_kernels import distribute
from pipeline.skeleton.compiling import inlined, kernel

_NEWTON_STEPS, _NEWTON_TOLERANCE = 60, 1e-11
"""Steps of Newton's method within a bracket, and change of a normalised fibre length below which it ends."""

_FLAT = 1e-9
"""Slope of the balance below which the bracket decides: that of a slack tendon."""

FULL_STEPS = 3
"""Number of rounds with a full step; after these, steps shrink with the number of rounds."""


@inlined
def balance(curve, optimal, slack, thickness, length, a, before, dt, lam):
    """Fibre force minus tendon force over the maximum, its derivatives with respect to fibre length and activation; the
    tendon force and its derivative with respect to fibre length."""
    width, shape, full_stretch, hill_ratio, eccentric, full_strain, fastest = curve
    along = np.sqrt(max(lam * lam - thickness * thickness, 1e-12))
    cosine, pace = along / lam, 1.0 / (dt * fastest)
    of_length, length_slope = active(width, lam)
    of_speed, speed_slope = velocity(hill_ratio, eccentric, (lam - before) * pace)
    at_rest, rest_slope = passive(shape, full_stretch, lam)
    tension, stiffness = tendon(full_strain, (length - along * optimal) / slack - 1.0)
    fibre = a * of_length * of_speed + at_rest
    by_length = a * (length_slope * of_speed + of_length * speed_slope * pace) + rest_slope
    by_length = by_length * cosine + fibre * (1.0 - cosine * cosine) / along
    tension_by_length = -stiffness * optimal / (slack * cosine)
    change = by_length - tension_by_length
    if abs(change) < _FLAT:
        change = _FLAT
    return fibre * cosine - tension, change, of_length * of_speed * cosine, tension, tension_by_length


@kernel
def equilibrium_kernel(curve, maximum, optimal, slack, thickness, shortest, length, a, before, dt, lam, force, slope):
    """Fill fibre lengths lam, forces and their slopes by activation (m,) at the end of a step, by Newton's method
    within a bracket.

    Args:
        curve: parameters of the curves.
        maximum, optimal, slack, thickness, shortest: (m,); the last two over the optimal fibre length.
        length: (m,) of whole muscles at the end of the step, m.
        a: (m,) activations at the end of the step.
        before: (m,) fibre lengths at its start, fraction of the optimal ones.
        dt: s.
        lam: (m,) out, fraction of the optimal length.
        force, slope: (m,) out, N.
    """
    for i in range(lam.shape[0]):
        h = thickness[i]
        high = np.sqrt((max(length[i] - slack[i], 0.0) / optimal[i]) ** 2 + h * h)
        low = min(shortest[i], high)
        at = min(max(before[i], low), high)
        for _ in range(_NEWTON_STEPS):
            excess, change, _, _, _ = balance(curve, optimal[i], slack[i], h, length[i], a[i], before[i], dt, at)
            if excess < 0.0:
                low = at
            else:
                high = at
            new = at - excess / change
            if not low < new < high:
                new = 0.5 * (low + high)
            moved, at = abs(new - at), new
            if moved < _NEWTON_TOLERANCE:
                break
        _, change, by_activation, tension, tension_by_length = balance(
            curve, optimal[i], slack[i], h, length[i], a[i], before[i], dt, at
        )
        lam[i], force[i] = at, maximum[i] * tension
        slope[i] = maximum[i] * max(-tension_by_length * by_activation / change, 0.0)


@kernel
def elastic_kernel(
    curve, elastic, maximum, optimal, slack, thickness, shortest, begins, start, length, dt, arm, active_force,
    passive_force, moment, weight, low, high, target, reserve, row_start, row, rounds, step_tolerance, activation,
    force, fibre,
):  # fmt: skip
    """Fill activations, forces and fibre lengths (T, m). Returns the first frame that does not converge, or -1, and the
    change of its activations, NaN if no activations produce the moments.

    Args:
        curve: parameters of the curves.
        elastic: (e,) indices of the muscles with elastic tendons.
        maximum, optimal, slack, thickness, shortest: (e,) of these; the last two over the optimal fibre length.
        begins: (T,) whether a frame starts anew, from ``activation`` and the fibre lengths ``start`` (T, e).
        length: (T, e) m, of the whole muscles.
        dt: (T,) s, from the frame before.
        arm: (T, J, m) m.
        active_force, passive_force: (T, m) N of all muscles with rigid tendons.
        moment: (T, J) Nm.
        weight, low, high, target, reserve: of the criterion; (m,), (T, m) three times, and (T, J).
        row_start, row: (m + 1,) where each muscle's coordinates begin in ``row``, (k,) the coordinates.
        rounds, step_tolerance: largest number of rounds of a frame, and step of an activation below which it is solved.
        activation: (T, m) on entry, those with rigid tendons.
    """
    frames, n, m = arm.shape
    e = elastic.shape[0]
    a, own, before, lam = activation[0].copy(), np.empty(e), np.empty(e), np.empty(e)
    tension, slope = np.empty(e), np.empty(e)
    capacity, offset, value, needed = np.empty(m), np.empty(m), np.empty(row.shape[0]), np.empty(n)
    bottom, top, new, at = np.empty(m), np.empty(m), np.empty(m), np.zeros(n)
    for t in range(frames):
        if begins[t]:
            for i in range(m):
                a[i] = activation[t, i]
            for k in range(e):
                before[k] = start[t, k]
        for i in range(m):
            capacity[i], offset[i] = active_force[t, i], passive_force[t, i]
            bottom[i], top[i] = low[t, i] - target[t, i], high[t, i] - target[t, i]
        change = np.inf
        for done in range(rounds):
            for k in range(e):
                own[k] = a[elastic[k]]
            equilibrium_kernel(
                curve, maximum, optimal, slack, thickness, shortest, length[t], own, before, dt[t], lam, tension, slope
            )
            for k in range(e):
                capacity[elastic[k]], offset[elastic[k]] = slope[k], tension[k] - slope[k] * own[k]
            largest = 0.0
            for j in range(n):
                needed[j] = moment[t, j]
                for i in range(m):
                    needed[j] -= arm[t, j, i] * offset[i]
                largest = max(largest, abs(needed[j]))
            for i in range(m):
                for k in range(row_start[i], row_start[i + 1]):
                    value[k] = arm[t, row[k], i] * capacity[i]
                    needed[row[k]] -= value[k] * target[t, i]
            left, tolerance, _ = distribute(
                weight, row_start, row, value, bottom, top, needed, reserve[t], largest, at, new
            )
            if not left <= tolerance:
                return t, np.nan
            part = min(1.0, FULL_STEPS / (done + 1.0))
            for i in range(m):
                a[i] += part * (new[i] + target[t, i] - a[i])
            change = 0.0
            for k in range(e):
                change = max(change, abs(a[elastic[k]] - own[k]))
            if change < step_tolerance:
                break
        if not change < step_tolerance:
            return t, change
        for k in range(e):
            own[k] = a[elastic[k]]
        equilibrium_kernel(
            curve, maximum, optimal, slack, thickness, shortest, length[t], own, before, dt[t], lam, tension, slope
        )
        for i in range(m):
            activation[t, i], force[t, i] = a[i], a[i] * capacity[i] + offset[i]
        for k in range(e):
            force[t, elastic[k]], fibre[t, elastic[k]], before[k] = tension[k], lam[k], lam[k]
    return -1, 0.0
