"""Curves of the Hill-type muscle of Thelen (2003), normalised, each with its derivative.

Thelen DG (2003) Adjustment of muscle mechanics model parameters to simulate dynamic contractions in older adults.
J Biomech Eng 125:70-77. The gait2392 model uses these curves with other parameters than the publication: `Curves()` has
the publication's values for young adults, `Curves.gait2392()` those of the model.

Lengths are fractions of the optimal fibre length, velocities of the maximum shortening velocity (lengthening
positive), forces of the maximum isometric force.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from pipeline.conventions import array_of, real_numbers
from pipeline.errors import DynamicsError


@dataclass(frozen=True)
class Curves:
    """Parameters of the curves, dimensionless unless stated; the defaults are those of Thelen's table 1, young adults.

    Raises:
        DynamicsError: one is not a positive number, or the eccentric force is not above 1.

    Attributes:
        active_width: gamma of the active force-length curve (equation 4).
        passive_shape, passive_strain: k_PE, and the fibre strain at which the passive force equals the maximum
            isometric force (equation 3).
        hill_ratio: A_f, the curvature of the force in shortening (equation 7).
        eccentric_force: asymptotic force in lengthening (equation 7).
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

    def __post_init__(self) -> None:
        for item in fields(self):
            value = array_of(item.name, getattr(self, item.name), (), where="muscle curves")
            least = 1.0 if item.name == "eccentric_force" else 0.0
            if not least < value < np.inf:
                problem = f"{item.name} is {value:g}, not above {least:g}"
                raise DynamicsError(problem, where="muscle curves", remedy=f"Give a number such as {item.default:g}")

    @classmethod
    def gait2392(cls) -> Curves:
        """Parameters common to all 92 actuators of the model."""
        return cls(0.5, 4.0, 0.6, 0.3, 1.8, 0.033, 0.010, 0.040, 10.0)


def active_force(curves: Curves, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Active force at full activation and zero velocity, and its slope (equation 4)."""
    return _each("active", (curves.active_width,), length)


def passive_force(curves: Curves, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Passive force of the stretched fibre, and its slope; zero below the optimal length (equation 3)."""
    return _each("passive", (curves.passive_shape, curves.passive_strain), length)


def force_velocity(curves: Curves, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Factor of the active force by fibre velocity at full activation, and its slope (equations 6 and 7, solved for
    the force); a straight line beyond 0.95 of the eccentric force, zero beyond the maximum shortening velocity."""
    return _each("velocity", (curves.hill_ratio, curves.eccentric_force), velocity)


def tendon_force(curves: Curves, strain: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force of the tendon by strain, and its slope: an exponential toe, then a straight line (equation 5)."""
    return _each("tendon", (curves.tendon_strain,), strain)


def _each(curve: str, parameters: tuple[float, ...], at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A curve and its slope at arguments of any shape."""
    from pipeline.muscles import hill_kernels

    x = real_numbers(at)
    force, slope = np.empty(x.size), np.empty(x.size)
    getattr(hill_kernels, f"{curve}_kernel")(parameters, np.ascontiguousarray(x).ravel(), force, slope)
    return force.reshape(x.shape), slope.reshape(x.shape)
