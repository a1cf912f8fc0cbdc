"""Movement Analysis Profile and Gait Profile Score (Baker et al. 2009, Gait and Posture 30(3), 265-269).

The Gait Deviation Index (Schwartz and Rozumalski 2008) is not computed: it needs the published feature vectors.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.analysis.variables import PROFILE, VARIABLES

LEG = tuple(name for name in PROFILE if (own := VARIABLES[name].cycle) and own.joint != "pelvis")
"""The angles of the profile that belong to a leg rather than the pelvis."""


def variable_score(curve: np.ndarray, norm_mean: np.ndarray) -> float:
    """Gait Variable Score: root mean square of curve minus norm (N,) over the cycle; NaN if any value is missing."""
    return float(np.sqrt(np.mean((curve - norm_mean) ** 2)))


def norm_sample_score(norm_sd: np.ndarray) -> float:
    """Root mean square of the `variable_score` of the members of the norm's sample, from its standard deviation (N,).

    The mean of their squared differences at a percent of the cycle is the squared standard deviation there.
    `side_score` of nine such values is likewise the root mean square of their Gait Profile Scores.
    """
    return _root_mean_square(norm_sd)


def side_score(scores: Mapping[str, float]) -> float:
    """Gait Profile Score of one side: root mean square of its nine variable scores; NaN if one is missing."""
    return _root_mean_square([scores[name] for name in PROFILE])


def overall_score(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """Gait Profile Score of both sides: root mean square of 15 scores, six of each leg and the left side's three of
    the pelvis, which the right side would count twice. NaN if one is missing."""
    return _root_mean_square([left[name] for name in PROFILE] + [right[name] for name in LEG])


def _root_mean_square(values: list[float] | np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))
