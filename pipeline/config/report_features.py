"""Features of curves shown in reports, by names such as "maximum knee_flexion in swing"."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

from pipeline.config.problems import nearest

CURVES = (
    *("pelvic_tilt", "pelvic_obliquity", "pelvic_rotation"),
    *("hip_flexion", "hip_adduction", "hip_rotation"),
    *("knee_flexion", "knee_adduction", "knee_rotation"),
    *("ankle_dorsiflexion", "ankle_inversion", "ankle_rotation", "foot_pitch", "foot_progression"),
    *("hip_extensor_moment", "hip_abductor_moment", "hip_rotator_moment"),
    *("knee_extensor_moment", "knee_abductor_moment", "knee_rotator_moment"),
    *("ankle_plantarflexor_moment", "ankle_evertor_moment", "ankle_rotator_moment"),
    *("hip_power", "knee_power", "ankle_power"),
    *("ground_fore_aft", "ground_vertical", "ground_medial"),
    "heel_speed",
)
"""Curves over the gait cycle, as in the registry of variables."""

PHASES = (
    *("cycle", "stance", "swing", "loading_response", "single_support", "mid_stance", "terminal_stance"),
    *("pre_swing", "initial_swing", "mid_swing", "terminal_swing"),
)
"""Phases of the gait cycle, as in `pipeline.analysis.phases`."""

STATISTICS = ("minimum", "maximum", "range", "mean")

DEFAULT_FEATURES = (
    "mean pelvic_tilt in cycle",
    "minimum hip_flexion in stance",
    "range hip_flexion in cycle",
    "maximum knee_flexion in loading_response",
    "minimum knee_flexion in single_support",
    "maximum knee_flexion in swing",
    "maximum ankle_dorsiflexion in stance",
    "maximum ankle_dorsiflexion in swing",
    "mean foot_progression in stance",
    "maximum ankle_plantarflexor_moment in stance",
    "maximum ankle_power in pre_swing",
)


def parsed(feature: str) -> tuple[str, str, str]:
    """Statistic, curve and phase of a feature's name.

    >>> parsed("maximum knee_flexion in swing")
    ('maximum', 'knee_flexion', 'swing')

    Raises:
        ValueError: the name is not of this form, or contains an unknown word.
    """
    words = re.fullmatch(r"(\S+) (\S+) in (\S+)", feature)
    if not words:
        raise ValueError(f"'{feature}' is not of the form 'maximum knee_flexion in swing'")
    for word, known, what in zip(
        words.groups(), (STATISTICS, CURVES, PHASES), ("statistic", "curve", "phase"), strict=True
    ):
        if word not in known:
            raise ValueError(f"'{feature}' has the unknown {what} '{word}'; {nearest(word, known)}")
    return words[1], words[2], words[3]


def _checked(feature: str) -> str:
    parsed(feature)
    return feature


FeatureName = Annotated[str, AfterValidator(_checked)]
