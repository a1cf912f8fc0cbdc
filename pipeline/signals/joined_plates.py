"""The load of a contact: that of its plate or, for a foot across two plates, the sum of both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.acquisition import centre_of_pressure, free_moment, surface_normal
from pipeline.math3d import Wrench
from pipeline.trial import PlateLoad, Stance

ANY_FORCE = 1.0
"""N; below this the sum has no centre of pressure, even if one of its plates has."""


def load_of(stance: Stance, loads: Sequence[PlateLoad]) -> PlateLoad:
    """The load of a contact: of its plate, or of both of its plates together."""
    first, *second = (next(load for load in loads if load.number == number) for number in stance.plates)
    return joined(first, *second) if second else first


def joined(first: PlateLoad, second: PlateLoad) -> PlateLoad:
    """Sum of the loads of two plates, about the centre of the first, with the centre of pressure of the sum.

    The surfaces are assumed to be level with each other. The sum has a centre of pressure where one of the plates has.
    """
    of_second = second.wrench.about(first.wrench.point_G)
    total = Wrench(
        first.wrench.force_G + of_second.force_G, first.wrench.moment_G + of_second.moment_G, first.wrench.point_G
    )
    known = np.isfinite(first.cop_G[:, 0]) | np.isfinite(second.cop_G[:, 0])
    cop_G = np.where(known[:, None], centre_of_pressure(total, first.corners_G, ANY_FORCE), np.nan)
    twist = free_moment(total, first.corners_G, ANY_FORCE) @ surface_normal(first.corners_G)
    return PlateLoad(
        number=first.number,
        corners_G=first.corners_G,
        wrench=total,
        contact=first.contact | second.contact,
        cop_G=cop_G,
        free_moment=np.where(known, twist, np.nan),
    )
