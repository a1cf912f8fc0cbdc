"""Curves of the Hill-type muscle of Thelen (2003), normalised, each with its derivative.

Thelen DG (2003) Adjustment of muscle mechanics model parameters to simulate dynamic contractions in older adults.
J Biomech Eng 125:70-77. These are the curves of the gait2392 model, whose parameters differ from the publication's: a
`Curves()` has the publication's values for young adults, `gait2392` those of the model.

Lengths are fractions of the optimal fibre length, velocities of the maximum shortening velocity (lengthening
positive), forces of the maximum isometric force.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_TOE_FORCE, _TOE_SHAPE = 0.33, 3.0
"""Tendon force at the end of its exponential toe, and the toe's shape (Thelen 2003, equation 5)."""

_EXTRAPOLATED_FROM = 0.95
"""Share of the eccentric force beyond which the curve goes on as a straight line: its inverse is singular at 1."""


@dataclass(frozen=True)
class Curves:
    """Parameters of the curves, dimensionless unless said; the defaults are Thelen's table 1, young adults.

    Attributes:
        active_width: gamma of the active force-length curve (equation 4).
        passive_shape, passive_strain: k_PE, and the fibre strain at which passive force is maximum isometric force
            (equation 3).
        hill_ratio: A_f, which curves the force of shortening (equation 7).
        eccentric_force: the force approached in lengthening (equation 7).
        tendon_strain: strain of the tendon under maximum isometric force (equation 5).
        activation_time, deactivation_time: s (equation 2).
        maximum_velocity: shortening velocity of the unloaded fibre, optimal lengths per second.
    """

    active_width: float = 0.45
    passive_shape: float = 5.0
    passive_strain: float = 0.6
    hill_ratio: float = 0.25
    eccentric_force: float = 1.4
    tendon_strain: float = 0.04
    activation_time: float = 0.015
    deactivation_time: float = 0.050
    maximum_velocity: float = 10.0

    @classmethod
    def gait2392(cls) -> Curves:
        """Those that all 92 actuators of the model share."""
        return cls(0.5, 4.0, 0.6, 0.3, 1.8, 0.033, 0.010, 0.040, 10.0)


def activation_rate(
    curves: Curves, excitation: np.ndarray, activation: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rate of activation, 1/s, and its derivatives by excitation and by activation (equations 1 and 2)."""
    u, a = np.asarray(excitation, dtype=float), np.asarray(activation, dtype=float)
    pace = 0.5 + 1.5 * a
    rising = u > a
    time = np.where(rising, curves.activation_time * pace, curves.deactivation_time / pace)
    growth = np.where(rising, curves.activation_time * 1.5, -1.5 * curves.deactivation_time / pace**2)
    rate = (u - a) / time
    return rate, 1.0 / time, -1.0 / time - rate * growth / time


def active_force(curves: Curves, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Active force at full activation and rest, and its slope (equation 4)."""
    away = np.asarray(length, dtype=float) - 1.0
    force = np.exp(-(away**2) / curves.active_width)
    return force, -2.0 * away / curves.active_width * force


def passive_force(curves: Curves, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Passive force of the stretched fibre, and its slope; none below the optimal length (equation 3)."""
    stretch = np.maximum(np.asarray(length, dtype=float) - 1.0, 0.0)
    steepness = curves.passive_shape / curves.passive_strain
    scale = 1.0 / np.expm1(curves.passive_shape)
    return scale * np.expm1(steepness * stretch), np.where(
        stretch > 0, scale * steepness * np.exp(steepness * stretch), 0.0
    )


def force_velocity(curves: Curves, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Factor of the active force by fibre velocity at full activation, and its slope (equations 6 and 7, solved for
    the force); beyond 0.95 of the eccentric force a straight line, below the maximum shortening velocity nothing."""
    v = np.maximum(np.asarray(velocity, dtype=float), -1.0)
    A, top = curves.hill_ratio, curves.eccentric_force
    shortening = 1.0 - np.minimum(v, 0.0) / A
    steepness = (2.0 + 2.0 / A) / (top - 1.0)
    last = (_EXTRAPOLATED_FROM * top - 1.0) / (steepness * top * (1.0 - _EXTRAPOLATED_FROM))
    lengthening = 1.0 + steepness * np.clip(v, 0.0, last)
    slope = np.where(v < 0, (1.0 + 1.0 / A) / shortening**2, steepness * (top - 1.0) / lengthening**2)
    curve = np.where(v < 0, (1.0 + v) / shortening, top - (top - 1.0) / lengthening)
    return curve + slope * np.maximum(v - last, 0.0), np.where(np.asarray(velocity) < -1.0, 0.0, slope)


def tendon_force(curves: Curves, strain: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force of the tendon, and its slope by strain: an exponential toe, then a straight line (equation 5)."""
    e = np.maximum(np.asarray(strain, dtype=float), 0.0)
    full = curves.tendon_strain
    rise = np.exp(_TOE_SHAPE)
    toe = 0.99 * full * rise / (1.66 * rise - 0.67)  # 0.609 of the strain, where value and slope meet the line
    stiffness = (1.0 - _TOE_FORCE) / (full - toe)
    scale, steepness = _TOE_FORCE / np.expm1(_TOE_SHAPE), _TOE_SHAPE / toe
    in_toe = e <= toe
    curved = np.minimum(e, toe) * steepness
    force = np.where(in_toe, scale * np.expm1(curved), _TOE_FORCE + stiffness * (e - toe))
    slope = np.where(in_toe, scale * steepness * np.exp(curved), stiffness)
    return force, np.where(np.asarray(strain) > 0, slope, 0.0)
