"""Passive elastic moments of hip, knee and ankle in the sagittal plane, as coupled double exponentials.

Source: Riener R, Edrich T (1999) Identification of passive elastic joint moments in the lower extremities, J Biomech
32:539-544, equations 4 to 6. Ten healthy subjects; the moments include everything that resists passively: inactive
muscles, their tendons, ligaments and skin. Adding them to passive forces of single muscles counts those twice. They are
for adults; `passive_scale` scales them to other bodies. Beyond the measured ranges they are an extrapolation.
"""

from __future__ import annotations

import numpy as np

PASSIVE_JOINTS = ("hip_flexion", "knee_flexion", "ankle_flexion")
"""Order of angles and moments; names as in the skeleton, without the side."""

ADULT_MASS, ADULT_LEG = 70.0, 0.92
"""kg and m, of an adult for whom published values are used unscaled: hips 0.92 m above the ground in standing."""

_JOINT = np.array([0, 0, 1, 1, 1, 2, 2])
_SIGN = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
_EXPONENT = np.array([1.4655, 1.3403, 1.800, -3.971, 2.220, 2.1016, -7.9763])
_PER_DEGREE = np.array(
    [
        [-0.0750, -0.0034, 0.0],
        [0.0305, -0.0226, 0.0],
        [0.0217, -0.0352, 0.0460],
        [-0.0128, 0.0495, 0.0004],
        [0.0, -0.150, 0.0],
        [0.0, -0.0176, 0.0843],
        [0.0, 0.0008, -0.1949],
    ]
)
_CONSTANT = np.array([8.072, -4.820, 1.792])
"""The seven exponentials, by joint: sign, exponent at zero angles, its slopes by the angles. The paper's ankle angle
and moment are positive in plantarflexion; here both are positive in dorsiflexion."""


def passive_scale(mass: float, leg_length: float) -> float:
    """Passive moments of a body over those of an adult: mass times leg length, as for moments in walking.

    >>> from pipeline.skeleton import passive_scale
    >>> f"{passive_scale(35.0, 0.69):.3f}"  # half the mass on legs of three quarters of the length
    '0.375'

    Args:
        mass: of the body, kg.
        leg_length: height of the hip joints above the ground in standing, m.
    """
    return mass * leg_length / (ADULT_MASS * ADULT_LEG)


def passive_moments(flexion: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Passive moments of an adult's leg and their derivatives by its angles.

    Args:
        flexion: (..., 3) rad, in the order of `PASSIVE_JOINTS`; dorsiflexion at the ankle. NaN stays NaN.

    Returns:
        (..., 3) Nm, positive if they flex; and (..., 3, 3) Nm/rad, moment by angle, in general not symmetric.
    """
    degrees = np.degrees(np.asarray(flexion, dtype=float))
    terms = _SIGN * np.exp(_EXPONENT + degrees @ _PER_DEGREE.T)
    of_joint = np.eye(len(PASSIVE_JOINTS))[_JOINT]
    slope = np.einsum("...e,ej,ek->...jk", terms, of_joint, np.degrees(1.0) * _PER_DEGREE)
    return terms @ of_joint + _CONSTANT, slope
