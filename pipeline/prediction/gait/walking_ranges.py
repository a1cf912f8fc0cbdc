"""Ranges of joint angles in people's walking, as limits of joints that can be used at almost no effort.

All numbers are from the typically developing walkers of Schwartz, Rozumalski and Trost (2008), J Biomech 41(8),
1639-1650, supplement, at its five speeds. Predicted curves at the ankle thus owe part of their agreement with that norm
to these limits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.analysis import NORM_SPEEDS
from pipeline.conventions import GRAVITY, SIDES
from pipeline.optimisation import NodeConstraint, coordinates
from pipeline.prediction.gait.constraints import Setting
from pipeline.prediction.gait.walker import largest_flexion

MIN_KNEE_FLEXION = np.radians(3.0)

ANKLE_FLEXION = np.radians(-25.0), np.radians(17.0)
"""rad, plantarflexion negative: means range from -23 to 14 degrees; one standard deviation above is 14 to 18."""

ANKLE_INVERSION = np.radians(12.0)
"""rad, either way."""

SWING_DORSIFLEXION = np.radians(6.0)
"""rad; maximum in swing, and maximum plantarflexion in its second half, where the means are from -4 to 5 degrees."""

TERMINAL_DORSIFLEXION = np.radians((9.0, 9.7, 4.9, -1.7, -10.2))
"""rad, at the speeds of `NORM_SPEEDS`: mean minus one standard deviation at contralateral initial contact."""


def minimum_knee_flexion(at: Setting) -> list[NodeConstraint]:
    """At least 3 degrees of knee flexion, if the knee's limit allows."""
    flexion = at.walker.flexion
    knees = [knee for side in SIDES if not at.walker.locked[knee := at.walker.knees[side]]]
    limits = largest_flexion(at.walker, knees)
    low, high = flexion * np.minimum(MIN_KNEE_FLEXION, limits), np.full(len(knees), flexion * np.inf)
    low, high = np.minimum(low, high), np.maximum(low, high)
    labels = tuple(at.walker.skeleton.joint_names[knee] for knee in knees)
    return [NodeConstraint("minimum knee flexion", coordinates(knees), low, high, 1e-4, "rad", at.inside, labels)]


def ankle_range(at: Setting) -> list[NodeConstraint]:
    """Ankle flexion from -25 to 17 degrees and inversion within 12, if the joint's own limits allow."""
    names = at.walker.skeleton.joint_names
    inversion = [j for j, name in enumerate(names) if name.endswith("_ankle_inversion")]
    wanted = dict.fromkeys((at.walker.ankles[side] for side in SIDES), ANKLE_FLEXION)
    wanted |= dict.fromkeys(inversion, (-ANKLE_INVERSION, ANKLE_INVERSION))
    return _ranges(at, "range of the ankle", list(wanted), list(wanted.values()), at.inside)


def ankle_in_swing(at: Setting) -> list[NodeConstraint]:
    """At most 6 degrees of dorsiflexion in swing, and of plantarflexion in its second half."""
    out = []
    for side, u in at.swings():
        ankle = [at.walker.ankles[side]]
        swing, late = ((u > at.task.swing_time(share)) & (u < at.task.swing_time(1.0)) for share in (0.0, 0.5))
        out += _ranges(at, f"{side} ankle in swing", ankle, [(-np.inf, SWING_DORSIFLEXION)], swing)
        out += _ranges(at, f"{side} ankle in late swing", ankle, [(-SWING_DORSIFLEXION, np.inf)], late)
    return out


def ankle_in_terminal_stance(at: Setting) -> list[NodeConstraint]:
    """Lower bound of dorsiflexion at contralateral initial contact: the walkers' mean minus one standard deviation.

    It is taken at the same dimensionless speed. Effort alone pushes off before the other foot can take the load.
    """
    speed = at.task.speed / np.sqrt(GRAVITY * at.walker.leg_length)
    low = float(np.interp(speed, NORM_SPEEDS, TERMINAL_DORSIFLEXION)) - abs(at.task.slope)
    out = []
    for _, side, contact in at.task.initial_contacts:
        ankle, name = at.walker.ankles[side], f"{side} ankle at contralateral initial contact"
        out += _ranges(at, name, [ankle], [(low, np.inf)], np.isclose(at.u, contact))
    return out


def _ranges(
    at: Setting, name: str, joints: Sequence[int], wanted: Sequence[tuple[float, float]], applies: np.ndarray
) -> list[NodeConstraint]:
    """Ranges, rad, of unlocked joints at some nodes; where a joint's own range is outside, its nearest limit counts."""
    skeleton = at.walker.skeleton
    pairs = [(j, limits) for j, limits in zip(joints, wanted, strict=True) if not at.walker.locked[j]]
    if not pairs:
        return []
    low = np.array([min(limits[0], skeleton.q_upper[j]) for j, limits in pairs])
    high = np.array([max(limits[1], skeleton.q_lower[j]) for j, limits in pairs])
    labels = tuple(skeleton.joint_names[j] for j, _ in pairs)
    return [NodeConstraint(name, coordinates([j for j, _ in pairs]), low, high, 1e-4, "rad", applies, labels)]
