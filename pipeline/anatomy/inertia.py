"""Mass, centre of mass and inertia of leg segments from the tables of de Leva (1996) and Dempster (in Winter 2009)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class InertiaRow:
    """One segment of a table, as fractions.

    Attributes:
        mass: fraction of body mass.
        com: distance of the centre of mass from the proximal end point, as a fraction of segment length.
        radii: radii of gyration about the centre of mass, as fractions of segment length, about the sagittal (x,
            forward), longitudinal and transverse (z) axis.
    """

    mass: float
    com: float
    radii: tuple[float, float, float]


# De Leva (1996), J Biomech 29(9), 1223-1230, table 4: Zatsiorsky's data adjusted to joint centres. Radii there are
# sagittal (about the anteroposterior axis), transverse (about the mediolateral axis), longitudinal. Its foot extends
# from the heel to the tip of the longest toe.
_DE_LEVA = {
    "m": {
        "thigh": InertiaRow(0.1416, 0.4095, (0.329, 0.149, 0.329)),
        "shank": InertiaRow(0.0433, 0.4395, (0.251, 0.102, 0.246)),
        "foot": InertiaRow(0.0137, 0.4415, (0.257, 0.124, 0.245)),
    },
    "f": {
        "thigh": InertiaRow(0.1478, 0.3612, (0.369, 0.162, 0.364)),
        "shank": InertiaRow(0.0481, 0.4352, (0.267, 0.092, 0.263)),
        "foot": InertiaRow(0.0129, 0.4014, (0.299, 0.139, 0.279)),
    },
}

# Dempster's data in Winter (2009), Biomechanics and Motor Control of Human Movement, 4th ed., table 4.1: end points are
# the joint centres; for the foot, the lateral malleolus and the second metatarsal head. Only the transverse radius is
# given: the sagittal one is taken equal to it, the longitudinal one is the mean of de Leva's sexes.
_DEMPSTER = {
    "thigh": InertiaRow(0.100, 0.433, (0.323, 0.156, 0.323)),
    "shank": InertiaRow(0.0465, 0.433, (0.302, 0.097, 0.302)),
    "foot": InertiaRow(0.0145, 0.500, (0.475, 0.132, 0.475)),
}

TABLES = ("de_leva", "dempster")

FOOT_LENGTH_OF_HEIGHT = 0.152
"""Foot length, heel to toe tip, over stature (Drillis and Contini 1966, in Winter 2009, figure 4.1); used if no foot
length is given."""


def table_row(table: str, segment: str, sex: str | None) -> InertiaRow:
    """Row of "thigh", "shank" or "foot" in "de_leva" (sex "m" or "f", or None for the mean of both) or "dempster".

    Raises:
        ValueError: ``table`` is unknown.
    """
    if table == "dempster":
        return _DEMPSTER[segment]
    if table != "de_leva":
        raise ValueError(f"unknown inertia table {table!r}, expected one of {TABLES}")
    if sex is not None:
        return _DE_LEVA[sex][segment]
    male, female = _DE_LEVA["m"][segment], _DE_LEVA["f"][segment]
    radii = tuple(0.5 * (a + b) for a, b in zip(male.radii, female.radii, strict=True))
    return InertiaRow(0.5 * (male.mass + female.mass), 0.5 * (male.com + female.com), radii)  # type: ignore[arg-type]


def inertia_about_com(row: InertiaRow, body_mass: float, length: float, long_axis: int) -> tuple[float, np.ndarray]:
    """Mass (kg) and inertia (3, 3) kg m^2 about the centre of mass, in the segment's axes.

    ``long_axis`` is the index of the segment's longitudinal axis: 1 (y) for thigh and shank, 0 (x) for the foot, where
    the sagittal radius then applies to the dorsal axis (y).
    """
    mass = row.mass * body_mass
    sagittal, longitudinal, transverse = row.radii
    radii = [sagittal, sagittal, transverse]
    radii[long_axis] = longitudinal
    return mass, np.diag(mass * (length * np.array(radii)) ** 2)
