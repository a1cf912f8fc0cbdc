"""Inertia of body segments, whole, sliced (from tables of mass, centre of mass and radii of gyration) or joined."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class BodyPart:
    """A part of a body: mass (kg), centre of mass along the axis from the proximal end (m), and inertia about it.

    Attributes:
        moments: (3,) kg m^2 about sagittal, transverse and longitudinal axes.
    """

    mass: float
    com: float
    moments: np.ndarray


def body_slice(mass: float, com: float, radii: np.ndarray, share: tuple[float, float]) -> BodyPart:
    """Part of a body between two shares of its mass, counted from the proximal end.

    Along its axis the body's mass is distributed as in a uniform rod with the body's own centre and variance; across
    the axis it is distributed equally in every slice. Adjacent slices then sum exactly to the whole body's mass, centre
    of mass and inertia, and each slice is a physically possible body whatever the table says.

    Args:
        mass: kg, whole body.
        com: m from the proximal end, whole body.
        radii: (3,) m, radii of gyration about sagittal, transverse and longitudinal axes.
        share: from and to, 0 at the proximal and 1 at the distal end.
    """
    width, middle = share[1] - share[0], 0.5 * (share[0] + share[1])
    squares = np.asarray(radii) ** 2
    variances = 0.5 * squares.sum() - squares  # of the mass along sagittal, transverse and longitudinal axes
    along = 12.0 * max(variances[2], 0.0)  # square of the uniform rod's length
    variances = np.array([variances[0], variances[1], along * width**2 / 12.0])
    part = mass * width
    return BodyPart(part, com + np.sqrt(along) * (middle - 0.5), part * (variances.sum() - variances))


RigidBody = tuple[float, np.ndarray, np.ndarray]
"""Mass, kg; centre of mass (3,), m; and inertia about it (3, 3), kg m^2."""


def joined_bodies(one: RigidBody, other: RigidBody) -> RigidBody:
    """Two bodies that are fixed to each other, in the same axes, as one (parallel-axis theorem)."""
    total, apart = one[0] + other[0], other[1] - one[1]
    spread = one[0] * other[0] / total * (apart @ apart * np.eye(3) - np.outer(apart, apart))
    inertia = one[2] + other[2] + spread
    return total, (one[0] * one[1] + other[0] * other[1]) / total, 0.5 * (inertia + inertia.T)
