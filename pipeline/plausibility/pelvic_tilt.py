"""Pelvic tilt over the gait cycles against standing: walking changes it by some degrees.

A pelvis marker that was moved between the trials, or a subject who stood bent, changes it by more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from pipeline.plausibility.angles import frames_of_cycles
from pipeline.signals import finite_mean
from pipeline.trial import Finding, Kinematics

MAX_CHANGE = 25.0
"""Degrees: 0 to 20 on five walks of four people."""

_TILT = 0


def pelvic_tilt(kinematics: Kinematics, standing: Mapping[str, np.ndarray]) -> Iterator[Finding]:
    """A mean pelvic tilt that differs from that in `standing`: angles (T, 3) rad by joint."""
    walking = kinematics.angles["pelvis"][frames_of_cycles(kinematics)]
    change = float(np.degrees(finite_mean(walking) - finite_mean(standing["pelvis"]))[_TILT])
    way = "forward" if change > 0.0 else "back"
    if abs(change) > MAX_CHANGE:
        yield Finding(
            subject="pelvis",
            text=f"tilted {abs(change):.0f} degrees farther {way} than in {kinematics.calibration.static}",
            value=change,
            limit=math.copysign(MAX_CHANGE, change),
            units="degrees",
            source="five walks of four people",
            cause="because a marker of the pelvis was moved after the static trial, or the subject did not stand "
            "upright in it",
            remedy="compare the pelvis's markers in both trials: hip flexion depends on them",
            angle_error=abs(change),
            angle_of="pelvis tilt and hip flexion",
        )
