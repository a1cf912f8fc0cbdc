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
    return _each("active", (curves.active_width,), length)


def passive_force(curves: Curves, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Passive force of the stretched fibre, and its slope; none below the optimal length (equation 3)."""
    return _each("passive", (curves.passive_shape, curves.passive_strain), length)


def force_velocity(curves: Curves, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Factor of the active force by fibre velocity at full activation, and its slope (equations 6 and 7, solved for
    the force); beyond 0.95 of the eccentric force a straight line, below the maximum shortening velocity nothing."""
    return _each("velocity", (curves.hill_ratio, curves.eccentric_force), velocity)


def tendon_force(curves: Curves, strain: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force of the tendon, and its slope by strain: an exponential toe, then a straight line (equation 5)."""
    return _each("tendon", (curves.tendon_strain,), strain)


def _each(curve: str, parameters: tuple[float, ...], at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A curve and its slope at arguments of any shape."""
    from pipeline.muscles import hill_kernels

    x = np.asarray(at, dtype=float)
    force, slope = np.empty(x.size), np.empty(x.size)
    getattr(hill_kernels, f"{curve}_kernel")(parameters, np.ascontiguousarray(x).ravel(), force, slope)
    return force.reshape(x.shape), slope.reshape(x.shape)
