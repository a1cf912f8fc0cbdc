"""Scale of the plates' force along each direction, compared with the rate of change of the skeleton's momentum.

The force that the ground must exert is mass times the acceleration of the body's centre of mass, minus its weight. A
plate channel with a wrong scale shows as a ratio of the standard deviations of the two in one direction only.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis import MIN_MASS_TRACKED
from pipeline.conventions import GRAVITY
from pipeline.trial import BodyDynamics, Note
from pipeline.whole_body.ground import GroundReactions

RANGES = (("fore-aft", 0.95, 1.3), ("vertical", 0.9, 1.1), ("mediolateral", 0.86, 1.14))
"""Along X, Y and Z of G. Three walks of three people with markers on the whole body have 1.03 to 1.14, 0.99 to 1.01 and
0.94 to 1.02. Arms and trunk reduce the estimated fore-aft momentum."""

MIN_CORRELATION = 0.85
"""Minimum correlation of the plates' force with that of the skeleton, which is 0.90 or more on those walks."""

MIN_VARIATION = 0.02
"""Minimum standard deviation of the force along a direction, over body weight."""

MIN_TIME = 0.5
"""s with known loads of both feet: about a step."""


def force_scales(motion: BodyDynamics, ground: GroundReactions, mass: float) -> np.ndarray:
    """Variation of the plates' force over that of the skeleton's (3,), along X, Y and Z of G; NaN if unknown."""
    known = ground.all_known
    if not known.any():
        return np.full(3, np.nan)
    weight = mass * GRAVITY
    force = np.sum([wrench.force_G[known] for wrench in ground.wrenches.values()], axis=0)
    needed = force + motion.residual_force[known] * weight
    scales = np.full(3, np.nan)
    for axis in range(3):
        varied = force[:, axis].std(), needed[:, axis].std()
        if min(varied) > MIN_VARIATION * weight:
            follows = np.corrcoef(force[:, axis], needed[:, axis])[0, 1] > MIN_CORRELATION
            scales[axis] = varied[0] / varied[1] if follows else np.nan
    return scales


def force_scale_notes(
    motion: BodyDynamics, ground: GroundReactions, mass: float, mass_tracked: float, rate: float
) -> Iterator[Note]:
    """Notes on directions in which the plates measure more or less force than the motion of the whole body needs."""
    if mass_tracked < MIN_MASS_TRACKED or ground.all_known.sum() < MIN_TIME * rate:
        return
    for (direction, low, high), scale in zip(RANGES, force_scales(motion, ground, mass), strict=True):
        if not np.isnan(scale) and not low <= scale <= high:
            text = (
                f"the {direction} force is {scale:.2f} of what the motion of the whole body needs (limits {low:g} and "
                f"{high:g}, from three walks), probably because the scale of that channel is wrong: check the plates' "
                "calibration"
            )
            yield Note("warning", "plates", text)
