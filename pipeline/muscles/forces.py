"""Force of muscles with rigid tendons along the tendon, from their lengths and speeds (Thelen 2003; Zajac 1989)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.muscles.hill import Curves, active_force, force_velocity, passive_force
from pipeline.muscles.paths import Muscle

LARGEST_PENNATION = np.arccos(0.1)
"""rad; no fibre is shorter than at this angle, beyond which it gives hardly any force along the tendon."""


@dataclass(frozen=True)
class Forces:
    """Possible forces of muscles over T frames.

    Attributes:
        active: (T, m) N at full activation; the force of a muscle is a active + passive.
        passive: (T, m) N.
        fibre_length: (T, m), fraction of the optimal length.
    """

    active: np.ndarray
    passive: np.ndarray
    fibre_length: np.ndarray


def rigid_tendon_forces(muscles: Sequence[Muscle], curves: Curves, length: np.ndarray, speed: np.ndarray) -> Forces:
    """Forces of muscles with tendons that keep their slack length.

    Fibres lie in parallel with constant thickness. With h = l0 sin(alpha0) and the tendon's slack length L_s, the fibre
    of a muscle of length L is sqrt((L - L_s)^2 + h^2) long and changes at the muscle's speed times the cosine of its
    pennation. A muscle so short that its tendon would be slack gives no force.

    Args:
        muscles: m of them.
        curves: of the muscle model.
        length, speed: (T, m) of whole muscles, m and m/s.
    """
    maximum, optimal, slack, pennation = (
        np.array([getattr(muscle, key) for muscle in muscles])
        for key in ("maximum_force", "fibre_length", "tendon_length", "pennation")
    )
    thickness = optimal * np.sin(pennation)
    along = length - slack
    fibre = np.hypot(along, thickness)
    shortest = np.maximum(thickness / np.sin(LARGEST_PENNATION), 0.01 * optimal)
    taut = (along > 0) & (fibre > shortest)
    cosine = np.where(taut, along / fibre, 0.0)
    normal_length, normal_velocity = fibre / optimal, speed * cosine / (optimal * curves.maximum_velocity)
    active = active_force(curves, normal_length)[0] * force_velocity(curves, normal_velocity)[0]
    passive = passive_force(curves, normal_length)[0]
    return Forces(maximum * active * cosine, maximum * passive * cosine, normal_length)
