"""Limits near what single walks show, for tests of what each check measures; those that ship come from many walks."""

from __future__ import annotations

import math

from pipeline.plausibility.limits import Limits, Spread

RANGES = {
    "centre of pressure as the heel lands": (5.0, 24.0),
    "centre of pressure as the heel rises": (-42.0, 26.0),
    "fore-aft force over that to the hips": (0.6, 0.95),
    "fore-aft force over that to the hips, slow walking": (0.45, 0.95),
    "mediolateral force over that to the hips": (0.05, math.inf),
    "centres of pressure of both feet aside of heel-toe line": (-14.0, 14.0),
    "vertical force of two steps of one foot": (-math.inf, 10.0),
    "path of the centre of pressure of two steps of one foot": (-math.inf, 8.0),
    "centre of pressure aside, two steps of one foot": (-math.inf, 8.0),
    "third difference of a marker": (-math.inf, 20.0),
    "third difference of a foot's marker": (-math.inf, 20.0),
    "marker on a line": (-math.inf, 60.0),
    "feet's motion at 5 to 9 Hz": (-3.6, math.inf),
    "fore-aft force in 4 ms": (-math.inf, 8.0),
    "vertical force in 4 ms": (-math.inf, 15.0),
    "mediolateral force in 4 ms": (-math.inf, 8.0),
    "centre of pressure in 4 ms": (-math.inf, 15.0),
    "knee width over stature": (5.0, 8.0),
    "ankle width over knee width": (50.0, 85.0),
    "distance of the ASIS": (-25.0, 25.0),
    "turn of a shank's axis": (-12.0, 12.0),
    "turn of one shank's axis against the other's": (-12.0, 12.0),
}


def _spread(low: float, high: float) -> Spread:
    """A middle between finite ends, or one unit within the only one."""
    if math.isinf(low):
        return Spread(high - 1.0, math.inf, 1.0, False, 1, 1, 1, 1)
    if math.isinf(high):
        return Spread(low + 1.0, 1.0, math.inf, False, 1, 1, 1, 1)
    return Spread(0.5 * (low + high), 0.5 * (high - low), 0.5 * (high - low), False, 1, 1, 1, 1)


NARROW = Limits({name: _spread(*ends) for name, ends in RANGES.items()}, 1.0, 1.0, 0.05)
