"""Heights of a skeleton's leg above the ground in its neutral pose; no markers are needed."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import Y
from pipeline.skeleton.points import segment_pose
from pipeline.skeleton.tree import Skeleton

ANKLE_TO_TOE_DROP = 0.039 / 0.0244
"""Height of the ankle above the sole over its height above the toe joint (Drillis and Contini 1966; Delp et al.
1990)."""


def ankle_height(skeleton: Skeleton, side: str = "right") -> float:
    """Height of an ankle's centre above the sole, m.

    It is taken along the foot's own axes, since a subject's tibial torsion turns the foot outwards in the neutral pose.
    """
    neutral = np.zeros((1, len(skeleton)))
    R, ankle = segment_pose(skeleton, f"{side}_foot", neutral)
    _, toe = segment_pose(skeleton, f"{side}_toes", neutral)
    return -float((R[0].T @ (toe[0] - ankle[0]))[Y]) * ANKLE_TO_TOE_DROP


def leg_length(skeleton: Skeleton, side: str = "right") -> float:
    """Height of a hip's centre above the ground, m."""
    neutral = np.zeros((1, len(skeleton)))
    hip, ankle = (segment_pose(skeleton, f"{side}_{name}", neutral)[1][0, Y] for name in ("thigh", "foot"))
    return float(hip - (ankle - ankle_height(skeleton, side)))
