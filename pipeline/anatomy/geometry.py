"""Joint centres from markers: the chord construction (Davis et al. 1991) and hip regressions on pelvis and leg."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.conventions import LATERAL_SIGN
from pipeline.math3d import rotation_about, unit

HIP_METHODS = ("davis", "harrington", "bell")


def chord(
    proximal: np.ndarray,
    marker: np.ndarray,
    wand: np.ndarray,
    distance: float,
    wand_rotation: float = 0.0,
) -> np.ndarray:
    """Joint centre (T, 3) at ``distance`` from a lateral marker, with a right angle between marker and proximal joint.

    The centre lies in the plane of proximal joint, marker and wand, on the side away from the wand (Kadaba et al.
    1990; Davis et al. 1991). All points (T, 3) and the distance in the same unit.

    Args:
        proximal: centre of the joint above.
        marker: lateral marker of the joint.
        wand: marker that shows the plane.
        distance: from marker to centre: half the joint's width plus the marker's radius.
        wand_rotation: rad by which the wand is turned about the direction from ``proximal`` to the joint centre before
            it shows the plane, right-handed (the wand is corrected, not the centre; found by iteration).

    Returns:
        NaN where a point is missing, where the marker is nearer to the proximal joint than ``distance``, or where the
        wand lies on the line from marker to proximal joint.
    """
    # The angle at the centre is right, so the marker's offset along the line to the proximal joint is fixed.
    to_proximal = proximal - marker
    span = np.linalg.norm(to_proximal, axis=-1, keepdims=True)
    along = np.divide(distance, span, out=np.full_like(span, np.nan), where=span > distance)
    direction = unit(to_proximal)

    def centre(wand: np.ndarray) -> np.ndarray:
        to_wand = unit(wand - marker)
        aside = to_wand - np.sum(to_wand * direction, axis=-1, keepdims=True) * direction
        # A wand on the line defines no plane: its remainder is rounding.
        away = -unit(np.where(np.linalg.norm(aside, axis=-1, keepdims=True) > 1e-9, aside, np.nan))
        return marker + distance * (along * direction + np.sqrt(1.0 - along**2) * away)

    joint = centre(wand)
    if wand_rotation == 0.0:
        return joint
    for _ in range(50):
        R = rotation_about(joint - proximal, np.full(len(joint), wand_rotation))
        turned = centre(proximal + np.einsum("tij,tj->ti", R, wand - proximal))
        change = np.abs(turned - joint)
        joint = turned
        if np.nanmax(change, initial=0.0) < 1e-12:
            break
    return joint


def hip_values(side: str) -> tuple[str, ...]:
    """Subject values that the hip regressions need, so that each method can be chosen with any marker set."""
    return ("inter_asis", "pelvis_depth", "leg_length_left", "leg_length_right", f"asis_trochanter_{side}")


def hip_centre_in_pelvis(method: str, side: str, values: Mapping[str, float]) -> np.ndarray:
    """Hip joint centre (3,) m in the pelvis frame (x forward, y up, z right; origin midway between the ASIS).

    Args:
        method: "davis" (Davis et al. 1991 as in Plug-in Gait), "harrington" (Harrington et al. 2007, regression on
            pelvic depth, width and leg length) or "bell" (Bell et al. 1990).
        side: "left" or "right".
        values: m: those of `hip_values` and marker_radius.
    """
    width, depth = values["inter_asis"], values["pelvis_depth"]
    leg = 0.5 * (values["leg_length_left"] + values["leg_length_right"])
    if method == "davis":
        theta, beta = 0.5, 0.314
        c = 0.115 * leg - 0.0153
        back = values[f"asis_trochanter_{side}"] + values["marker_radius"]
        x = c * np.cos(theta) * np.sin(beta) - back * np.cos(beta)
        y = -c * np.cos(theta) * np.cos(beta) - back * np.sin(beta)
        lateral = 0.5 * width - c * np.sin(theta)
    elif method == "harrington":
        x = -0.24 * depth - 0.0099
        y = -0.16 * width - 0.04 * leg - 0.0071
        lateral = 0.28 * depth + 0.16 * width + 0.0079
    elif method == "bell":
        x, y, lateral = -0.19 * width, -0.30 * width, 0.36 * width
    else:
        raise ValueError(f"unknown hip method {method!r}, expected one of {HIP_METHODS}")
    return np.array([x, y, LATERAL_SIGN[side] * lateral])
