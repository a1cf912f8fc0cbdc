"""Ranges that people keep in walking, as limits of joints whose use costs next to no effort."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import SIDES
from pipeline.optimisation import NodeConstraint, coordinates
from pipeline.prediction.gait.constraints import Setting

ANKLE_FLEXION = np.radians(-25.0), np.radians(20.0)
"""rad, plantarflexion negative: the norm's walkers use -20 to 14 degrees at five speeds (Schwartz et al. 2008)."""

ANKLE_INVERSION = np.radians(12.0)
"""rad, either way."""


def ankle_range(at: Setting) -> list[NodeConstraint]:
    """Ankle flexion from -25 to 20 degrees and inversion within 12, where the joint's own limits allow."""
    skeleton, names = at.walker.skeleton, at.walker.skeleton.joint_names
    flexion = [at.walker.ankles[side] for side in SIDES]
    inversion = [j for j, name in enumerate(names) if name.endswith("_ankle_inversion")]
    joints = np.array([j for j in (*flexion, *inversion) if not at.walker.locked[j]])
    if not len(joints):
        return []
    wanted = dict.fromkeys(flexion, ANKLE_FLEXION) | dict.fromkeys(inversion, (-ANKLE_INVERSION, ANKLE_INVERSION))
    # A joint whose own range lies outside keeps that.
    low = np.array([min(wanted[j][0], skeleton.q_upper[j]) for j in joints])
    high = np.array([max(wanted[j][1], skeleton.q_lower[j]) for j in joints])
    labels = tuple(names[j] for j in joints)
    return [NodeConstraint("range of the ankle", coordinates(joints), low, high, 1e-4, "rad", at.inside, labels)]
