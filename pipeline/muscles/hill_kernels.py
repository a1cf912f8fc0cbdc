"""Compiled curves of the Hill-type muscle of Thelen (2003), each with its slope; parameters as in `hill.Curves`."""

from __future__ import annotations

import numpy as np

from pipeline.skeleton.compiling import inlined, kernel

_TOE_FORCE, _TOE_SHAPE = 0.33, 3.0
"""Tendon force at the end of its exponential toe, and the toe's shape (Thelen 2003, equation 5)."""

_EXTRAPOLATED_FROM = 0.95
"""Fraction of the eccentric force beyond which the curve continues as a straight line: its inverse is singular at 1."""


@inlined
def active(width, length):
    """Active force at full activation and zero velocity (equation 4)."""
    away = length - 1.0
    force = np.exp(-(away**2) / width)
    return force, -2.0 * away / width * force


@inlined
def passive(shape, full_strain, length):
    """Passive force of the stretched fibre; zero below the optimal length (equation 3)."""
    if length <= 1.0:
        return 0.0, 0.0
    steepness, scale = shape / full_strain, 1.0 / np.expm1(shape)
    stretch = steepness * (length - 1.0)
    return scale * np.expm1(stretch), scale * steepness * np.exp(stretch)


@inlined
def velocity(hill_ratio, eccentric_force, v):
    """Factor of the active force by fibre velocity at full activation (equations 6 and 7, solved for the force)."""
    if v < -1.0:
        return 0.0, 0.0
    if v < 0.0:
        shortening = 1.0 - v / hill_ratio
        return (1.0 + v) / shortening, (1.0 + 1.0 / hill_ratio) / shortening**2
    steepness = (2.0 + 2.0 / hill_ratio) / (eccentric_force - 1.0)
    last = (_EXTRAPOLATED_FROM * eccentric_force - 1.0) / (steepness * eccentric_force * (1.0 - _EXTRAPOLATED_FROM))
    lengthening = 1.0 + steepness * (last if v > last else v)
    slope = steepness * (eccentric_force - 1.0) / lengthening**2
    beyond = v - last if v > last else 0.0
    return eccentric_force - (eccentric_force - 1.0) / lengthening + slope * beyond, slope


@inlined
def tendon(full_strain, strain):
    """Force of the tendon by its strain: an exponential toe, then a straight line (equation 5)."""
    if strain <= 0.0:
        return 0.0, 0.0
    rise = np.exp(_TOE_SHAPE)
    toe = 0.99 * full_strain * rise / (1.66 * rise - 0.67)  # 0.609 of full_strain, where value and slope meet the line
    if strain > toe:
        stiffness = (1.0 - _TOE_FORCE) / (full_strain - toe)
        return _TOE_FORCE + stiffness * (strain - toe), stiffness
    scale, steepness = _TOE_FORCE / np.expm1(_TOE_SHAPE), _TOE_SHAPE / toe
    curved = strain * steepness
    return scale * np.expm1(curved), scale * steepness * np.exp(curved)


@kernel
def active_kernel(parameters, x, force, slope):
    """Fill force and slope (k,) at lengths x."""
    for k in range(x.shape[0]):
        force[k], slope[k] = active(parameters[0], x[k])


@kernel
def passive_kernel(parameters, x, force, slope):
    """Fill force and slope (k,) at lengths x."""
    for k in range(x.shape[0]):
        force[k], slope[k] = passive(parameters[0], parameters[1], x[k])


@kernel
def velocity_kernel(parameters, x, force, slope):
    """Fill force and slope (k,) at velocities x."""
    for k in range(x.shape[0]):
        force[k], slope[k] = velocity(parameters[0], parameters[1], x[k])


@kernel
def tendon_kernel(parameters, x, force, slope):
    """Fill force and slope (k,) at strains x."""
    for k in range(x.shape[0]):
        force[k], slope[k] = tendon(parameters[0], x[k])
