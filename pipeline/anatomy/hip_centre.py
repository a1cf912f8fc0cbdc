"""Hip joint centres by regression on pelvis and leg dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from pipeline.conventions import LATERAL_SIGN

HipMethod = Literal["davis", "harrington", "bell", "hara"]
GIVEN = "given"
"""Method of hip centres that were measured, by movement or imaging."""


def hip_values(side: str) -> tuple[str, ...]:
    """Subject values that all hip regressions need together, so that any method can be chosen with any marker set."""
    return ("inter_asis", "pelvis_depth", "leg_length_left", "leg_length_right", f"asis_trochanter_{side}")


def given_hip(side: str) -> tuple[str, ...]:
    """Subject values of a measured hip centre: forward, up and outward from the pelvis' origin."""
    return tuple(f"hip_{direction}_{side}" for direction in ("forward", "up", "lateral"))


def hip_centre_in_pelvis(method: str, side: str, values: Mapping[str, float]) -> np.ndarray:
    """Hip joint centre (3,) m in the pelvis frame (x forward, y up, z right; origin midway between the ASIS).

    Args:
        method: "davis" (Davis et al. 1991 as in Plug-in Gait), "harrington" (Harrington et al. 2007, regression on
            pelvic depth, width and leg length), "bell" (Bell et al. 1990) or "hara" (Hara et al. 2016, Sci Rep 6,
            37707, regression on leg length); or "given", for the measured centre of `given_hip`.
        side: "left" or "right".
        values: m: those of `hip_values` and marker_radius, or those of `given_hip`.

    Raises:
        ValueError: ``method`` is unknown.
    """
    if method == GIVEN:
        x, y, lateral = (values[name] for name in given_hip(side))
        return np.array([x, y, LATERAL_SIGN[side] * lateral])
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
    elif method == "hara":
        leg = values[f"leg_length_{side}"]
        x, y, lateral = 0.011 - 0.063 * leg, -0.009 - 0.078 * leg, 0.008 + 0.086 * leg
    else:
        raise ValueError(f"unknown hip method {method!r}, expected one of {get_args(HipMethod)}")
    return np.array([x, y, LATERAL_SIGN[side] * lateral])
