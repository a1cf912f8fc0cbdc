"""Body mass from the steps of a walk: averaged over a stride, the vertical ground reaction equals body weight.

If both feet bear equal shares, the vertical impulse of a stance is half of body weight times stride time.
"""

from __future__ import annotations

import numpy as np

from pipeline.conventions import GRAVITY, Y
from pipeline.trial import Kinematics

ACCURACY = {1: 0.07, 2: 0.03}
"""Relative error of body mass by number of sides with steps on plates: 0.4 to 2.6 % in four walks with both sides,
6.6 % in a walk with one."""


def mass_from_steps(kinematics: Kinematics) -> tuple[float, int]:
    """Body mass, kg, from the vertical impulse of clean steps over half a stride; and the number of sides with them.

    The mass is the mean of the sides; NaN and 0 without a cycle whose stance is on plates.
    """
    carried: dict[str, list[float]] = {}
    for cycle in kinematics.cycles:
        own = [load.wrench.force_G[:, Y] for load in kinematics.plates if load.number in cycle.plates]
        if own:
            time = kinematics.time
            stance = (time >= cycle.initial_contact) & (time < cycle.foot_off)
            half = 0.5 * (cycle.next_initial_contact - cycle.initial_contact)
            mean = np.nansum(np.sum(own, axis=0)[stance]) / kinematics.rate / half
            carried.setdefault(cycle.side, []).append(float(mean) / GRAVITY)
    return (float(np.mean([np.mean(side) for side in carried.values()])), len(carried)) if carried else (np.nan, 0)
