"""Angles, moments and ground reaction of one side in clinical terms: the same signs for left and right."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import LATERAL_SIGN, X, Y, Z, clinical_signs


def own_side_pelvis(side: str, angles: np.ndarray) -> np.ndarray:
    """Pelvis angles (T, 3) with ipsilateral side up and forward, from tilt, right side up and turned to the left."""
    return angles * np.array([1.0, LATERAL_SIGN[side], LATERAL_SIGN[side]])


def own_side_ground(side: str, force_G: np.ndarray) -> np.ndarray:
    """Ground reaction (T, 3) in G with the medio-lateral component towards the midline."""
    return force_G * np.array([1.0, 1.0, -LATERAL_SIGN[side]])


def clinical_moments(joint: str, moment: np.ndarray) -> np.ndarray:
    """Extensor, abductor and external rotator components (T, 3) of a moment (T, 3) about the axes x, y, z."""
    return -moment[:, [Z, X, Y]] * clinical_signs(joint)


def foot_angles(side: str, R_GS: np.ndarray) -> np.ndarray:
    """Pitch (toes up positive), NaN, and progression angle (toes in positive), (T, 3) rad, of a foot's long axis.

    The first two Cardan angles about z and y of the foot in G, as Plug-in Gait's foot progression. The angle between
    the long axis and the plane of progression keeps its meaning when the heel rises; that of the axis seen from above
    does not.

    Args:
        side: "left" or "right".
        R_GS: (T, 3, 3) orientation of the foot; its x axis points to the toes and is level when the sole is level.
    """
    forward = R_GS[:, :, X]
    inward = -LATERAL_SIGN[side] * np.arcsin(np.clip(forward[:, Z], -1.0, 1.0))
    return np.stack([np.arctan2(forward[:, Y], forward[:, X]), np.full(len(forward), np.nan), inward], axis=1)
